import CivilTime
import DaybookServer
import JSON
import TerminalPages

/// `daybook __complete`: how a line can go on, for the completions of shells. It reads only, and is silent when it
/// cannot tell.
struct Candidates {
  typealias Candidate = (text: String, detail: String)

  /// The word to be completed, as far as it is typed.
  private let current: String
  private let arguments: Arguments
  /// The option whose value the word is.
  private var option: OptionEntry?

  /// Takes the words after the program's name; the last one is to be completed.
  init(_ words: [String]) {
    current = words.last ?? ""
    let before = Array(words.dropLast())
    if let arguments = try? Arguments(before) {
      self.arguments = arguments
    } else {
      option = before.last.flatMap(OptionTable.named).flatMap { $0.value == nil ? nil : $0 }
      arguments = (try? Arguments(Array(before.dropLast()))) ?? Arguments()
    }
  }

  /// Prints a candidate a line, with its description behind a tab.
  func print() {
    let surface = Surface()
    let lines = candidates.filter { surface.shown($0.text) == $0.text }.map {
      $0.text + "\t" + surface.shown($0.detail) + "\n"
    }
    Terminal.write(lines.joined(), to: 1)
  }

  private var candidates: [Candidate] {
    let command = arguments.operands.first.flatMap(CommandTable.named)
    if let option { return matching(of(option.values)) }
    guard let command else {
      return arguments.operands.isEmpty ? matching(CommandTable.shown.map { ($0.name, $0.sentence) }) : []
    }
    let count = arguments.operands.count - 1
    if current.hasPrefix("-"), current.utf8.dropFirst().first.map({ $0 > 0x39 }) ?? true,
      !command.takesText || count == 0
    {
      return matching(HelpTexts.options(of: command).map { ($0.name, $0.sentence) })
    }
    guard !command.operands.isEmpty else { return [] }
    return matching(of(command.operands[min(count, command.operands.count - 1)]))
  }

  /// Those that the word begins, ignoring case; all of them if there are none.
  private func matching(_ candidates: [Candidate]) -> [Candidate] {
    let start = current.lowercased()
    let found = candidates.filter { $0.text.lowercased().hasPrefix(start) }
    return found.isEmpty && candidates.count == 1 ? candidates : found
  }

  private func of(_ words: Words) -> [Candidate] {
    switch words {
    case .text, .file, .folder: []
    case .oneOf(let words): words.map { ($0, "") }
    case .topics: CommandTable.shown.map { ($0.name, $0.sentence) } + methods
    case .methods: methods
    case .params: params
    case .domains: FolderWatch.domains.map { ($0, "") }
    case .backups: Asked(arguments).backups
    case .day: days
    case .range: [("week", "this week"), ("month", "this month"), ("year", "this year")] + days
    case .entry: entries
    }
  }

  private var methods: [Candidate] { ProtocolDescription().methods.map { ($0.name, $0.sentence) } }

  private var days: [Candidate] {
    [("today", ""), ("yesterday", ""), ("tomorrow", "")]
      + ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { ($0, "the latest that is not later than today") }
  }

  /// `KEY=` of the method, or the values of the key.
  private var params: [Candidate] {
    let description = ProtocolDescription()
    guard let method = description.method(arguments.operands.dropFirst().first ?? "") else { return [] }
    guard let equals = current.firstIndex(of: "=") else {
      let given = arguments.operands.dropFirst(2).compactMap { $0.split(separator: "=").first }
      return method.params.filter { !given.contains(Substring($0.name)) }.map {
        ($0.name + (description.isStructured($0.schema) ? ":=" : "="), $0.text)
      }
    }
    let key = String(current[..<equals])
    guard let schema = method.params.first(where: { $0.name == key }).map({ description.resolved($0.schema) }) else {
      return []
    }
    let items = schema["items"].map(description.resolved) ?? schema
    var values: [Candidate]
    switch (items["type"]?.text, items["format"]?.text) {
    case ("boolean", _): values = [("true", ""), ("false", "")]
    case (_, "date"): values = days
    case (_, "uuid"): values = Asked(arguments).ids(key, of: method.name, description)
    default: values = description.values(of: items).map { ($0, "") }
    }
    return values.map { (key + "=" + $0.text, $0.detail) }
  }

  /// The rest of the line of `daybook log`, from the current word on.
  private var entries: [Candidate] {
    let before = arguments.operands.dropFirst()
    let line = LogCommand.line(of: before + [current])
    let start = before.isEmpty ? "" : LogCommand.line(of: before + ["x"]).dropLast()
    return Asked(arguments).entries(line).compactMap { candidate in
      guard candidate.text.hasPrefix(start) else { return nil }
      return (String(candidate.text.dropFirst(start.count)), candidate.detail)
    }
  }
}
