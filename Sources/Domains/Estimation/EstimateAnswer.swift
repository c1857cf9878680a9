import DaybookProtocol

/// A validated estimate: all its ranges are in order.
package struct EstimateAnswer: Sendable, Equatable {
  package var items: [EstimatedItem]
  /// The whole, kcal.
  package var total: EstimateRange
  /// Grams in the whole.
  package var protein: EstimateRange?
  package var carbs: EstimateRange?
  package var fat: EstimateRange?
  package var confidence: EstimateConfidence
  /// Oddities that do not prevent use.
  package var notes: [EstimateNote]

  /// Parses an estimator's text. Unknown members are ignored.
  ///
  /// - Throws: `badAnswer` with a pointer into the estimate.
  package init(_ text: String) throws(EstimatorFailure) {
    guard let object = EmbeddedObject.find(in: text) else {
      throw EstimatorFailure(
        .badAnswer, "there is no JSON object in the answer", pointer: "", allowed: "one JSON object")
    }
    notes = []
    let reader = AnswerReader(object, "")
    let parts = try reader.array("items", most: EstimateRules.mostItems)
    let whole = try reader.object("total")
    items = []
    for part in parts { items.append(try EstimateAnswer.item(part, &notes)) }
    total = try whole.range("calories", most: EstimateRules.mostCalories)
    (protein, carbs, fat) = try whole.macros()
    confidence = try EstimateAnswer.confidence(reader)
    noteSums()
  }

  private static func item(
    _ reader: AnswerReader, _ notes: inout [EstimateNote]
  ) throws(EstimatorFailure) -> EstimatedItem {
    func kept(_ name: String, longest: Int) throws(EstimatorFailure) -> String {
      let (text, isWhole) = try reader.text(name).shortened(to: longest)
      if !isWhole {
        notes.append(
          EstimateNote(
            kind: .shortened, pointer: reader.pointer(name), text: "Only the first \(longest) characters were kept."))
      }
      return text
    }
    let name = try kept("name", longest: 200)
    guard !name.isEmpty else { throw reader.wrong("name", "is empty", allowed: "a text") }
    let assumptions = try kept("assumptions", longest: 2000)
    let calories = try reader.range("calories", most: EstimateRules.mostCalories)
    let (protein, carbs, fat) = try reader.macros()
    return EstimatedItem(
      name: name, assumptions: assumptions, calories: calories, protein: protein, carbs: carbs, fat: fat)
  }

  private static func confidence(_ reader: AnswerReader) throws(EstimatorFailure) -> EstimateConfidence {
    let text = try reader.text("confidence").shortened(to: 100).text.lowercased()
    guard let known = EstimateConfidence.known.first(where: { $0.rawValue == text }) else {
      throw reader.wrong("confidence", "is not a known level", allowed: "low, medium or high")
    }
    return known
  }

  /// Adds a note if the items do not add up to the total.
  private mutating func noteSums() {
    guard !items.isEmpty else { return }
    let low = items.reduce(0) { $0 + $1.calories.low }
    let high = items.reduce(0) { $0 + $1.calories.high }
    guard low != total.low || high != total.high else { return }
    notes.append(
      EstimateNote(
        kind: .itemsDisagree, pointer: "/total/calories",
        text: "The items add up to \(low) to \(high) kcal, the total says \(total.low) to \(total.high)."))
  }
}

extension String {
  /// The trimmed text, cut to at most `longest` scalars; and whether nothing was cut.
  fileprivate func shortened(to longest: Int) -> (text: String, isWhole: Bool) {
    let scalars = trimmedScalars
    let kept = scalars.prefix(longest)
    return (String(String.UnicodeScalarView(kept)), kept.endIndex == scalars.endIndex)
  }
}
