import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc

  @Suite("Threads of our own")
  struct ThreadsTests {
    /// How the calling thread is scheduled: 0 like any other, 5 when nothing else is to be done.
    private static var policy: Int32 {
      var policy: Int32 = -1
      var parameters = sched_param()
      pthread_getschedparam(pthread_self(), &policy, &parameters)
      return policy
    }

    /// What `body` gives on a thread of its own.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
      await withCheckedContinuation { continuation in
        Threads.start { continuation.resume(returning: body()) }
      }
    }

    @Test("One that gives way does so until it is done")
    func givesWay() async {
      let policies = await onThread {
        var during: Int32 = -1
        Threads.givingWay(atMost: 600_000) { during = ThreadsTests.policy }
        return [during, ThreadsTests.policy]
      }
      #expect(policies == [5, 0])
    }

    @Test("One that gave way for long enough goes on like any other")
    func comesBack() async {
      let policy = await onThread {
        var policy: Int32 = -1
        Threads.givingWay(atMost: 1) {
          repeat {
            policy = ThreadsTests.policy
            Threads.rest(milliseconds: 1)
          } while policy != 0
        }
        return policy
      }
      #expect(policy == 0)
    }
  }
#endif
