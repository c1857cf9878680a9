import DaybookProtocol
import Nutrition
import Tables

/// What a table of measurements of all kinds calls a measure of the body.
enum BodyMeasure: Equatable {
  case weight
  /// A measurement of another kind.
  case other(String)

  /// The measure of a name; nil for what is not of the body, such as steps.
  init?(_ name: String) {
    // The base of “Weight (Apple Health)” is “weight”.
    let base = TableHeader(name).base.trimmedMeasure
    if BodyMeasure.weights.contains(base) {
      self = .weight
    } else if BodyMeasure.others.contains(base) {
      self = .other(name.trimmedCell)
    } else {
      return nil
    }
  }

  private static let weights: Set<String> = [
    "weight", "bodyweight", "body weight", "scale weight", "body mass", "bodymass", "gewicht", "körpergewicht", "poids",
    "peso",
  ]

  private static let others: Set<String> = [
    "body fat", "bodyfat", "fat", "fat percentage", "body fat percentage", "fat mass", "visceral fat", "lean mass",
    "lean body mass", "fat free mass", "muscle", "muscle mass", "skeletal muscle", "skeletal muscle mass", "bone",
    "bone mass", "water", "body water", "bmi", "body mass index", "waist", "hip", "hips", "chest", "bust", "neck",
    "shoulder", "shoulders", "thigh", "thighs", "left thigh", "right thigh", "calf", "calves", "left calf",
    "right calf", "bicep", "biceps", "left bicep", "right bicep", "arm", "arms", "left arm", "right arm", "forearm",
    "forearms", "left forearm", "right forearm", "wrist", "ankle", "abdomen", "belly", "height", "blood pressure",
    "heart rate", "resting heart rate", "pulse", "blood glucose", "body temperature", "körperfett", "taille", "hüfte",
    "brust", "hals", "muskelmasse", "knochenmasse", "körperwasser",
  ]

  /// openScale's columns, with the names and units of its measures. It stores weights in kilograms and lengths in
  /// centimetres, in any display unit.
  static let openScale: [(field: String, kind: String, unit: String?)] = [
    ("fat", "Body fat", "%"), ("water", "Water", "%"), ("muscle", "Muscle", "%"), ("lbm", "Lean body mass", "kg"),
    ("bone", "Bone mass", "kg"), ("visceralFat", "Visceral fat", nil), ("waist", "Waist", "cm"), ("hip", "Hip", "cm"),
    ("chest", "Chest", "cm"), ("thigh", "Thigh", "cm"), ("biceps", "Biceps", "cm"), ("neck", "Neck", "cm"),
  ]
}

extension String {
  /// The key of a measure without a percent sign and what programs append to it.
  fileprivate var trimmedMeasure: String {
    var key = self
    for end in [" %", "%"] where key.hasSuffix(end) { key.removeLast(end.count) }
    return key
  }
}

/// Drafts of tables that hold measurements of several kinds.
extension NutritionDrafts {
  /// A measurement that another program lists under a name.
  func bodyMeasurement(
    _ kind: String, _ field: String = "weight", unit: String?, _ reader: inout RowReader, _ key: inout [String]
  ) -> RowContent<NutritionDraft> {
    guard let text = reader.raw(field) else { return .ignored }
    let day = reader.moment("day")
    let at = reader.time("at", behind: day)
    let range = Decimal(-1_000_000_000)...Decimal(1_000_000_000)
    var values = [Decimal?]()
    // A blood pressure has two numbers.
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      values = parts.map { part in
        if case .value(let value) = NumberText.reading(String(part).trimmedCell, mark: reader.style.mark) {
          value
        } else {
          nil
        }
      }
      if values.contains(nil) {
        reader.refuse(.notANumber, field, "it is not a number", allowed: "a number, or two such as 120/80")
      }
    } else {
      values = [number(field, range, digits: 6, &reader, isRequired: true)?.normalized]
    }
    let note = longText("note", &reader)
    guard let day, let value = values[0], kind.unicodeScalars.count <= 200 else { return .refused }
    key = ["\(day.keyDay)", at.key, MeasurementRules.key(kind)]
    return .draft(
      .measurement(
        TableMeasurement(
          day: day.day, at: at.time, kind: kind, value: value, secondValue: values.count > 1 ? values[1] : nil,
          unit: unit, note: note)))
  }
}
