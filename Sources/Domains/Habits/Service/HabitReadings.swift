import DomainKit
import EntryWords
import Habits
import JSON
import TextFolding

/// Lines of text as habits.
extension HabitsService {
  /// The fewest letters that stand for a name.
  private static let fewestLetters = 3

  func habitReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    var words = line.parts.prefix { $0.text != nil }
    let rest = line.parts.dropFirst(words.count)
    guard !words.isEmpty else { return [] }
    var (habits, rank) = try habits(named: words, context)
    let isSkip = habits.isEmpty && rest.isEmpty && words.count > 1 && words.last?.keyword == EntryKeyword.skip
    if isSkip {
      words.removeLast()
      (habits, rank) = try self.habits(named: words, context)
    }
    var candidates: [EntryCandidate] = []
    for habit in habits {
      let future: JSONValue? = day > context.today ? .bool(true) : nil
      func candidate(_ text: String, _ method: Method, _ params: [(String, JSONValue?)] = []) -> EntryCandidate {
        EntryCandidate(
          .habit, rank, "Habit “\(habit.name)”: \(text)", method,
          [("habitId", .string("\(habit.id)"))] + params + [("day", day.param), ("allowFuture", future)])
      }
      if isSkip {
        // The skip of a day has no time.
        if line.time == nil { candidates.append(candidate("skipped", .habitLogsSkip)) }
      } else if !rest.isEmpty {
        guard let amount = try amount(rest, of: habit) else { continue }
        let text = ([amount.normalized.description] + [habit.unit].compactMap { $0 }).joined(separator: " ")
        candidates.append(
          candidate("+\(text)", .habitLogsIncrement, [("by", JSONValue(amount)), ("at", line.timeParam)]))
      } else if habit.kind == .bad {
        candidates.append(candidate("+1", .habitLogsIncrement, [("by", .string("1")), ("at", line.timeParam)]))
      } else {
        candidates.append(candidate("done", .habitLogsComplete, [("at", line.timeParam)]))
      }
    }
    return candidates
  }

  /// The active habits with a name, else the one whose name alone starts with it.
  private func habits(
    named words: ArraySlice<EntryLine.Part>, _ context: Context
  ) throws(RPCError) -> (habits: [Habit], rank: EntryRank) {
    let name = FoldedName.folded(words.compactMap(\.text).joined(separator: " "))
    let named = try names(context)
    let full = named.filter { $0.name == name }
    guard full.isEmpty, String(decoding: name, as: UTF8.self).count >= HabitsService.fewestLetters else {
      return (full.map(\.habit), .fullName)
    }
    let starting = named.filter { $0.name.starts(with: name) }
    return (starting.count == 1 ? starting.map(\.habit) : [], .prefix)
  }

  /// The active habits with their folded names.
  private func names(_ context: Context) throws(RPCError) -> [(name: [UInt8], habit: Habit)] {
    try book(context).active.map { (FoldedName.folded($0.habit.name), $0.habit) }
  }

  /// What is added to a habit's day; nil when it is no amount of the habit.
  private func amount(_ parts: ArraySlice<EntryLine.Part>, of habit: Habit) throws(RPCError) -> Decimal? {
    guard habit.measure != .binary, let first = parts.first else { return nil }
    let unit = habit.unit.map(FoldedName.folded)
    let words = FoldedName.folded(parts.dropFirst().compactMap(\.text).joined(separator: " "))
    let number: EntryNumber
    switch first {
    case .number(let typed) where parts.count == 1 || words == unit || words == (unit ?? []) + Array("s".utf8):
      number = typed
    case .quantity(let typed, let its) where parts.count == 1 && habit.unit.flatMap { EntryUnit(word: $0) } == its:
      number = typed
    default: return nil
    }
    try RPCError.reading { () throws(EntryProblem) in try number.check() }
    return number.value > .zero ? number.value : nil
  }

  package func hasEntryName(_ folded: [UInt8], _ context: Context) throws(RPCError) -> Bool {
    try names(context).contains { $0.name == folded }
  }

  package func summary(
    of entry: EntryCandidate, on day: CivilDay, label: String, _ context: Context
  ) throws(RPCError) -> String {
    if case .string(let text)? = entry.params["habitId"], let id = EntityID(text) {
      let habit = try self.entry(id, context).habit
      if let detail = detail(habit, try habitDay(id, day, context)) { return "\(detail) \(label)" }
    }
    let due = try values(of: .habitsDue, in: day...day, context).first?.value ?? .zero
    let done = try values(of: .habitsDone, in: day...day, context).first?.value ?? .zero
    return "\(done) of \(due) habits done \(label)"
  }

  package func completions(
    of start: [UInt8], atMost limit: Int, _ context: Context
  ) throws(RPCError) -> [EntryCompletion] {
    var found: [EntryCompletion] = []
    for entry in try book(context).active where found.count < limit {
      let habit = entry.habit
      guard start.isEmpty || FoldedName.folded(habit.name).starts(with: start) else { continue }
      let state = try timeline(entry, through: context.today, context).state(of: context.today)
      if start.isEmpty, state != .open { continue }
      found.append(
        EntryCompletion(text: habit.name, detail: state == .open ? "due today" : "habit", kind: .habit))
    }
    return found
  }
}
