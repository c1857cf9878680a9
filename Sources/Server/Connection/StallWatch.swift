#if DEBUG
  import DaybookProtocol
  import Platform

  /// Looks once a second, in debug builds, for a request that nobody seems to be going to answer, and tells once how everything stands.
  ///
  /// A process that works uses the processor; one that has lost a wake-up does not. So a request is reported that was there for all of
  /// `limit` while the process did next to nothing, unless it is known what it waits for.
  struct StallWatch {
    /// How long a request may stay without an answer, nanoseconds.
    static let limit: UInt64 = 5_000_000_000
    /// What of the processor's time a process may use in that time that does nothing, nanoseconds.
    private static let rest: UInt64 = 50_000_000
    /// The request that a thread works on which has the session's executor; it is not registered.
    private static let atHand = 0

    /// Methods that wait for a server.
    private static let others: Set = ["meals/estimate", "meals/adjustEstimate", "estimator/estimate"]

    private var begun: [Int: (time: UInt64, processor: UInt64)] = [:]
    private var hasReported = false

    /// Takes a look; what there is to report, if anything.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of a clock that never goes back.
    ///   - processor: Nanoseconds that the process has used of the processors so far.
    mutating func look(at service: Service, now: UInt64, processor: UInt64) -> String? {
      let present = hasReported ? [] : StallWatch.waiting(service)
      begun = begun.filter { order, since in
        present.contains { $0.order == order } && processor &- since.processor < StallWatch.rest
      }
      for (order, _, _) in present where begun[order] == nil { begun[order] = (now, processor) }
      guard let stalled = present.first(where: { now &- (begun[$0.order]?.time ?? now) >= $0.limit }) else {
        return nil
      }
      hasReported = true
      return "\(stalled.what) has no answer since \(stalled.limit / 1_000_000_000) s; \(StallWatch.rooms(of: service))"
    }

    /// The requests that should be answered soon, in their order, and how long each may take.
    private static func waiting(_ service: Service) -> [(order: Int, what: String, limit: UInt64)] {
      let traffic = service.traffic.state.withLock { $0 }
      // Another process has the lock, the client does not read, or is asked for something.
      guard !traffic.awaitsRetry, !service.channel.isAboveHighWater, !service.session.clientRequests.isAsking else {
        return []
      }
      let requests = traffic.requests.values.filter {
        !$0.method.hasPrefix("debug/") && !others.contains($0.method)
      }
      let isBusy = service.executor.state.withLock { $0.owner != 0 }
      return (isBusy ? [(atHand, "the request at hand", limit)] : [])
        + requests.sorted { $0.order < $1.order }.map {
          // Work away from the session waits for the folder's lock itself.
          ($0.order, $0.method, $0.state == .running ? limit + UInt64(SessionConstants.lockTimeout) * 1_000_000 : limit)
        }
    }

    /// How everything stands between reading and writing; nothing of the user's is in it.
    private static func rooms(of service: Service) -> String {
      let traffic = service.traffic.state.withLock { $0 }
      let requests = traffic.activities.map { "\($0.method) \($0.state.rawValue)" }.joined(separator: ", ")
      let executor = service.executor.state.withLock {
        "owner \($0.owner), \($0.jobs.count) jobs, \($0.idleJobs.count) idle jobs, thread \($0.thread)"
      }
      let turns = service.session.workTurns.state.withLock { "\($0.free) free, \($0.waiting.count) wait" }
      return """
        executor: \(executor); messages: \(traffic.items.count - traffic.nextItem), scheduled \(traffic.isScheduled), tried \
        \(traffic.tried != nil); requests: \(requests), \(traffic.leaving) leaving; replies: held for \
        \(traffic.held.map(\.revision)), durable \(traffic.durable), \(traffic.beginning) beginning; output: \
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
