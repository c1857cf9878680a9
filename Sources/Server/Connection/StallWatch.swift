#if DEBUG
  import DaybookProtocol
  import Platform

  /// Reports once, in debug builds, the state of the connection when a request seems never to be answered; checked
  /// every second.
  ///
  /// A working process uses the processor; one that has lost a wake-up does not. So a request is reported that has been
  /// in flight for `limit` while the process did next to nothing, unless it is known what it waits for.
  struct StallWatch {
    /// How long a request may stay unanswered, in nanoseconds.
    static let limit: UInt64 = 5_000_000_000
    /// The processor time that an idle process may use in that time, in nanoseconds.
    private static let rest: UInt64 = 50_000_000
    /// The order of the request on the executor's current thread, which is not registered.
    private static let executing = 0

    private static let others: Set = ["meals/estimate", "meals/adjustEstimate", "estimator/estimate"]

    private var begun: [Int: (time: UInt64, processor: UInt64)] = [:]
    private var hasReported = false

    /// Checks once; returns the report, if there is one.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of a monotonic clock.
    ///   - processor: The processor time that the process has used so far, in nanoseconds.
    mutating func check(_ service: Service, now: UInt64, processor: UInt64) -> String? {
      let present = hasReported ? [] : StallWatch.waiting(service)
      begun = begun.filter { order, since in
        present.contains { $0.order == order } && processor &- since.processor < StallWatch.rest
      }
      for (order, _, _) in present where begun[order] == nil { begun[order] = (now, processor) }
      guard let stalled = present.first(where: { now &- (begun[$0.order]?.time ?? now) >= $0.limit }) else {
        return nil
      }
      hasReported = true
      return "\(stalled.what) has no answer since \(stalled.limit / 1_000_000_000) s; \(StallWatch.state(of: service))"
    }

    /// The requests that should be answered promptly, in order, and how long each may take.
    private static func waiting(_ service: Service) -> [(order: Int, what: String, limit: UInt64)] {
      let traffic = service.traffic.state.withLock { $0 }
      // Another process has the lock, the client does not read or the disk is slow, or the client was sent a request.
      guard !traffic.isRetryScheduled, !service.traffic.isFull, !service.session.clientRequests.isAsking
      else {
        return []
      }
      let requests = traffic.requests.values.filter {
        !$0.method.hasPrefix("debug/") && !others.contains($0.method)
      }
      let isBusy = service.executor.state.withLock { $0.owner != 0 }
      return (isBusy ? [(executing, "the request at hand", limit)] : [])
        + requests.sorted { $0.order < $1.order }.map {
          // Work off the session waits for the folder's lock itself.
          ($0.order, $0.method, $0.state == .running ? limit + UInt64(SessionConstants.lockTimeout) * 1_000_000 : limit)
        }
    }

    /// The state of queues and executors; holds no user data.
    private static func state(of service: Service) -> String {
      let traffic = service.traffic.state.withLock { $0 }
      let requests = traffic.activities.map { "\($0.method) \($0.state.rawValue)" }.joined(separator: ", ")
      let executor = service.executor.state.withLock {
        "owner \($0.owner), \($0.jobs.count) jobs, \($0.idleJobs.count) idle jobs, thread \($0.thread)"
      }
      let turns = service.session.workTurns.state.withLock { "\($0.free) free, \($0.waiting.count) wait" }
      return """
        executor: \(executor); messages: \(traffic.items.count - traffic.nextItem), scheduled \(traffic.isScheduled), attempt \
        \(traffic.attempt != nil); requests: \(requests), \(traffic.outgoingReplies) outgoing; replies: held for \
        \(traffic.held.map(\.revision)), durable \(traffic.durable), \(traffic.runningReleases) releasing; output: \
        \(service.channel.state.withLock { $0 }.summary); turns: \(turns)
        """
    }
  }

  extension OutputState {
    fileprivate var summary: String { "\(unsent) unsent, thread \(thread), broken \(isBroken)" }
  }

  extension SleepingThread: CustomStringConvertible {
    var description: String { "\(state)" }
  }
#endif
