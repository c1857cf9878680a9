import CivilTime
import DaybookServer
import JSON
import Platform
import TerminalPages

/// `daybook call`: makes one request, served in this process.
struct CallCommand {
  private let arguments: Arguments
  private let method: String
  /// The params: one JSON text, `-` for standard input, or assignments.
  private let words: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard let method = arguments.operands.first else {
      throw UsageError(message: "call needs a method, such as “daybook call days/get”; “daybook methods” lists them")
    }
    if arguments.flags.isSuperset(of: ["--compact", "--pretty"]) {
      throw UsageError(message: "--compact and --pretty exclude each other")
    }
    self.method = method
    words = Array(arguments.operands.dropFirst())
  }

  func run() throws(UsageError) -> Int32 {
    var options = try arguments.serviceOptions()
    options.author = "call"
    guard let object = try params(options) else {
      Terminal.complain("daybook: standard input cannot be read")
      return DaybookCommand.Status.transport
    }
    let params = JSONValue.object(CallParams.locating(object))
    Signals.ignoreBrokenPipes()
    guard let (response, isDamaged, done) = SingleCall.make(method: method, params: params, options: options) else {
      Terminal.complain("daybook: no response came")
      return DaybookCommand.Status.transport
    }
    if isDamaged {
      Terminal.complain("daybook: some stored data may be missing here; see “daybook doctor”")
    }
    switch response {
    case .result(let json):
      if let done { Terminal.note(done: done) }
      return Terminal.write(text(json, on: 1), to: 1) || done != nil
        ? DaybookCommand.Status.done : DaybookCommand.Status.transport
    case .error(let json):
      Terminal.write(text(CallErrors.explained(json, method: method, params: params), on: 2), to: 2)
      return DaybookCommand.Status.refused
    }
  }

  /// The params; nil when standard input cannot be read.
  private func params(_ options: ServiceOptions) throws(UsageError) -> JSONObject? {
    if let assignments = CallParams(words) {
      let description = ProtocolDescription()
      return try assignments.object(for: description.method(method), description) { CallCommand.day($0, options) }
    }
    guard words.count <= 1 else {
      throw UsageError(message: "call takes a method and KEY=VALUE words, or one JSON text; quote the JSON")
    }
    guard let text = words.first == "-" ? StandardStreams.readAll(0) : Array((words.first ?? "{}").utf8) else {
      return nil
    }
    do throws(JSONError) {
      if case .object(let object) = try JSONValue(json: text) { return object }
    } catch {
      throw UsageError(message: "the params are neither KEY=VALUE words nor JSON: \(error)")
    }
    throw UsageError(message: "the params must be an object: '{\"name\": value}'")
  }

  /// The date of a word such as “yesterday”, in the user's zone; nil for what is a date, or none.
  private static func day(_ word: String, _ options: ServiceOptions) -> String? {
    guard CivilDay(word) == nil,
      case .result(let json)? = SingleCall.make(method: "session/get", params: .object(JSONObject()), options: options)?
        .response,
      let today = (try? JSONValue(json: json))?["today"]?.text.flatMap({ CivilDay($0) })
    else { return nil }
    return DayWords.day(word, today: today)?.description
  }

  /// JSON as it is printed: on a terminal indented, and without what moves its cursor or reorders its lines.
  private func text(_ json: [UInt8], on descriptor: Int32) -> [UInt8] {
    let isTerminal = StandardStreams.isTerminal(descriptor)
    guard isTerminal || arguments.flags.contains("--pretty") else { return json + [0x0A] }
    var text = String(decoding: json, as: UTF8.self)
    if !arguments.flags.contains("--compact"), let value = try? JSONValue(json: json) {
      text = value.indented(width: HelpTexts.width)
    }
    return Array((isTerminal ? text.escapedForTerminals : text).utf8) + [0x0A]
  }
}

extension String {
  /// JSON with escapes for control characters and bidirectional controls, which are valid in it.
  var escapedForTerminals: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
