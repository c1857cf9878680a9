import Platform

/// Texts for people and scripts.
enum Terminal {
  /// Whether something written to standard output was lost though somebody may want it.
  private static let hasLost = Guarded(false)

  static func print(_ text: String) { write(text + "\n", to: 1) }

  static func complain(_ text: String) { write(text + "\n", to: 2) }

  /// Writes all of a text, waiting as long as it takes; false when nobody reads any more.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    let isWritten = StandardStreams.writeAll(descriptor, bytes)
    if !isWritten, descriptor == 1 { hasLost.withLock { $0 = true } }
    return isWritten
  }

  /// The exit status of a command that would end with `status`: what it could not say makes it fail. A reader that has gone has seen
  /// what it wanted, and is no reason for a message.
  static func conclude(_ status: Int32) -> Int32 {
    guard hasLost.withLock({ $0 }) else { return status }
    if !StandardStreams.isBroken(1) { complain("daybook: standard output cannot be written: it is closed, or full") }
    return status == DaybookCommand.Status.done ? DaybookCommand.Status.transport : status
  }
}
