import DomainKit
import EntryWords
import JSON

/// A line to be read.
struct EntryQuery {
  let text: String
  let day: CivilDay?
  let kind: EntryKind?
}

/// A reading and the service that stores it.
struct FoundEntry {
  let candidate: EntryCandidate
  let source: any EntrySource
}

/// What the domains read in a line.
struct FoundEntries {
  let line: EntryLine
  let day: CivilDay
  /// The readings that count: whole ones of the first rank that has any, else those that lack something.
  let best: [FoundEntry]
  private let sources: [any EntrySource]

  /// - Throws: `entryUnreadable` and `ambiguousNumber` when there is none.
  init(_ query: EntryQuery, _ context: Context) throws(RPCError) {
    let sources = context.offers.entrySources
    let kinds = DayMeasureRegistry.entryKinds.map(\.kind.rawValue)
    var failure: RPCError?
    let line = try RPCError.reading { () throws(EntryProblem) in
      try EntryLine(query.text, today: context.today, kinds: kinds, forced: query.kind?.rawValue) { name in
        do throws(RPCError) {
          for source in sources where try source.hasEntryName(name, context) { return true }
        } catch { failure = error }
        return false
      }
    }
    if let failure { throw failure }
    let day = line.day ?? query.day ?? context.currentDay
    var found: [FoundEntry] = []
    for (kind, _) in DayMeasureRegistry.entryKinds where line.kind == nil || line.kind == kind.rawValue {
      do throws(RPCError) {
        for source in sources {
          let readings = try source.readings(line, as: kind, on: day, context) ?? []
          found += readings.map { FoundEntry(candidate: $0, source: source) }
        }
      } catch {
        // What one kind cannot read, another may.
        guard FoundEntries.isOfLine(error) else { throw error }
        failure = failure ?? error
      }
    }
    let whole = found.filter { $0.candidate.needs == nil }
    let counting = whole.isEmpty && failure == nil ? found : whole
    let rank = counting.map(\.candidate.rank.rawValue).min()
    (self.line, self.day, self.sources) = (line, day, sources)
    best = counting.filter { $0.candidate.rank.rawValue == rank }
    if best.isEmpty { throw failure ?? unreadable() }
  }

  private static func isOfLine(_ error: RPCError) -> Bool {
    [ErrorName.entryUnreadable.code, ErrorName.ambiguousNumber.code].contains(error.code)
  }

  private func unreadable() -> RPCError {
    let examples = DayMeasureRegistry.entryKinds.filter { line.kind == nil || line.kind == $0.kind.rawValue }
    return RPCError(
      .entryUnreadable,
      line.parts.isEmpty ? "a day or a kind without an entry" : "the line cannot be read as an entry", pointer: "/text",
      hint: "an entry is " + examples.map { "“\($0.example)” (\($0.kind.rawValue))" }.joined(separator: ", "))
  }

  // MARK: choosing

  /// The only reading that counts, if nothing speaks against it.
  ///
  /// - Throws: `ambiguousEntry`, `entryUnreadable`.
  func only(_ context: Context) throws(RPCError) -> FoundEntry {
    guard let entry = best.first, best.count == 1 else {
      throw RPCError(
        .ambiguousEntry, "the line has \(best.count) readings", pointer: "/text",
        hint: "begin with the kind, or quote the name", entries: best.map { reading($0, context) })
    }
    if let needs = entry.candidate.needs { throw missing(needs, in: entry.candidate) }
    try refuseDoubt(context)
    return entry
  }

  /// Refuses a reading that is not meant, unless its kind is forced.
  ///
  /// - Throws: `entryUnreadable` with the forced form.
  func refuseDoubt(_ context: Context) throws(RPCError) {
    guard line.kind == nil, let entry = best.first?.candidate, entry.needs == nil else { return }
    var doubt = entry.doubt ?? (day > context.today ? "\(day) is in the future" : nil)
    if let name = entry.newName {
      for source in sources where try source.hasEntryName(name, context) {
        doubt = doubt ?? "the name belongs to a habit or a subscription"
      }
    }
    guard let doubt else { return }
    throw RPCError(
      .entryUnreadable, doubt, pointer: "/text",
      hint: "if it is meant, write “\(form(line.rest, as: entry.kind.rawValue))”")
  }

  /// The line with another text as its entry; its day and its time stay.
  private func form(_ text: String, as kind: String?) -> String {
    [line.day.map { "\($0)" }, kind, text, line.time.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
  }

  /// The line with an energy, in front of a kind that is its last word.
  private func formWithEnergy(_ kind: EntryKind) -> String {
    let last = " \(kind.rawValue)"
    let isLast = line.rest.lowercased().hasSuffix(last)
    let (text, end) = isLast ? (String(line.rest.dropLast(last.count)), last) : (line.rest, "")
    return form("\(text) 350 kcal\(end)", as: line.kind)
  }

  /// The error for a reading that lacks something, with the nearest form that does not.
  private func missing(_ needs: EntryNeed, in entry: EntryCandidate) -> RPCError {
    let (message, hint): (String, String) =
      switch needs {
      case .calories: ("the energy of “\(line.rest)” is not known", "add it: “\(formWithEnergy(entry.kind))”")
      case .workout: ("no workout is running", "“workoutSession/start” starts one")
      case .exercise: ("no exercise of the workout has that name, or several have", "write more of its name")
      case .value, .unknown:
        (
          "the number or its unit is missing",
          "an entry is "
            + DayMeasureRegistry.entryKinds.filter { $0.kind == entry.kind }.map { "“\($0.example)”" }.joined()
        )
      }
    return RPCError(.entryUnreadable, message, pointer: "/text", hint: hint)
  }

  // MARK: a reading

  func reading(_ found: FoundEntry, _ context: Context) -> EntryReading {
    let entry = found.candidate
    var text = entry.text
    if day != context.today { text += ", on \(day)" }
    if let time = line.time { text += ", at \(time)" }
    return EntryReading(
      kind: entry.kind, text: text, method: "\(entry.method.name)", params: .object(entry.params), needs: entry.needs)
  }

  /// Sends the request of a reading to its service.
  func send(_ found: FoundEntry, _ context: inout Context) throws(RPCError) {
    let text = JSONValue.object(found.candidate.params).json
    let result: Result<Void, RPCError> = text.withUnsafeBytes { text in
      var reader = JSONReader(text)
      var writer = JSONWriter()
      do throws(RPCError) {
        return .success(try found.source.dispatch(found.candidate.method, &reader, &context, &writer))
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// How the day stands with a stored entry.
  func summary(of found: FoundEntry, _ context: Context) -> String {
    let label = day == context.today ? "today" : "on \(day)"
    // The entry is stored: what cannot be read any more is no reason to refuse it.
    return (try? found.source.summary(of: found.candidate, on: day, label: label, context)) ?? "stored"
  }
}
