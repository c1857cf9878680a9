/// A thread that sleeps while it has no work, as a value: decides when to start it and when to wake it.
struct SleepingThread: Hashable, Sendable {
  /// What the caller that adds work does next, without the lock.
  enum Call: Sendable {
    case nobody, start, wake
  }

  enum State {
    case absent, asleep, awake
  }

  private(set) var state = State.absent

  var isAwake: Bool { state == .awake }

  /// Ensures that the thread looks for work.
  mutating func call() -> Call {
    defer { state = .awake }
    return switch state {
    case .absent: .start
    case .asleep: .wake
    case .awake: .nobody
    }
  }

  /// Notes that the thread has found no work and sleeps next.
  mutating func sleep() { state = .asleep }

  /// Notes that the system had no thread to start: the next call tries again.
  mutating func failToStart() { state = .absent }
}
