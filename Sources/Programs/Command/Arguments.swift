import CivilTime
import DaybookServer
import JSONRPC

/// A mistake on the command line.
struct UsageError: Error {
  let message: String
}

/// The options that `serve`, `call` and `watch` share.
struct Arguments {
  var framing: Framing?
  var dataFolder: String?
  var skipsHandshake = false
  var clock: Instant?
  var seed: UInt64?
  var logLevel: Log.Level?
  /// Whether the doctor is to put things in order, and to answer in JSON.
  var repairs = false
  var wantsJSON = false
  /// Whether a data folder is used that has other files.
  var isForced = false
  /// The options that only some commands know: flags, and a note.
  var flags: Set<String> = []
  var note: String?
  /// The store of record and the catalogue, as files; whether the introduction shows all the same.
  var storeOfRecord: String?
  var products: String?
  var forcesOnboarding = false
  /// The program that carries HTTP requests.
  var httpCarrier: String?
  /// What is no option, in order.
  var operands: [String] = []
  var wantsHelp = false
  var wantsVersion = false

  /// Refuses options that mean nothing to a command, which knows `own`.
  func refuseServing(_ command: String, own: Set<String> = []) throws(UsageError) {
    if let foreign = flags.subtracting(own).min() {
      throw UsageError(message: "\(foreign) means nothing to “daybook \(command)”")
    }
    if framing != nil { throw UsageError(message: "--framing is for serving; “daybook \(command)” has none") }
    if skipsHandshake { throw UsageError(message: "--no-handshake is for serving; “daybook \(command)” needs none") }
  }

  /// Reads the arguments that follow the program's name. `--name=value` and `--name value` are the same.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      if argument == "--" {
        operands += rest
        break
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      func value() throws(UsageError) -> String {
        if parts.count == 2 { return parts[1] }
        guard let next = rest.popFirst() else { throw UsageError(message: "\(name) needs a value") }
        return next
      }
      func flag() throws(UsageError) {
        if parts.count == 2 { throw UsageError(message: "\(name) takes no value") }
      }
      switch name {
      case "--framing":
        let text = try value()
        guard let framing = Framing(rawValue: text) else {
          throw UsageError(message: "--framing is “header” or “newline”, not “\(text)”")
        }
        self.framing = framing
      case "--data": dataFolder = try value()
      case "--no-handshake":
        try flag()
        skipsHandshake = true
      case "--clock":
        let text = try value()
        guard let instant = Instant(text) else {
          throw UsageError(message: "--clock takes an instant such as 2026-01-05T12:00:00Z, not “\(text)”")
        }
        clock = instant
      case "--seed":
        let text = try value()
        guard let number = UInt64(text) else { throw UsageError(message: "--seed takes a whole number, not “\(text)”") }
        seed = number
      case "--log-level":
        let text = try value()
        guard let level = Log.Level(name: text) else {
          throw UsageError(message: "--log-level is error, warning, info, debug or trace, not “\(text)”")
        }
        logLevel = level
      case "--store-of-record": storeOfRecord = try value()
      case "--products": products = try value()
      case "--http-carrier": httpCarrier = try value()
      case "--force-onboarding":
        try flag()
        forcesOnboarding = true
      case "--force":
        try flag()
        isForced = true
      case "--repair":
        try flag()
        repairs = true
      case "--json":
        try flag()
        wantsJSON = true
      case "--overwrite", "--merge", "--replace", "--preview":
        try flag()
        flags.insert(name)
      case "--note":
        note = try value()
        flags.insert(name)
      case "--stdio": try flag()
      case "--clientProcessId": _ = try value()
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      default:
        let hint = Arguments.nearest(to: name).map { ", did you mean \($0)?" } ?? ""
        throw UsageError(message: "unknown option \(name)\(hint)")
      }
    }
  }
}
