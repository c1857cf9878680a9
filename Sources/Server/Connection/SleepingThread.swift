/// A thread that sleeps while there is nothing for it to do, as a value: when it has to be started, and when to be woken.
struct SleepingThread: Hashable, Sendable {
  /// What the one who has something for the thread does next, without the lock.
  enum Call: Sendable {
    case nobody, start, wake
  }

  enum State {
    case absent, asleep, awake
  }

  private(set) var state = State.absent

  /// Whether the thread is going to look once more for something to do.
  var isAwake: Bool { state == .awake }

  /// Ensures that the thread looks for something to do.
  mutating func call() -> Call {
    defer { state = .awake }
    return switch state {
    case .absent: .start
    case .asleep: .wake
    case .awake: .nobody
    }
  }

  /// The thread has found nothing, and sleeps next.
  mutating func sleep() { state = .asleep }

  /// The system had no thread to give: the next call asks again.
  mutating func failToStart() { state = .absent }
}
