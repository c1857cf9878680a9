import DaybookProtocol

/// Migrates older stored settings.
package enum SettingsMigration {
  /// From form 1, nutrition only with the raw values of the first program, to form 2, the settings of all domains.
  /// Keeps members, renames old values, and adds defaults for missing members.
  package static func toAllDomains(_ object: JSONObject) -> JSONObject {
    var object = object
    for (member, values) in renamed {
      guard case .string(let text)? = object[member] else { continue }
      if let present = values[text.lowercased()] ?? fallback[member] { object[member] = .string(present) }
    }
    let isComputed = object["totalCaloriesSource"].map { $0 == .string("computed") } ?? (object["totalCalories"] == nil)
    let isDeficitComputed =
      object["targetDeficitSource"].map { $0 == .string("computed") } ?? (object["targetDeficit"] == nil)
    // A number without a source is the user's own.
    if !isComputed { object["totalCaloriesSource"] = .string("custom") }
    if !isDeficitComputed { object["targetDeficitSource"] = .string("custom") }
    let defaults = SettingsChanges.members(of: SettingsRules.defaults)
    for member in defaults.members {
      let name = member.name == "lockAfterMs" ? "lockAfter" : member.name
      if object[name] == nil { object[name] = member.value }
    }
    guard let settings = present(object) else { return object }
    if isComputed { object["totalCalories"] = .number(JSONNumber(settings.totalCalories)) }
    if isDeficitComputed { object["targetDeficit"] = .number(JSONNumber(settings.targetDeficit)) }
    return object
  }

  /// Settings of form 2 with their computed numbers; nil when they cannot be read.
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

  /// Lower-case values of the first program and its predecessors, by member.
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

  /// What an unknown value becomes.
  private static let fallback = ["deficitRate": "steady", "activityLevel": "regularMovement"]
}
