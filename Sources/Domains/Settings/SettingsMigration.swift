import CivilTime
import DaybookProtocol
import JSON

/// How settings of older forms become those of the present one.
package enum SettingsMigration {
  /// From form 1, calories only and the raw values of the first program, to form 2, the settings of all domains. Members that are
  /// there stay, old names of values become the present ones, and what is missing gets its default.
  package static func toAllDomains(_ object: JSONObject) -> JSONObject {
    var object = object
    for (member, values) in renamed {
      if case .string(let text)? = object[member], let present = values[text] { object[member] = .string(present) }
    }
    guard case .object(let defaults)? = try? JSONValue(json: SettingsRules.defaults.json) else { return object }
    for member in defaults.members {
      let name = member.name == "lockAfterMs" ? "lockAfter" : member.name
      if object[name] == nil { object[name] = member.value }
    }
    return object
  }

  /// Values of the first program and of its predecessors, by member.
  private static let renamed: [String: [String: String]] = [
    "deficitRate": [
      "Gentle": "gentle", "Conservative": "gentle", "Steady": "steady", "Moderate": "steady", "Fast": "fast",
      "Aggressive": "fast",
    ],
    "activityLevel": [
      "Mostly seated": "mostlySeated", "Sedentary": "mostlySeated", "Light movement": "lightMovement",
      "Lightly active": "lightMovement", "Regular movement": "regularMovement", "Moderately active": "regularMovement",
      "Very active": "veryActive", "Extremely active": "veryActive",
    ],
    "sex": ["Male": "male", "Female": "female"],
  ]
}
