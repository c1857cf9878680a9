import SyncRules

/// When passes begin by themselves. Times are monotonic, in milliseconds.
struct SyncSchedule: Equatable {
  /// How long it is quiet after a write before a pass, at most how long after the first write, and how long after a
  /// pass the next one is due.
  static let (quiet, patience, interval): (Int64, Int64, Int64) = (2_000, 10_000, 300_000)

  /// The first and the last write since the last pass.
  private var firstWrite: Int64?
  private var lastWrite: Int64?
  /// When the last pass of this process ended, or its first one was due.
  private var lastPass: Int64?

  /// Notes a change that is to be sent.
  mutating func wrote(at now: Int64) {
    firstWrite = firstWrite ?? now
    lastWrite = now
  }

  /// Notes that a pass begins: what was written before goes with it.
  mutating func begin() { (firstWrite, lastWrite) = (nil, nil) }

  mutating func ended(at now: Int64) { lastPass = now }

  /// What is due; nil for nothing.
  mutating func due(at now: Int64) -> PassTrigger? {
    if let firstWrite, let lastWrite,
      now - lastWrite >= SyncSchedule.quiet || now - firstWrite >= SyncSchedule.patience
    {
      return .write
    }
    guard let lastPass else {
      lastPass = now
      return .start
    }
    return now - lastPass >= SyncSchedule.interval ? .tick : nil
  }
}
