import DaybookProtocol
import FileStore
import Platform

/// Once a week everything in the data folder is verified in the background, while the client is quiet.
extension Session {
  /// Starts a scrub that is due once the client is quiet; called with each poll of the folder.
  func scrubIfIdle() {
    guard let delay = options.scrubDelay,
      idle.isQuiet(activity.count, milliseconds: delay, now: Clock.monotonicNanoseconds())
    else { return }
    let (configuration, log) = (configuration(), log)
    Threads.startHeavy { [weak self] in
      do throws(StoreError) {
        let schedule = ScrubSchedule(configuration)
        guard try schedule.isDue() else { return }
        var scrub = try Scrub(configuration)
        while try scrub.step() {
          // Short steps with pauses keep the machine responsive.
          Threads.rest(milliseconds: Session.scrubPause)
        }
        let report = scrub.report
        defer { self?.enqueue { $0.note(report) } }
        try schedule.note()
        log.info(.store, "everything in the data folder was verified: \(report.findings.count) findings")
      } catch { log.warning(.store, "the data folder was not verified: \(public: error)") }
    }
  }

  /// The pause between two files, in milliseconds.
  private static let scrubPause: Int32 = 20

  private func note(_ report: RecoveryReport) {
    store?.note(report)
    _ = pollFolder()
  }
}

/// Detects when the client has been quiet for long enough to start background work. Times are monotonic nanoseconds.
struct IdleWatch {
  /// The client's activity at the last check, and when it last changed.
  private var lastCount = -1
  private var since: UInt64 = 0
  private var isOver = false

  /// Whether the client's activity has been `count` for `delay` milliseconds; true once only.
  mutating func isQuiet(_ count: Int, milliseconds delay: Int, now: UInt64) -> Bool {
    guard !isOver else { return false }
    guard count == lastCount else {
      (lastCount, since) = (count, now)
      return false
    }
    isOver = (now &- since) / 1_000_000 >= UInt64(delay)
    return isOver
  }
}
