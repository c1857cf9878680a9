import Platform

/// Output for people and scripts.
enum Terminal {
  /// Whether output to standard output was lost.
  private static let hasLost = Guarded(false)

  static func print(_ text: String) { write(text + "\n", to: 1) }

  static func complain(_ text: String) { write(text + "\n", to: 2) }

  /// Writes a text, blocking as needed; false when the reader has closed its end.
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

  /// The final exit status of a command that ends with `status`: lost output makes it fail. If the reader closed its
  /// end, it has read what it wanted, so no message is printed.
  static func conclude(_ status: Int32) -> Int32 {
    guard hasLost.withLock({ $0 }) else { return status }
    if !StandardStreams.isBroken(1) { complain("daybook: standard output cannot be written: it is closed or full") }
    return status == DaybookCommand.Status.done ? DaybookCommand.Status.transport : status
  }
}
