import CivilTime
import DaybookServer
import JSON
import Platform
import TerminalPages

/// What a command for people asks the service, and how it prints answers and refusals.
final class Inquiry {
  /// A refusal, or the end of the service; `error` is its JSON.
  struct Refused: Error { let error: [UInt8]? }

  let surface: Surface
  private let arguments: Arguments
  private let conversation: Conversation
  private var knownToday: CivilDay?

  /// The author of what terminals log, whose changes `daybook undo` undoes.
  private static let author = "terminal"

  private init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    surface = try arguments.surface()
    var options = try arguments.serviceOptions()
    options.author = Inquiry.author
    Signals.ignoreBrokenPipes()
    guard let conversation = Conversation(options: options) else {
      throw UsageError(message: "the system has no descriptors left")
    }
    self.conversation = conversation
  }

  /// Runs what a command asks, and returns the exit status.
  static func run(
    _ arguments: Arguments, reads: Bool = true, _ body: (Inquiry) throws -> Int32
  ) throws(UsageError) -> Int32 {
    let inquiry = try Inquiry(arguments)
    if reads, let folder = arguments.dataFolder, !Files.exists(folder) {
      inquiry.complain("\(folder) does not exist, so nothing is stored there yet")
    }
    do {
      let status = try body(inquiry)
      inquiry.conversation.end()
      if inquiry.conversation.isDamaged {
        inquiry.complain("some stored data may be missing here; see “daybook doctor”")
      }
      return status
    } catch let error as UsageError {
      throw error
    } catch let refused as Refused {
      return inquiry.tell(refused)
    } catch {
      return DaybookCommand.Status.transport
    }
  }

  // MARK: asking

  /// Today in the user's zone.
  func today() throws(Refused) -> CivilDay {
    if let knownToday { return knownToday }
    guard let today = CivilDay(try ask("session/get").text("today")) else { throw Refused(error: nil) }
    knownToday = today
    return today
  }

  /// The result of a request.
  func ask(_ method: String, _ params: [JSONObject.Member] = []) throws(Refused) -> JSONValue {
    try answer(method, params).value
  }

  /// The result of a request, and its text. A change is noted as carried out.
  func answer(
    _ method: String, _ params: [JSONObject.Member]
  ) throws(Refused) -> (value: JSONValue, json: [UInt8]) {
    guard let response = conversation.call(method, .object(JSONObject(params))) else { throw Refused(error: nil) }
    switch response {
    case .error(let json): throw Refused(error: json)
    case .result(let json):
      if let done = SingleCall.done(method, response) { Terminal.note(done: done) }
      guard let value = try? JSONValue(json: json) else { throw Refused(error: nil) }
      return (value, json)
    }
  }

  /// The day that `--day` names, else nil.
  func optionalDay() throws -> CivilDay? {
    guard let word = arguments.values["--day"] else { return nil }
    return try day(word)
  }

  func day(_ word: String) throws -> CivilDay {
    let today = try today()
    guard let day = DayWords.day(word, today: today) else {
      throw UsageError(
        message: "“\(word)” is not a day: use today, yesterday, -1, +2, mon to sun, or a date such as \(today)")
    }
    return day
  }

  /// The days that a range names; `usual` without one.
  func range(
    _ text: String?, anchor: CivilDay, usual: ClosedRange<CivilDay>
  ) throws -> ClosedRange<CivilDay> {
    guard let text else { return usual }
    let today = try today()
    let first = text.lowercased() == "week" ? try firstWeekday(of: anchor) : 0
    do throws(DayWords.Problem) {
      return try DayWords.range(text, today: today, anchor: anchor) { $0.week(from: first) }
    } catch { throw UsageError(message: error.message) }
  }

  /// The first day of the user's weeks, 0 to 6 from Monday.
  func firstWeekday(of day: CivilDay) throws(Refused) -> Int {
    let name = try ask("weeks/get", [("day", .string("\(day)"))]).text("firstWeekday")
    return DayWords.day(name, today: day)?.weekdayIndex ?? 0
  }

  // MARK: printing

  var wantsJSON: Bool { arguments.flags.contains("--json") }

  /// Prints lines of what was read.
  func show(_ lines: [String]) { Terminal.show(Array((lines.joined(separator: "\n") + "\n").utf8)) }

  /// Prints a message on standard error.
  func complain(_ message: String) {
    Terminal.complain(
      "daybook: " + surface.shown(message), width: arguments.values["--width"].flatMap { _ in surface.width })
  }

  /// Prints why something was refused, and returns the exit status.
  func tell(_ refused: Refused) -> Int32 {
    guard let json = refused.error else {
      complain("no response came")
      return DaybookCommand.Status.transport
    }
    if wantsJSON {
      Terminal.write(json + [0x0A], to: 2)
    } else if let error = try? JSONValue(json: json) {
      complain(Inquiry.sentence(error))
    }
    return DaybookCommand.Status.refused
  }

  /// An error as one sentence with its remedy, in words of the command line.
  static func sentence(_ error: JSONValue) -> String {
    let data = error["data"]
    var message = error.text("message")
    if message.hasPrefix("params/") { message.removeFirst("params/".count) }
    while message.last == "." { message.removeLast() }
    let remedy: String?
    switch data?.text("name") {
    case "locked": return "Locked; unlock in a frontend"
    case "storeBusy": remedy = "try again when that is done"
    default: remedy = data?["hint"]?.text.map(typeable)
    }
    let readings = data?.list("entries").map { "\($0.text("kind")): \($0.text("text"))" } ?? []
    let allowed = data?["allowed"]?.text.flatMap { message.hasSuffix($0) ? nil : "allowed: \($0)" }
    return ([message] + readings + [remedy ?? allowed].compactMap { $0 }).joined(separator: "; ")
  }

  /// A hint with the command that calls it for each method that it names, such as “daybook call habits/add”.
  private static func typeable(_ hint: String) -> String {
    let parts = hint.split(separator: "“", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      let name = String(part.prefix { $0 != "”" })
      let isMethod = index > 0 && name.utf8.contains(UInt8(ascii: "/")) && ProtocolDescription().method(name) != nil
      return isMethod ? "daybook call \(part)" : String(part)
    }.joined(separator: "“")
  }
}

extension Arguments {
  /// What pages are printed on.
  func surface() throws(UsageError) -> Surface {
    var width: Int?
    if let text = values["--width"] {
      width = Int(text)
      guard let width, width > 0 else {
        throw UsageError(message: "--width takes a number of columns, not “\(text)”")
      }
    }
    guard let colours = Surface.Colours(rawValue: values["--color"] ?? "auto") else {
      throw UsageError(message: "--color is auto, always or never, not “\(values["--color"] ?? "")”")
    }
    return Surface(
      width: width, colours: colours, isASCII: flags.contains("--ascii"),
      terminal: (StandardStreams.isTerminal(1), StandardStreams.columns(of: 1))
    ) { Processes.environment($0) }
  }
}
