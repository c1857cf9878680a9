import DaybookProtocol
import FileStore
import Platform

/// Once a week everything in the data folder is verified, in the background, while nobody asks for anything.
extension Session {
  /// Looks whether there is time for it; called when the folder is looked at between requests.
  func scrubIfIdle() {
    guard let delay = options.scrubDelay, idle.isQuiet(milliseconds: delay, now: Clock.monotonicNanoseconds()) else {
      return
    }
    let (configuration, log) = (configuration(), log)
    Threads.startHeavy { [weak self] in
      do throws(StoreError) {
        let schedule = ScrubSchedule(configuration)
        guard try schedule.isDue() else { return }
        var scrub = try Scrub(configuration)
        while try scrub.step() {
          // A short piece of work, then a rest, so that nobody notices.
          Threads.rest(milliseconds: Session.scrubPause)
        }
        let report = scrub.report
        defer { self?.enqueue { $0.note(report) } }
        try schedule.note()
        log.info(.store, "everything in the data folder was verified: \(report.findings.count) findings")
      } catch { log.warning(.store, "the data folder was not verified: \(public: error)") }
    }
  }

  /// Milliseconds between two files.
  private static let scrubPause: Int32 = 20

  private func note(_ report: RecoveryReport) {
    store?.note(report)
    _ = lookAround()
  }
}
