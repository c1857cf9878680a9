import JSON
import ProcessTesting

/// A straightforward model of the nutrition methods.
struct MealModel {
  struct Meal: Equatable {
    var id: String
    var day: String
    var name: String
    var calories: Int
    var note: String?
    /// Represents the instants: a restored meal has its old ones.
    var created: Int
    var stamp: Int

    /// Whether it equals a meal of the service.
    func matches(_ meal: JSONValue) -> Bool {
      meal["id"]?.string == id && meal["day"]?.string == day && meal["name"]?.string == name
        && meal["calories"]?.integer == calories && meal["note"]?.string == note
    }
  }

  struct Settings: Equatable {
    var total = 2763
    var deficit = 500
    var isTotalCustom = false
    var isDeficitCustom = false
  }

  /// Everything there is.
  struct State: Equatable {
    var meals: [String: Meal] = [:]
    var settings = Settings()
  }

  /// An undoable change.
  struct Change {
    var revision: Int
    var isMeal: Bool
    var id: String?
    var before: State
    var after: State
    var isUndone = false
  }

  var state = State()
  var revision = 0
  var changes: [Change] = []
  private var ticks = 0

  /// Applies a change; one without effect makes no revision.
  mutating func change(meal id: String?, _ body: (inout State, Int) -> Void) {
    ticks += 1
    let before = state
    body(&state, ticks)
    guard state != before else { return }
    revision += 1
    changes.append(Change(revision: revision, isMeal: id != nil, id: id, before: before, after: state))
  }

  enum Undone: Equatable {
    case nothing, conflict
    case done(revision: Int)
  }

  /// Undoes the latest change that fits and is not yet undone.
  mutating func undo(mealsOnly: Bool) -> Undone {
    guard let index = changes.lastIndex(where: { !$0.isUndone && ($0.isMeal || !mealsOnly) }) else { return .nothing }
    let change = changes[index]
    if let id = change.id {
      guard state.meals[id] == change.after.meals[id] else { return .conflict }
      state.meals[id] = change.before.meals[id]
    } else {
      guard state.settings == change.after.settings else { return .conflict }
      state.settings = change.before.settings
    }
    changes[index].isUndone = true
    revision += 1
    return .done(revision: change.revision)
  }

  /// The meals of a range, newest first.
  func list(_ days: ClosedRange<String>) -> [Meal] {
    state.meals.values.filter { days.contains($0.day) }.sorted { ($0.day, $0.created) > ($1.day, $1.created) }
  }

  /// The intake of a day.
  func consumed(_ day: String) -> Int { list(day...day).reduce(0) { $0 + $1.calories } }
}
