import JSON
import Platform
import TerminalPages

/// `daybook sync`: one exchange with the other devices, or, with `--watch`, one whenever a frontend would begin one.
struct SyncCommand {
  private let arguments: Arguments

  /// The exit status when the exchange succeeded and something waits for the user.
  static let needsAttention: Int32 = 3

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard arguments.operands.isEmpty else { throw UsageError(message: "sync takes no words") }
  }

  func run() throws(UsageError) -> Int32 {
    let watches = arguments.flags.contains("--watch")
    if watches { Signals.hold() }
    return try Inquiry.run(arguments, reads: false) { inquiry in
      guard watches else { return try exchange(inquiry) }
      repeat {
        do { _ = try exchange(inquiry) } catch let refused as Inquiry.Refused {
          let status = inquiry.tell(refused)
          guard refused.isOfPass else { return status }
        }
      } while try waits(inquiry)
      return DaybookCommand.Status.done
    }
  }

  /// Runs a pass, and prints what it did.
  private func exchange(_ inquiry: Inquiry) throws -> Int32 {
    let (result, json) = try inquiry.answer("sync/now", [])
    let status = result["status"] ?? .null
    if inquiry.wantsJSON {
      Terminal.write(json + [0x0A], to: 1)
    } else {
      let lines = SyncCommand.lines(result["pass"] ?? .null, status)
      for line in lines.flatMap({ inquiry.surface.lines($0) }) { Terminal.print(line) }
    }
    let isDone = status.list("attention").isEmpty && status["error"] == nil
    return isDone ? DaybookCommand.Status.done : SyncCommand.needsAttention
  }

  /// Waits until the next pass is due: something was changed here and it has been quiet for two seconds, another device
  /// has left something, or 300 seconds have passed. False once a signal has come, or nobody reads any longer.
  private func waits(_ inquiry: Inquiry) throws -> Bool {
    let heads = try inquiry.ask("sync/status")["remote"].map { $0.text("path") + "/heads" }
    let left = heads.map { FileMark(path: $0) }
    var before: Int?
    for _ in 0..<300 {
      guard Signals.next() == nil, !StandardStreams.isBroken(1) else { return false }
      if heads.map({ FileMark(path: $0) }) != left { return true }
      let status = try inquiry.ask("sync/status")
      // What waits for the user, or for the remote to come back, is not sent by trying again at once.
      guard status.text("state") == "idle", let pending = SyncCommand.count("pending", of: status) else {
        before = nil
        continue
      }
      if pending == before { return true }
      before = pending
    }
    return true
  }

  private static func count(_ name: String, of value: JSONValue) -> Int? {
    guard case .number(let number)? = value[name], let count = number.integer, count > 0 else { return nil }
    return count
  }

  /// What the pass did, and what waits for the user.
  static func lines(_ pass: JSONValue, _ status: JSONValue) -> [String] {
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
    // The rest was exchanged.
    if let error = status["error"] { lines.append("\(error.text("message")) To mend it, \(error.text("hint")).") }
    return lines
  }
}

extension Inquiry.Refused {
  /// Whether the next pass may succeed without anybody's help here: the remote could not be reached or used, another
  /// process runs a pass, or sync is paused or offline.
  fileprivate var isOfPass: Bool {
    guard let error, let name = (try? JSONValue(json: error))?["data"]?.text("name") else { return false }
    return ["remoteUnavailable", "remoteRefused", "syncBusy", "syncPaused", "syncOffline", "storeBusy"].contains(name)
  }
}
