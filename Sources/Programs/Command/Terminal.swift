import Platform
import TerminalPages

/// Output for people and scripts.
enum Terminal {
  /// Whether output to standard output was lost.
  private static let hasLost = Guarded(false)
  /// What the command has carried out, in words, besides printing.
  private static let outcome = Guarded<String?>(nil)

  static func print(_ text: String) { write(text + "\n", to: 1) }

  /// Prints a message on standard error; its lines are wrapped to `width`, else to the terminal that this is.
  static func complain(_ text: String, width: Int? = nil) {
    let columns = StandardStreams.isTerminal(2) ? StandardStreams.columns(of: 2).map { max($0, 20) } : nil
    let lines = (width ?? columns).map { width in
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        Cells.width(of: line) > width ? Cells.wrap(line, to: width).joined(separator: "\n") : String(line)
      }
    }
    write((lines?.joined(separator: "\n") ?? text) + "\n", to: 2)
  }

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

  /// Prints what was read. A reader that closes its end has read what it wanted, which is no failure.
  static func show(_ bytes: [UInt8]) {
    guard !StandardStreams.writeAll(1, bytes), !StandardStreams.isBroken(1) else { return }
    hasLost.withLock { $0 = true }
  }

  /// Notes what the command has carried out, such as “stored as revision 7”. If its output is lost, `conclude` says so:
  /// a script that repeats the command would do it twice.
  static func note(done text: String) { outcome.withLock { $0 = text } }

  /// The final exit status of a command that ends with `status`: lost output makes it fail. If the reader closed its
  /// end and nothing was carried out, it has read what it wanted, so no message is printed.
  static func conclude(_ status: Int32) -> Int32 {
    guard hasLost.withLock({ $0 }) else { return status }
    if let done = outcome.withLock({ $0 }) {
      complain("daybook: \(done); the answer could not be written")
      return status == DaybookCommand.Status.done ? DaybookCommand.Status.unanswered : status
    }
    if !StandardStreams.isBroken(1) { complain("daybook: standard output cannot be written: it is closed or full") }
    return status == DaybookCommand.Status.done ? DaybookCommand.Status.transport : status
  }
}
