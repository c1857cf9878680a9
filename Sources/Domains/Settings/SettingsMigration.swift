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
      guard case .string(let text)? = object[member] else { continue }
      if let present = values[text.lowercased()] ?? usual[member] { object[member] = .string(present) }
    }
    let isComputed = object["totalCaloriesSource"].map { $0 == .string("computed") } ?? (object["totalCalories"] == nil)
    let isDeficitComputed =
      object["targetDeficitSource"].map { $0 == .string("computed") } ?? (object["targetDeficit"] == nil)
    // A number that says not where it comes from is somebody's own.
    if !isComputed { object["totalCaloriesSource"] = .string("custom") }
    if !isDeficitComputed { object["targetDeficitSource"] = .string("custom") }
    guard case .object(let defaults)? = try? JSONValue(json: SettingsRules.defaults.json) else { return object }
    for member in defaults.members {
      let name = member.name == "lockAfterMs" ? "lockAfter" : member.name
      if object[name] == nil { object[name] = member.value }
    }
    guard let settings = present(object) else { return object }
    if isComputed { object["totalCalories"] = .number(JSONNumber(settings.totalCalories)) }
    if isDeficitComputed { object["targetDeficit"] = .number(JSONNumber(settings.targetDeficit)) }
    return object
  }

  /// The settings of form 2 with the numbers that follow from what they say; nil when they cannot be read.
  private static func present(_ object: JSONObject) -> Settings? {
    var object = object
    object["lockAfterMs"] = object["lockAfter"]
    let settings = try? JSONValue.object(object).json.withUnsafeBytes { text in
      try JSONReader.read(text) { reader throws(JSONError) in
        reader.refusesUnknownMembers = false
        reader.acceptsUnknownValues = true
        return try Settings(from: &reader)
      }
    }
    return settings.map { SettingsRules.computed($0) }
  }

  /// Values of the first program and of its predecessors in small letters, by member.
  private static let renamed: [String: [String: String]] = [
    "deficitRate": [
      "gentle": "gentle", "conservative": "gentle", "steady": "steady", "moderate": "steady", "fast": "fast",
      "aggressive": "fast",
    ],
    "activityLevel": [
      "mostlyseated": "mostlySeated", "lightmovement": "lightMovement", "regularmovement": "regularMovement",
      "veryactive": "veryActive", "mostly seated": "mostlySeated", "sedentary": "mostlySeated",
      "light movement": "lightMovement", "lightly active": "lightMovement", "regular movement": "regularMovement",
      "moderately active": "regularMovement", "very active": "veryActive", "extremely active": "veryActive",
    ],
    "sex": ["male": "male", "female": "female"],
  ]

  /// What a value counts as that no program knows.
  private static let usual = ["deficitRate": "steady", "activityLevel": "regularMovement"]
}
