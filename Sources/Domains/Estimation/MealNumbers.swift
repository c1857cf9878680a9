import DaybookProtocol

/// The numbers of an estimate.
package enum EstimateRules {
  /// The most energy of a meal or an item, kcal.
  package static let mostCalories = 20_000
  /// The most of a macronutrient, grams.
  package static let mostGrams = 5000
  package static let mostItems = 50
  /// The default factor of an estimate, and its bounds.
  package static let usualFactor = Decimal(1)
  private static let leastFactor = Decimal(significand: 5, scale: 1) ?? usualFactor
  private static let greatestFactor = Decimal(2)

  /// The middle of a range, kcal, truncated. The bounds are clamped to 0…`mostCalories`; `high` counts as at least `low`.
  package static func midpoint(low: Int, high: Int) -> Int {
    let least = min(max(0, low), mostCalories)
    return (least + min(max(least, high), mostCalories)) / 2
  }

  /// The factor to use: 1 when none was requested; nil when it is not from 0.5 to 2.
  package static func factor(_ asked: Decimal?) -> Decimal? {
    guard let asked else { return usualFactor }
    return (leastFactor...greatestFactor).contains(asked) ? asked : nil
  }

  /// The allowed factors, in words.
  package static let allowedFactor = "a decimal from 0.5 to 2"

  /// `midpoint × factor`, rounded half away from zero, kcal; nil above `mostCalories`.
  ///
  /// - Parameter factor: A result of `factor(_:)`.
  package static func adjusted(midpoint: Int, factor: Decimal) -> Int? {
    guard (0...mostCalories).contains(midpoint), let hundredths = factor.units(ofScale: 2) else { return nil }
    let (product, overflow) = Int64(midpoint).multipliedReportingOverflow(by: hundredths)
    guard !overflow, product >= 0, product <= Int64(mostCalories) * 100 else { return nil }
    let rounded = Int((product + 50) / 100)
    return rounded <= mostCalories ? rounded : nil
  }
}

/// The calories of estimated meals. Typed calories take precedence; they drop the factor, but keep the estimate as the meal's origin.
package enum MealNumbers {
  /// Why a meal cannot have the requested numbers.
  package struct Problem: Error, Sendable, Equatable {
    /// A JSON Pointer into the request.
    package let pointer: String
    package let message: String
    package var allowed: String?
    package var hint: String?
  }

  /// The numbers of a meal after it is added or changed.
  ///
  /// - Parameters:
  ///   - calories: The typed number, if any.
  ///   - estimate: A new estimate, or its removal.
  ///   - factor: The eaten share of the estimate.
  ///   - present: The present numbers; nil for a new meal.
  package static func settle(
    calories: Int?, estimate: Presence<MealEstimate>, factor: Decimal? = nil,
    present: (calories: Int, estimate: MealEstimate?)? = nil
  ) throws(Problem) -> (calories: Int, estimate: MealEstimate?) {
    if let given = estimate.value { try check(given, "/estimate") }
    _ = try inRange(factor, "/factor")
    var kept = estimate.applied(to: present?.estimate)
    if let calories {
      kept?.factor = nil
      return (calories, kept)
    }
    if factor != nil || estimate.value != nil {
      guard var estimate = kept else {
        throw Problem(
          pointer: "/factor", message: "the meal has no estimate to multiply",
          hint: "send “calories”, or an “estimate” with it")
      }
      let pointer = factor == nil ? "/estimate/factor" : "/factor"
      let used = try inRange(factor ?? estimate.factor, pointer)
      guard let adjusted = adjusted(estimate, by: used) else {
        throw Problem(
          pointer: pointer, message: "that is more than a meal can have",
          allowed: "calories from 0 to \(EstimateRules.mostCalories)")
      }
      estimate.factor = used
      return (adjusted, estimate)
    }
    guard let present else {
      throw Problem(
        pointer: "/calories", message: "there are neither “calories” nor an “estimate”",
        allowed: "an integer from 0 to \(EstimateRules.mostCalories)",
        hint: "“calories” is required without an “estimate”")
    }
    return (present.calories, kept)
  }

  /// The grams of a macronutrient in an estimated meal: the middle of the whole's range, else of the sum of all items' ranges, times
  /// the factor, to tenths of a gram. Nil when the estimate does not state it.
  package static func grams(
    _ estimate: MealEstimate?, _ whole: KeyPath<MealEstimate, EstimateRange?>,
    _ part: KeyPath<EstimatedItem, EstimateRange?>
  ) -> Decimal? {
    guard let estimate else { return nil }
    let parts = (estimate.items ?? []).map { $0[keyPath: part] }
    let known = parts.compactMap { $0 }
    let isKnown = !parts.isEmpty && known.count == parts.count
    let ranges = estimate[keyPath: whole].map { [$0] } ?? (isKnown ? known : nil)
    guard let ranges else { return nil }
    let sum = ranges.reduce(0) { $0 + $1.low + $1.high }
    let factor = estimate.factor ?? EstimateRules.usualFactor
    guard let hundredths = factor.units(ofScale: 2) else { return nil }
    return Decimal(Int64(sum)).multiplied(by: hundredths, over: 200, roundedTo: 1)
      .map { min($0.normalized, Decimal(Int64(EstimateRules.mostGrams))) }
  }

  /// The problem of a stored meal's estimate and calories, if any.
  package static func problem(calories: Int, estimate: MealEstimate?) -> Problem? {
    guard let estimate else { return nil }
    do throws(Problem) { try check(estimate, "/estimate") } catch { return error }
    guard let factor = estimate.factor, adjusted(estimate, by: factor) != calories else { return nil }
    return Problem(pointer: "/calories", message: "it is not the estimate times its factor")
  }

  private static func adjusted(_ estimate: MealEstimate, by factor: Decimal) -> Int? {
    EstimateRules.adjusted(
      midpoint: EstimateRules.midpoint(low: estimate.low, high: estimate.high), factor: factor)
  }

  /// The factor to use.
  private static func inRange(_ factor: Decimal?, _ pointer: String) throws(Problem) -> Decimal {
    if let used = EstimateRules.factor(factor) { return used }
    throw Problem(pointer: pointer, message: "the factor is out of range", allowed: EstimateRules.allowedFactor)
  }

  private static func check(_ estimate: MealEstimate, _ pointer: String) throws(Problem) {
    _ = try inRange(estimate.factor, pointer + "/factor")
    try inOrder(EstimateRange(low: estimate.low, high: estimate.high), pointer)
    for (name, range) in [("protein", estimate.protein), ("carbs", estimate.carbs), ("fat", estimate.fat)] {
      if let range { try inOrder(range, "\(pointer)/\(name)") }
    }
    guard let items = estimate.items else { return }
    guard items.count <= EstimateRules.mostItems else {
      throw Problem(
        pointer: pointer + "/items", message: "there are too many items",
        allowed: "at most \(EstimateRules.mostItems)")
    }
    for (index, item) in items.enumerated() {
      let place = "\(pointer)/items/\(index)"
      for (name, range) in [
        ("calories", item.calories), ("protein", item.protein), ("carbs", item.carbs), ("fat", item.fat),
      ] {
        if let range { try inOrder(range, "\(place)/\(name)") }
      }
    }
  }

  private static func inOrder(_ range: EstimateRange, _ pointer: String) throws(Problem) {
    guard range.high < range.low else { return }
    throw Problem(
      pointer: pointer + "/high", message: "“high” is below “low”", allowed: "an integer from \(range.low) to 20000")
  }
}
