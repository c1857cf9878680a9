import DaybookProtocol
import Tables
import Training

extension ImportedSetRow: SetRow {}

/// Assembles sessions from rows of another program: those with one start, or one day, and one workout name.
struct ForeignSessions {
  /// What identifies a session.
  private struct Key: Hashable {
    /// The day and second that the cell states, in UTC for an instant.
    let day: CivilDay
    let second: Int?
    let workout: String

    /// The key as a text, from which ids are derived.
    var text: String {
      ["workout sessions", "\(day)", second.map(String.init) ?? "", workout].joined(separator: "\u{1F}")
    }
  }

  private let known: KnownTrainingTable
  private let options: TrainingTableOptions
  /// The exercise of each folded name, and whether the library has it.
  private var found: [String: (exercise: FoundExercise, isKnown: Bool)] = [:]

  init(_ known: KnownTrainingTable, _ options: TrainingTableOptions) { (self.known, self.options) = (known, options) }

  /// Groups rows to sessions; `check` is called before each session.
  func grouped(
    _ rows: [ImportedRow<TrainingDraft>], _ check: () throws(TableRefusal) -> Void
  ) throws(TableRefusal) -> (rows: [ImportedRow<TrainingDraft>], problems: [TableProblem]) {
    var copy = self
    copy.find(rows)
    func key(_ row: ImportedSetRow) -> Key {
      Key(day: row.start.keyDay, second: row.start.keySecond, workout: ExerciseNames.fold(row.workout ?? ""))
    }
    return try rows.grouped(check, \.foreignRow, by: key) { key, sets in
      guard let draft = copy.session(key, sets.map(\.row)) else { return .ignored }
      do throws(Refusal) {
        _ = try draft.session.normalized()
        return .session(draft, key: key.text)
      } catch { return .refused(sets[0], error) }
    }
  }

  /// Resolves the exercise names. The kind of an exercise that the library lacks follows from its sets.
  private mutating func find(_ rows: [ImportedRow<TrainingDraft>]) {
    for row in rows {
      guard case .draft(.foreign(let row)) = row.content, let values = row.values else { continue }
      let name = row.name
      let isStrength = values.weight != nil || values.reps != nil
      if let (known, isKnown) = found[name] {
        if !isKnown, isStrength, known.traits.kind != .strength { found[name]?.exercise.traits.kind = .strength }
        if !isKnown, row.isAssisted { found[name]?.exercise.traits.bodyweight = true }
        continue
      }
      let id = options.identity("exercise\u{1F}" + name)
      let exercise = options.finder.exercise(row.exercise, made: id)
      let made = FoundExercise(
        id: id,
        traits: TrainingTraits(
          name: row.exercise, kind: isStrength ? .strength : .cardio, bodyweight: row.isAssisted ? true : nil,
          assisted: ExerciseNames.saysAssisted(row.exercise) ? true : nil))
      found[name] = (exercise ?? made, exercise != nil)
    }
  }

  /// The session of some rows; nil when none is a set.
  private func session(_ key: Key, _ rows: [ImportedSetRow]) -> SessionDraft? {
    let (exercises, unknown) = exercises(key.text, rows)
    guard let first = rows.first, !exercises.isEmpty else { return nil }
    // Without a time of day, noon.
    let cell = first.start
    let noon = options.moment(cell.day, 43_200).instant
    let start = options.instant(cell) ?? noon
    let day = cell.second.map { options.moment(cell.day, $0).day } ?? cell.day
    let seconds = rows.compactMap(\.length).first ?? 0
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

  /// The exercises of a session, in the order of their first sets, and those that the library lacks.
  private func exercises(_ key: String, _ rows: [ImportedSetRow]) -> ([SessionExercise], [FoundExercise]) {
    var blocks: [[ImportedSetRow]] = []
    // The last block of each exercise, and the last set number in it.
    var latest: [String: (block: Int, order: Int?)] = [:]
    for row in rows {
      // With and without assistance it is another exercise.
      let name = row.isAssisted ? row.name + "\u{1F}assisted" : row.name
      if let (place, order) = latest[name], !known.keepsOrder || (place == blocks.count - 1 && row.follows(order)) {
        blocks[place].append(row)
        latest[name] = (place, row.order ?? order)
      } else {
        latest[name] = (blocks.count, row.order)
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
      var traits = exercise.traits
      if block[0].isAssisted, traits.bodyweight == true { traits.assisted = true }
      return SessionExercise(
        id: id, exerciseId: isKnown || options.creates ? exercise.id : nil, traits: traits,
        groups: [SessionGroup(id: options.identity("\(key)\u{1F}\(index)\u{1F}group"), sets: sets(key, index, block))],
        supersetId: block[0].superset.flatMap { name in
          supersets[name] == nil ? nil : options.identity("\(key)\u{1F}superset\u{1F}\(name)")
        }, note: joined(block.map(\.note), most: 10000))
    }
    return (exercises, unknown)
  }

  private func sets(_ key: String, _ index: Int, _ block: [ImportedSetRow]) -> [SetRecord] {
    block.filter { $0.values != nil }.enumerated().map { number, row in
      SetRecord(
        id: options.identity("\(key)\u{1F}\(index)\u{1F}\(number)"), number: number + 1, kind: row.kind,
        actual: row.values, done: true)
    }
  }

  /// The distinct notes, a line each; nil when there is none.
  private func joined(_ notes: [String?], most: Int) -> String? {
    var seen: Set<String> = []
    let text = notes.compactMap { $0 }.filter { seen.insert($0).inserted }.joined(separator: "\n")
    return text.isEmpty ? nil : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
  }
}

extension ImportedSetRow {
  /// Whether the row continues a block of sets, instead of starting another block of the same exercise.
  ///
  /// - Parameter last: The last set number of the block.
  fileprivate func follows(_ last: Int?) -> Bool {
    guard let last, let order else { return true }
    return order > last
  }
}
