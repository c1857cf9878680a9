import DaybookProtocol
import Values

/// All exercises that there are: those of the program, and the user's own.
package struct TrainingLibrary: Sendable {
  /// By name, those of one name by id.
  package let exercises: [LibraryExercise]
  private let places: [EntityID: Int]
  /// By folded names, and by folded aliases that are no names.
  private let named: [String: Int]
  private let nicknamed: [String: Int]

  /// The name of what is not known by any.
  package static let unknownName = "Unknown Exercise"

  package init(customs: [CustomExercise] = [], marks: [LibraryMark] = []) {
    let marks = Dictionary(marks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let taken = Set(customs.map(\.id))
    var sorted: [(key: String, exercise: LibraryExercise)] = []
    for exercise in customs.map({ LibraryExercise($0) }) + BuiltInExercises.all.filter({ !taken.contains($0.id) }) {
      var marked = exercise
      marked.favourite = marks[exercise.id]?.favourite ?? false
      marked.archived = marks[exercise.id]?.archived ?? false
      sorted.append((SearchText.folded(exercise.traits.name), marked))
    }
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.exercise.id < $1.exercise.id }
    exercises = sorted.map { $0.exercise }
    var (places, named, nicknamed) = ([EntityID: Int](), [String: Int](), [String: Int]())
    for (place, entry) in sorted.enumerated() {
      places[entry.exercise.id] = place
      func enter(_ key: String, in table: inout [String: Int]) {
        if let present = table[key], !sorted[present].exercise.builtIn || entry.exercise.builtIn { return }
        table[key] = place
      }
      enter(entry.key, in: &named)
      for alias in entry.exercise.aliases { enter(SearchText.folded(alias), in: &nicknamed) }
    }
    (self.places, self.named, self.nicknamed) = (places, named, nicknamed)
  }

  /// The exercise of an id; nil when it is not there, or not any more.
  package func exercise(_ id: EntityID) -> LibraryExercise? { places[id].map { exercises[$0] } }

  /// The exercise of a name, else of an alias, in any case and spelling of hyphens; the user's own before those of the program.
  package func exercise(named name: String) -> LibraryExercise? {
    let key = SearchText.folded(name)
    return (named[key] ?? nicknamed[key]).map { exercises[$0] }
  }

  /// What stands for an exercise that is gone.
  package static func placeholder(_ id: EntityID, name: String?) -> LibraryExercise {
    LibraryExercise(
      id: id, traits: TrainingTraits(name: name ?? unknownName, kind: .strength), builtIn: false, favourite: false,
      archived: true, missing: true, aliases: [], groups: [])
  }
}

extension LibraryExercise {
  /// An exercise of the user's own.
  init(_ custom: CustomExercise) {
    self.init(
      id: custom.id, traits: custom.traits, builtIn: false, favourite: false, archived: false,
      aliases: custom.aliases ?? [], groups: custom.groups ?? [], note: custom.note)
  }
}
