import CivilTime
import DaybookProtocol
import Tables
import Training
import Values

/// Puts the rows of another program together to sessions: those of one beginning, or one day, and one workout.
struct ForeignSessions {
  /// What tells a session from others.
  private struct Key: Hashable {
    let day: CivilDay
    let second: Int?
    let workout: String

    /// The same as a text, out of which identities are made.
    var text: String {
      ["workout sessions", "\(day)", second.map(String.init) ?? "", workout].joined(separator: "\u{1F}")
    }
  }

  private typealias Row = (index: Int, row: ForeignRow)

  private let known: KnownTrainingTable
  private let options: TrainingTableOptions
  /// What exercises stand for, by folded names, and those that the library does not have.
  private var found: [String: (exercise: FoundExercise, isKnown: Bool)] = [:]

  init(_ known: KnownTrainingTable, _ options: TrainingTableOptions) { (self.known, self.options) = (known, options) }

  /// As many rows: a session in place of the first row of each, parts in place of the others. `check` is called before each session.
  func grouped(
    _ rows: [ImportedRow<TrainingDraft>], _ check: () throws(TableRefusal) -> Void
  ) throws(TableRefusal) -> (rows: [ImportedRow<TrainingDraft>], problems: [TableProblem]) {
    var groups: [Key: [Row]] = [:]
    for (index, row) in rows.enumerated() {
      guard case .draft(.row(let set)) = row.content else { continue }
      groups[Key(day: set.day, second: set.second, workout: ExerciseNames.fold(set.workout ?? "")), default: []]
        .append((index, set))
    }
    var copy = self
    copy.find(rows)
    var (grouped, problems) = (rows, [TableProblem]())
    for (key, sets) in groups {
      try check()
      for (index, _) in sets { grouped[index] = ImportedRow(number: rows[index].number, content: .draft(.part)) }
      let first = sets[0].index
      guard let draft = copy.session(key, sets.map(\.row)) else {
        // Notes alone.
        for (index, _) in sets { grouped[index] = ImportedRow(number: rows[index].number, content: .ignored) }
        continue
      }
      do throws(Refusal) {
        _ = try draft.session.normalized()
        grouped[first] = ImportedRow(
          number: rows[first].number, content: .draft(.session(draft)), key: key.text)
      } catch {
        problems.append(TableProblem(error, at: rows[first].number, line: sets[0].row.line))
        for (index, _) in sets { grouped[index] = ImportedRow(number: rows[index].number, content: .refused) }
      }
    }
    return (grouped, problems)
  }

  /// Finds out what the exercises are. One that the library does not have is what its sets tell.
  private mutating func find(_ rows: [ImportedRow<TrainingDraft>]) {
    for row in rows {
      guard case .draft(.row(let row)) = row.content, let values = row.values else { continue }
      let name = row.name
      let isStrength = values.weight != nil || values.reps != nil
      if let (known, isKnown) = found[name] {
        if !isKnown, isStrength, known.traits.kind != .strength { found[name]?.exercise.traits.kind = .strength }
        continue
      }
      let id = options.identity("exercise\u{1F}" + name)
      let exercise = options.finder.exercise(row.exercise, made: id)
      let made = FoundExercise(
        id: id, traits: TrainingTraits(name: row.exercise, kind: isStrength ? .strength : .cardio))
      found[name] = (exercise ?? made, exercise != nil)
    }
  }

  /// The session of some rows; nil where none is a set.
  private func session(_ key: Key, _ rows: [ForeignRow]) -> SessionDraft? {
    guard let first = rows.first else { return nil }
    let (start, day) = first.second.map { options.moment(first.day, $0) } ?? noon(first.day)
    let seconds = rows.compactMap(\.length).first ?? 0
    let (exercises, unknown) = exercises(key.text, rows)
    guard !exercises.isEmpty else { return nil }
    return SessionDraft(
      session: WorkoutSession(
        id: options.identity(key.text), day: day, zone: options.zone, version: 1, startedAt: start,
        endedAt: start.advanced(by: Int64(seconds) * 1000), seconds: seconds, name: first.workout ?? "Workout",
        importedFrom: known.program,
        modules: [
          SessionModule(
            id: options.identity(key.text + "\u{1F}module"), name: "Imported", kind: .strength, exercises: exercises)
        ],
        note: joined(rows.map(\.workoutNote), most: 10000), createdAt: start, updatedAt: start), unknown: unknown)
  }

  /// When a session is taken to have begun of which only the day is known.
  private func noon(_ day: CivilDay) -> (instant: Instant, day: CivilDay) { (options.moment(day, 43_200).instant, day) }

  /// The exercises of a session, in the order of their first sets, and those that the library does not have.
  private func exercises(_ key: String, _ rows: [ForeignRow]) -> ([SessionExercise], [FoundExercise]) {
    var blocks: [[ForeignRow]] = []
    // Of each exercise its last block, and of that the last place that a set said.
    var latest: [String: (block: Int, order: Int?)] = [:]
    for row in rows {
      if let (place, order) = latest[row.name], !known.keepsOrder || (place == blocks.count - 1 && row.follows(order)) {
        blocks[place].append(row)
        latest[row.name] = (place, row.order ?? order)
      } else {
        latest[row.name] = (blocks.count, row.order)
        blocks.append([row])
      }
    }
    blocks.removeAll { block in block.allSatisfy { $0.values == nil } }
    let supersets = Dictionary(grouping: blocks.compactMap { $0[0].superset }) { $0 }.filter { $0.value.count > 1 }
    var unknown: [FoundExercise] = []
    let exercises = blocks.enumerated().compactMap { index, block -> SessionExercise? in
      guard let (exercise, isKnown) = found[block[0].name] else { return nil }
      if !isKnown { unknown.append(exercise) }
      let id = options.identity("\(key)\u{1F}\(index)")
      return SessionExercise(
        id: id, exerciseId: isKnown || options.creates ? exercise.id : nil, traits: exercise.traits,
        groups: [SessionGroup(id: options.identity("\(key)\u{1F}\(index)\u{1F}group"), sets: sets(key, index, block))],
        supersetId: block[0].superset.flatMap { name in
          supersets[name] == nil ? nil : options.identity("\(key)\u{1F}superset\u{1F}\(name)")
        }, note: joined(block.map(\.note), most: 10000))
    }
    return (exercises, unknown)
  }

  private func sets(_ key: String, _ index: Int, _ block: [ForeignRow]) -> [SetRecord] {
    block.filter { $0.values != nil }.enumerated().map { number, row in
      SetRecord(
        id: options.identity("\(key)\u{1F}\(index)\u{1F}\(number)"), number: number + 1, kind: row.kind,
        actual: row.values, done: true)
    }
  }

  /// Different notes as one, a line each; nil when there is none.
  private func joined(_ notes: [String?], most: Int) -> String? {
    var seen: Set<String> = []
    let text = notes.compactMap { $0 }.filter { seen.insert($0).inserted }.joined(separator: "\n")
    return text.isEmpty ? nil : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
  }
}

extension ForeignRow {
  /// Whether it is a further set of a block, rather than the first of another of the same exercise.
  ///
  /// - Parameter last: The last place that a set of the block said.
  fileprivate func follows(_ last: Int?) -> Bool {
    guard let last, let order else { return true }
    return order > last
  }
}
