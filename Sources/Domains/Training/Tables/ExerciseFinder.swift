import DaybookProtocol
import Tables
import Training

/// An exercise that a name in a table stands for.
package struct FoundExercise: Sendable, Equatable {
  package var id: EntityID
  package var traits: TrainingTraits
}

/// Resolves the exercise names of a table: by what the caller says, by names and aliases of the library, and by names
/// with the equipment in brackets, such as `Bench Press (Barbell)`, if the exercise uses that equipment.
package struct ExerciseFinder: Sendable {
  /// What the caller says, by folded name.
  private let stated: [String: LibraryExercise]
  private let library: TrainingLibrary
  private let equipment: [EntityID: String]

  /// - Parameters:
  ///   - stated: The exercises that names of the table stand for.
  ///   - equipment: The name of each piece of equipment.
  package init(
    stated: [String: LibraryExercise] = [:], library: TrainingLibrary, equipment: [EntityID: String]
  ) {
    self.stated = Dictionary(stated.map { (ExerciseNames.fold($0.key), $0.value) }) { first, _ in first }
    (self.library, self.equipment) = (library, equipment)
  }

  /// The exercise that a name stands for; nil when the library has none.
  ///
  /// - Parameter made: The id of an exercise that an import creates for the name.
  func exercise(_ name: String, made: EntityID) -> FoundExercise? {
    found(name, made).map { FoundExercise(id: $0.id, traits: $0.traits) }
  }

  /// Whether the library has an exercise of a name.
  func knows(_ name: String) -> Bool { found(name, EntityID(high: 0, low: 0)) != nil }

  private func found(_ name: String, _ made: EntityID) -> LibraryExercise? {
    let folded = ExerciseNames.fold(name)
    if let found = stated[folded] ?? library.exercise(named: name) ?? library.exercise(made) { return found }
    if let name = ExerciseNames.synonyms[folded], let found = library.exercise(named: name) { return found }
    let header = TableHeader(name)
    guard let tool = header.unit, !tool.isEmpty, !header.base.isEmpty else { return nil }
    if let found = library.exercise(named: "\(tool) \(header.base)") { return found }
    return library.exercise(named: header.base).flatMap { uses($0, tool) ? $0 : nil }
  }

  /// Whether an exercise uses a piece of equipment of this name.
  private func uses(_ exercise: LibraryExercise, _ tool: String) -> Bool {
    let tools = (exercise.traits.equipmentIds ?? []).compactMap { equipment[$0] }
    return tools.contains { ExerciseNames.fold($0) == ExerciseNames.fold(tool) }
  }
}

/// Exercise names as other programs write them.
enum ExerciseNames {
  /// The folded form, which different spellings of a name share. Ids are derived from it, so it must never change.
  static func fold(_ name: String) -> String { SearchText.folded(name) }

  /// Whether a name is of an exercise with assistance, such as `Pull Up (Assisted)`: its weights are help.
  static func saysAssisted(_ name: String) -> Bool {
    fold(name).split { !$0.isLetter }.contains("assisted")
  }

  /// The library's names for exercises that other programs call differently, by folded name.
  static let synonyms: [String: String] = Dictionary(
    text.split(separator: "\n").flatMap { line in
      let parts = line.split(separator: "=").map { String($0).trimmedCell }
      return parts.dropFirst().flatMap { names in
        names.split(separator: ",").map { (fold(String($0)), parts[0]) }
      }
    }
  ) { first, _ in first }

  private static let text = """
    Bench Press = flat barbell bench press
    Incline Bench Press = incline barbell bench press
    Close Grip Bench Press = bench press - close grip (barbell), close grip barbell bench press
    Dumbbell Fly = chest fly (dumbbell), flat dumbbell fly
    Dips (Chest) = parallel bar chest dip
    Cable Crossover = cable fly crossovers
    Barbell Row = bent over barbell row
    Dumbbell Row = bent over one arm row (dumbbell), bent over row (dumbbell)
    Seated Cable Row = seated row (cable), seated cable row - v grip (cable), seated cable row - bar grip
    Dumbbell Shoulder Press = overhead press (dumbbell)
    Reverse Fly = rear delt reverse fly (dumbbell), rear delt dumbbell raise
    Dumbbell Curl = bicep curl (dumbbell)
    Incline Dumbbell Curl = seated incline curl (dumbbell), seated incline dumbbell curl
    Tricep Pushdown = triceps pushdown (cable - straight bar), triceps rope pushdown, rope push down
    Skull Crusher = skullcrusher (barbell)
    Overhead Tricep Extension = triceps extension (dumbbell)
    Leg Curl = lying leg curl (machine), seated leg curl (machine), seated leg curl machine
    Leg Extension = leg extension machine
    Treadmill Run = running (treadmill)
    Stair Climber = stair machine
    """
}
