import CivilTime
import JSON
import Platform
import TerminalPages

/// `daybook log`: stores what a line of words says, or each line of standard input.
struct LogCommand {
  private let arguments: Arguments
  private let text: String

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    text = LogCommand.line(of: arguments.operands)
    guard !text.isEmpty else {
      throw UsageError(message: "log needs an entry, such as “daybook log porridge 350”")
    }
  }

  /// The arguments as one line: one that contains a space was quoted for the shell, and is a name, unless it is all.
  static func line(of words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return words.map { word in
      guard word.contains(where: \.isWhitespace) else { return word }
      let isQuotedInside = word.utf8.contains(UInt8(ascii: "\""))
      return isQuotedInside ? "«\(word)»" : "\"\(word)\""
    }.joined(separator: " ")
  }

  func run() throws(UsageError) -> Int32 {
    try Inquiry.run(arguments, reads: false) { inquiry in
      var params: [JSONObject.Member] = []
      if let day = try inquiry.optionalDay() { params.append(("day", .string("\(day)"))) }
      if let kind = arguments.values["--kind"] { params.append(("kind", .string(kind))) }
      let isPreview = arguments.flags.contains("--dry-run")
      guard text == "-" else {
        return isPreview
          ? try preview(text, params, inquiry) : try store(text, params, inquiry)
      }
      guard let input = StandardStreams.readAll(0, limit: 16 << 20) else {
        Terminal.complain("daybook: standard input cannot be read, or exceeds 16 MiB")
        return DaybookCommand.Status.transport
      }
      let lines = LogCommand.entries(in: String(decoding: input, as: UTF8.self))
      guard !lines.isEmpty else { throw UsageError(message: "there is no entry on standard input") }
      guard isPreview else { return try store(lines, params, inquiry) }
      return try lines.reduce(DaybookCommand.Status.done) { max($0, try preview($1.text, params, inquiry)) }
    }
  }

  private func store(_ text: String, _ params: [JSONObject.Member], _ inquiry: Inquiry) throws -> Int32 {
    let (entry, json) = try inquiry.answer("entries/log", [("text", .string(text))] + params)
    if inquiry.wantsJSON {
      Terminal.write(json + [0x0A], to: 1)
    } else {
      LogCommand.print([LogCommand.row(of: entry)], inquiry)
    }
    return DaybookCommand.Status.done
  }

  /// The lines of a text that say something, with their numbers.
  private static func entries(in text: String) -> [(number: Int, text: String)] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap { index, line in
      guard let first = line.firstIndex(where: { !$0.isWhitespace }) else { return nil }
      let last = line.lastIndex { !$0.isWhitespace } ?? first
      return (index + 1, String(line[first...last]))
    }
  }

  /// Stores lines as one change; tells the others with their numbers.
  private func store(
    _ lines: [(number: Int, text: String)], _ params: [JSONObject.Member], _ inquiry: Inquiry
  ) throws -> Int32 {
    let texts = JSONValue.array(lines.map { .string($0.text) })
    let (result, json) = try inquiry.answer("entries/logLines", [("lines", texts)] + params)
    let refused = result.list("refused")
    if inquiry.wantsJSON {
      Terminal.write(json + [0x0A], to: 1)
    } else {
      LogCommand.print(result.list("entries").map { LogCommand.row(of: $0) }, inquiry)
      for line in refused {
        let number = line["line"]?.integer.flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1].number : nil } ?? 0
        let hint = line["hint"]?.text.map { "; \($0)" } ?? ""
        inquiry.complain("line \(number) was not stored: \(line.text("message"))\(hint)")
      }
    }
    return refused.isEmpty ? DaybookCommand.Status.done : DaybookCommand.Status.refused
  }

  /// Shows what would be stored; status 1 when `log` would refuse it.
  private func preview(_ text: String, _ params: [JSONObject.Member], _ inquiry: Inquiry) throws -> Int32 {
    let (result, json) = try inquiry.answer("entries/parse", [("text", .string(text))] + params)
    let readings = result.list("readings")
    if inquiry.wantsJSON {
      Terminal.write(json + [0x0A], to: 1)
    } else {
      LogCommand.print(
        readings.map { reading in
          let needs = reading["needs"]?.text.map { "needs \($0)" }
          return [Cell(reading.text("text")), Cell(needs ?? "not stored"), Cell("")]
        }, inquiry)
    }
    let isWhole = readings.count == 1 && readings.first?["needs"] == nil
    return isWhole ? DaybookCommand.Status.done : DaybookCommand.Status.refused
  }

  /// What was understood, what is left, and how to undo it.
  private static func row(of entry: JSONValue) -> [Cell] {
    let understood = entry["reading"]?.text("text") ?? ""
    return [Cell(understood), Cell(entry.text("summary"), .green), Cell("undo: daybook undo", .dim)]
  }

  /// Prints what was understood and what is left side by side if both fit, else as a sentence a row.
  private static func print(_ rows: [[Cell]], _ inquiry: Inquiry) {
    let surface = inquiry.surface
    var table = Table([Column("", .word), Column("", .word), Column("", .word, leaves: 1)], hasTitles: false)
    table.rows = rows
    let fits = surface.width.map { table.width(ofFirst: 2, on: surface) <= $0 } ?? true
    let lines =
      fits
      ? table.lines(on: surface)
      : rows.flatMap { row in
        surface.lines(row.prefix(2).map(\.text).filter { !$0.isEmpty }.joined(separator: "; "))
      }
    for line in lines { Terminal.print(line) }
  }
}
