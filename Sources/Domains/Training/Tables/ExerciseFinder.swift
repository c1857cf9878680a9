import DaybookProtocol
import Tables
import Training
import Values

/// An exercise of the library that a name of a table stands for.
package struct FoundExercise: Sendable, Equatable {
  package var id: EntityID
  package var traits: TrainingTraits

  package init(id: EntityID, traits: TrainingTraits) { (self.id, self.traits) = (id, traits) }
}

/// Finds the exercises that a table speaks of in the library: by what the caller says, by their names and aliases, and by names with
/// the equipment in brackets, as `Bench Press (Barbell)`, where the exercise needs that.
package struct ExerciseFinder: Sendable {
  /// What the caller says, by folded names.
  private let stated: [String: FoundExercise]
  private let named: @Sendable (String) -> FoundExercise?
  private let identified: @Sendable (EntityID) -> FoundExercise?
  private let equipment: @Sendable (EntityID) -> String?

  /// - Parameters:
  ///   - stated: What names of the table stand for.
  ///   - named: The exercise that has a name or an alias, in any case.
  ///   - identified: The exercise with an id.
  ///   - equipment: The name of a piece of equipment.
  package init(
    stated: [String: FoundExercise] = [:], named: @escaping @Sendable (String) -> FoundExercise?,
    identified: @escaping @Sendable (EntityID) -> FoundExercise?,
    equipment: @escaping @Sendable (EntityID) -> String?
  ) {
    self.stated = Dictionary(stated.map { (ExerciseNames.fold($0.key), $0.value) }) { first, _ in first }
    (self.named, self.identified, self.equipment) = (named, identified, equipment)
  }

  /// The exercise that a name stands for; `made` is the identity that one made for it has.
  func exercise(_ name: String, made: EntityID) -> FoundExercise? {
    let folded = ExerciseNames.fold(name)
    if let found = stated[folded] ?? named(name) ?? identified(made) { return found }
    if let usual = ExerciseNames.usual[folded], let found = named(usual) { return found }
    let header = TableHeader(name)
    guard let tool = header.unit, !tool.isEmpty, !header.base.isEmpty else { return nil }
    if let found = named("\(tool) \(header.base)") { return found }
    return named(header.base).flatMap { fits($0, tool) ? $0 : nil }
  }

  /// Whether an exercise is done with what stands in brackets.
  private func fits(_ exercise: FoundExercise, _ tool: String) -> Bool {
    let tools = (exercise.traits.equipmentIds ?? []).compactMap(equipment).map(ExerciseNames.fold)
    return tools.contains(ExerciseNames.fold(tool))
  }
}

/// Names of exercises as other programs write them.
enum ExerciseNames {
  /// What two spellings of a name have in common. Identities are made out of it: it is never to become another.
  static func fold(_ name: String) -> String { SearchText.folded(name) }

  /// Names of other programs that stand for an exercise of the library under another name.
  static let usual: [String: String] = Dictionary(
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
