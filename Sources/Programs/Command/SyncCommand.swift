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
    func count(_ name: String, _ what: String, of value: JSONValue) -> String? {
      guard case .number(let number)? = value[name], let count = number.integer, count > 0 else { return nil }
      return "\(count) \(what)"
    }
    let did = [
      count("sent", "sent", of: pass), count("received", "received", of: pass),
      count("deleted", "deleted here", of: pass), count("conflicts", "in conflict", of: pass),
    ].compactMap { $0 }
    let state = status.text("state") == "synced" ? "everything is exchanged" : "more is to be exchanged"
    var lines = ["\(did.isEmpty ? "Nothing new" : did.joined(separator: ", ")); \(state)"]
    let confirm = "deletions wait: daybook call sync/confirm deletions=apply"
    if let waiting = count("waitingDeletions", confirm, of: status) { lines.append(waiting) }
    if let failed = count("failed", "changes failed too often: daybook call sync/queue failed=true", of: status) {
      lines.append(failed)
    }
    if let conflicts = count("conflicts", "conflicts: daybook call sync/conflicts", of: status) {
      lines.append(conflicts)
    }
    return lines
  }
}
