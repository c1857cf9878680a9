/// Detects when the client has been quiet for long enough to start background work. Times are monotonic nanoseconds.
struct IdleWatch {
  /// The number of messages received, that number at the last check, and when it last changed.
  private var received = 0
  private var receivedAtLastLook = -1
  private var since: UInt64 = 0
  private var isOver = false

  mutating func noteMessage() { received &+= 1 }

  /// Whether no message has come for `delay` milliseconds; true once only.
  mutating func isQuiet(milliseconds delay: Int, now: UInt64) -> Bool {
    guard !isOver else { return false }
    guard received == receivedAtLastLook else {
      (receivedAtLastLook, since) = (received, now)
      return false
    }
    isOver = (now &- since) / 1_000_000 >= UInt64(delay)
    return isOver
  }
}
