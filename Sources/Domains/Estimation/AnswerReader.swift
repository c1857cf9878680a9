import DaybookProtocol

/// Reads an object of an answer. Its errors point to the wrong member.
struct AnswerReader {
  private let object: JSONObject
  /// The JSON Pointer of the object.
  private let place: String

  init(_ object: JSONObject, _ place: String) {
    self.object = object
    self.place = place
  }

  func pointer(_ name: String) -> String { place + JSONPointer.token(name) }

  func wrong(_ name: String, _ what: String, allowed: String) -> EstimatorFailure {
    EstimatorFailure(.badAnswer, "“\(name)” \(what)", pointer: pointer(name), allowed: allowed)
  }

  /// A required member.
  private func value(_ name: String, _ allowed: String) throws(EstimatorFailure) -> JSONValue {
    guard let value = object[name] else { throw wrong(name, "is missing", allowed: allowed) }
    return value
  }

  func text(_ name: String) throws(EstimatorFailure) -> String {
    guard case .string(let text) = try value(name, "a text") else {
      throw wrong(name, "is not a text", allowed: "a text")
    }
    return text
  }

  func object(_ name: String) throws(EstimatorFailure) -> AnswerReader {
    guard case .object(let object) = try value(name, "an object") else {
      throw wrong(name, "is not an object", allowed: "an object")
    }
    return AnswerReader(object, pointer(name))
  }

  func array(_ name: String, most: Int) throws(EstimatorFailure) -> [AnswerReader] {
    let allowed = "an array of at most \(most) objects"
    guard case .array(let values) = try value(name, allowed) else {
      throw wrong(name, "is not an array", allowed: allowed)
    }
    guard values.count <= most else { throw wrong(name, "has too many elements", allowed: allowed) }
    var readers: [AnswerReader] = []
    for (index, value) in values.enumerated() {
      let place = "\(pointer(name))/\(index)"
      guard case .object(let object) = value else {
        throw EstimatorFailure(.badAnswer, "an element is not an object", pointer: place, allowed: "an object")
      }
      readers.append(AnswerReader(object, place))
    }
    return readers
  }

  /// A range. Its bounds are rounded half away from zero, and must then be in order.
  func range(_ name: String, most: Int) throws(EstimatorFailure) -> EstimateRange {
    let range = try object(name)
    let low = try range.bound("low", most: most)
    let high = try range.bound("high", most: most)
    guard low <= high else { throw range.wrong("high", "is below “low”", allowed: "at least \(low)") }
    return EstimateRange(low: low, high: high)
  }

  private func bound(_ name: String, most: Int) throws(EstimatorFailure) -> Int {
    let allowed = "a number from 0 to \(most)"
    guard case .number(let number) = try value(name, allowed) else {
      throw wrong(name, "is not a number", allowed: allowed)
    }
    guard let value = Double(number.lexeme), value.isFinite, value.sign == .plus || value == 0 else {
      throw wrong(name, "is out of range", allowed: allowed)
    }
    let rounded = value.rounded(.toNearestOrAwayFromZero)
    guard rounded <= Double(most) else { throw wrong(name, "is out of range", allowed: allowed) }
    return Int(rounded)
  }

  /// The optional grams of protein, carbohydrate and fat.
  func macros() throws(EstimatorFailure) -> (protein: EstimateRange?, carbs: EstimateRange?, fat: EstimateRange?) {
    (try grams("protein_g"), try grams("carbs_g"), try grams("fat_g"))
  }

  private func grams(_ name: String) throws(EstimatorFailure) -> EstimateRange? {
    switch object[name] {
    case nil, .null: nil
    default: try range(name, most: EstimateRules.mostGrams)
    }
  }
}
