import JSON
import TerminalPages

/// `daybook sync`: one exchange with the other devices.
struct SyncCommand {
  private let arguments: Arguments

  /// The exit status when the exchange succeeded and something waits for the user.
  static let needsAttention: Int32 = 3

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard arguments.operands.isEmpty else { throw UsageError(message: "sync takes no words") }
  }

  func run() throws(UsageError) -> Int32 {
    try Inquiry.run(arguments, reads: false) { inquiry in
      let (result, json) = try inquiry.answer("sync/now", [])
      let status = result["status"] ?? .null
      if inquiry.wantsJSON {
        Terminal.write(json + [0x0A], to: 1)
      } else {
        for line in SyncCommand.lines(result["pass"] ?? .null, status) { Terminal.print(inquiry.surface.line(line)) }
      }
      return status.list("attention").isEmpty ? DaybookCommand.Status.done : SyncCommand.needsAttention
    }
  }

  /// What the pass did, and what waits for the user.
  static func lines(_ pass: JSONValue, _ status: JSONValue) -> [String] {
    func count(_ name: String, of value: JSONValue) -> Int? {
      guard case .number(let number)? = value[name], let count = number.integer, count > 0 else { return nil }
      return count
    }
    let did = [
      ("sent", "sent"), ("received", "received"), ("deleted", "deleted here"), ("conflicts", "in conflict"),
    ].compactMap { name, what in count(name, of: pass).map { "\($0) \(what)" } }
    let state = status.text("state") == "synced" ? "everything is exchanged" : "more is to be exchanged"
    var lines = ["\(did.isEmpty ? "Nothing new" : did.joined(separator: ", ")); \(state)"]
    for (name, what, command) in [
      ("waitingDeletions", "Deletions that wait for you", "sync/confirm deletions=apply"),
      ("failed", "Changes that failed too often", "sync/queue failed=true"),
      ("conflicts", "Conflicts", "sync/conflicts"),
    ] {
      if let count = count(name, of: status) { lines.append("\(what): \(count) (daybook call \(command))") }
    }
    return lines
  }
}
