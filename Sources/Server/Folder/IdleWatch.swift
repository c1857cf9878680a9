/// Whether the client has been quiet for long enough to do something in the background. Times are monotonic nanoseconds.
struct IdleWatch {
  /// How many messages came, how many of them the last look knew of, and since when there were no others.
  private var received = 0
  private var receivedAtLastLook = -1
  private var since: UInt64 = 0
  private var isOver = false

  /// Notes that a message has come.
  mutating func noteMessage() { received &+= 1 }

  /// Whether no message has come for so many milliseconds; once only.
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
