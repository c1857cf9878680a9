import CivilTime
import DaybookServer
import JSON
import JSONRPC

/// A mistake on the command line.
struct UsageError: Error {
  let message: String
}

/// The parsed command line.
struct Arguments {
  var framing: Framing?
  var dataFolder: String?
  var skipsHandshake = false
  var clock: Instant?
  var seed: UInt64?
  var logLevel: Log.Level?
  /// Whether to accept a data folder that contains other files.
  var isForced = false
  /// The other options by their long names: flags, and those with a value.
  var flags: Set<String> = []
  var values: [String: String] = [:]
  /// Files with the store of record and the catalogue.
  var storeOfRecord: String?
  var products: String?
  var forcesOnboarding = false
  /// Whether no digests are kept; in debug builds only.
  var avoidsDigests = false
  /// The path of `daybook-http`.
  var httpCarrier: String?
  /// The arguments that are not options, in order.
  var operands: [String] = []
  var wantsHelp = false
  var wantsVersion = false

  /// Refuses options that the command does not have.
  func refuseOthers(than command: CommandEntry) throws(UsageError) {
    var given = flags.union(values.keys)
    if framing != nil { given.insert("--framing") }
    if skipsHandshake { given.insert("--no-handshake") }
    if let other = given.subtracting(command.options).min() {
      throw UsageError(message: "“daybook \(command.name)” has no option \(other)")
    }
  }

  init() {}

  /// Parses the arguments after the program's name; `--name=value` and `--name value` are equivalent. A dash alone, or
  /// in front of a digit as in the day `-1`, begins no option; a command that takes a text has none behind its first word.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-",
        argument.utf8.dropFirst().first.map({ $0 > 0x39 || $0 < 0x30 }) == true,
        operands.count < 2 || CommandTable.named(operands[0])?.takesText != true
      else {
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
      func flag() throws(UsageError) -> Bool {
        if parts.count == 2 { throw UsageError(message: "\(name) takes no value") }
        return true
      }
      switch name {
      case "--framing":
        let text = try value()
        guard let framing = Framing(rawValue: text) else {
          throw UsageError(message: "--framing is “header” or “newline”, not “\(text)”")
        }
        self.framing = framing
      case "--data": dataFolder = try value()
      case "--no-handshake": skipsHandshake = try flag()
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
      case "--force-onboarding": forcesOnboarding = try flag()
      #if DEBUG
        case "--without-digests": avoidsDigests = try flag()
      #endif
      case "--force": isForced = try flag()
      case "--stdio": _ = try flag()
      case "--clientProcessId": _ = try value()
      case "--help", "-h": wantsHelp = true
      case "--version", "-V": wantsVersion = true
      default:
        guard let option = OptionTable.named(name) else {
          let hint =
            Spelling.nearest(to: name, among: OptionTable.all.map(\.name)).map { ", did you mean \($0)?" } ?? ""
          throw UsageError(message: "unknown option \(name)\(hint)")
        }
        if option.value != nil { values[name] = try value() } else if try flag() { flags.insert(name) }
      }
    }
  }
}
