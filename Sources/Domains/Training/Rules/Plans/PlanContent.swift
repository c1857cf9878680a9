import DaybookProtocol
import JSON
import Values

/// What a module or a workout says, as equal text for equal content.
package enum PlanContent {
  /// The content of a module.
  package static func text(of module: Module) -> [UInt8] {
    var module = module
    module.exercises = module.exercises.map { $0.plain }
    return text(module)
  }

  /// The content of a workout.
  package static func text(of workout: Workout) -> [UInt8] {
    var workout = workout
    workout.exercises = workout.exercises.map { $0.plain }
    return text(workout)
  }

  /// Members that are no content: identities of its own, and instants.
  private static let left: Set<String> = ["id", "createdAt", "updatedAt"]

  private static func text(_ plan: some JSONEncodable) -> [UInt8] {
    text(of: (try? JSONValue(json: plan.json)) ?? .null)
  }

  /// The content of a value.
  static func text(of value: JSONValue) -> [UInt8] {
    var supersets: [String] = []
    return canonical(value, &supersets).json
  }

  /// The value with sorted members and without those that are no content; supersets are numbered in order of appearance.
  private static func canonical(_ value: JSONValue, _ supersets: inout [String]) -> JSONValue {
    switch value {
    case .array(let elements):
      var kept: [JSONValue] = []
      for element in elements { kept.append(canonical(element, &supersets)) }
      return .array(kept)
    case .object(let object):
      var members: [JSONObject.Member] = []
      for member in object.members.sorted(by: { $0.name < $1.name }) where !left.contains(member.name) {
        guard member.name == "supersetId", case .string(let superset) = member.value else {
          members.append((member.name, canonical(member.value, &supersets)))
          continue
        }
        if !supersets.contains(superset) { supersets.append(superset) }
        members.append((member.name, .string("\(supersets.firstIndex(of: superset) ?? 0)")))
      }
      return .object(JSONObject(members))
    default: return value
    }
  }
}

extension PlannedExercise {
  /// The same with its numbers without zeros at their ends.
  fileprivate var plain: PlannedExercise {
    var exercise = self
    exercise.groups = groups.map { group in
      var plain = group
      plain.target?.weight = group.target?.weight?.normalized
      plain.target?.distance = group.target?.distance?.normalized
      plain.target?.rpe = group.target?.rpe?.normalized
      plain.target?.temperature = group.target?.temperature?.normalized
      return plain
    }
    return exercise
  }
}
