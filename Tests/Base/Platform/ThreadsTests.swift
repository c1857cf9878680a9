import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc

  @Suite("Threads of our own")
  struct ThreadsTests {
    /// The scheduling policy of the calling thread: 0 for normal, 5 for idle.
    private static var policy: Int32 {
      var policy: Int32 = -1
      var parameters = sched_param()
      pthread_getschedparam(pthread_self(), &policy, &parameters)
      return policy
    }

    /// Runs `body` on a new thread and returns its result.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
      await withCheckedContinuation { continuation in
        Threads.start { continuation.resume(returning: body()) }
      }
    }

    @Test("Idle work runs at idle priority, and the thread has its normal priority afterwards")
    func yields() async {
      let policies = await onThread {
        var during: Int32 = -1
        Threads.runIdle(atMost: 600_000) { during = ThreadsTests.policy }
        return [during, ThreadsTests.policy]
      }
      #expect(policies == [5, 0])
    }

    @Test("An idle thread gets normal priority after its patience")
    func comesBack() async {
      let policy = await onThread {
        var policy: Int32 = -1
        Threads.runIdle(atMost: 1) {
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
