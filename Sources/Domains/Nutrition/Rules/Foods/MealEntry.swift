import DaybookProtocol
import EntryWords
import TextFolding

/// A line of text as a meal.
package struct MealEntry: Equatable {
  package private(set) var name = ""
  package var folded: [UInt8] { FoldedName.folded(name) }
  /// kcal, of all that was eaten.
  package private(set) var energy: Int?
  /// Grams by nutrient.
  package private(set) var nutrients: [EntryUnit: Decimal] = [:]
  /// An amount; without a unit it is a count.
  package private(set) var amount: Decimal?
  package private(set) var unit: EntryUnit?
  /// How much more than the last meal of its food.
  package private(set) var factor: Decimal?
  package private(set) var mealType: MealType?

  private static let types = MealType.known.filter { $0 != .meal }

  /// Reads a line; nil when it is no meal.
  ///
  /// - Parameter isKnown: Whether a folded name is a logged food.
  /// - Throws: For a number with two readings.
  package init?(_ line: EntryLine, isKnown: ([UInt8]) -> Bool) throws(EntryProblem) {
    let parts = line.parts
    let isForced = line.kind != nil
    guard let start = takeName(parts, isKnown),
      isForced || ![EntryKeyword.paid, EntryKeyword.skip].contains(parts[0].keyword)
    else { return nil }
    var behind: EntryNumber?
    for (index, part) in parts.enumerated() {
      switch part {
      case .word, .name: continue
      case .set: return nil
      case .number(let number):
        try number.check()
        if index > start {
          guard behind == nil else { return nil }
          behind = number
        } else {
          guard amount == nil else { return nil }
          amount = number.value
        }
      case .quantity(let number, let unit):
        guard unit.dimension != .time, unit.dimension != .repetitions, unit != .st else { return nil }
        try number.check()
        guard take(number, unit) else { return nil }
      }
    }
    if let behind {
      // A smaller number is rather a count.
      guard energy == nil, let whole = behind.integer, whole >= 5 else { return nil }
      energy = whole
    }
    guard factor == nil || amount == nil && energy == nil else { return nil }
  }

  /// Takes a number with a unit; false when there is one of its kind already, or it cannot be.
  private mutating func take(_ number: EntryNumber, _ unit: EntryUnit) -> Bool {
    switch unit.dimension {
    case .energy:
      guard energy == nil, let whole = number.kilocalories(unit) else { return false }
      energy = whole
    case .nutrient: return nutrients.updateValue(number.value, forKey: unit) == nil
    case .factor:
      guard factor == nil, number.value > .zero else { return false }
      factor = number.value
    case .mass, .volume, .count:
      guard amount == nil else { return false }
      (amount, self.unit) = (number.value, unit)
    case .time, .repetitions: return false
    }
    return true
  }

  /// Takes the name, and the type of the meal unless the name contains it. Returns where the name starts; nil without
  /// one.
  private mutating func takeName(_ parts: [EntryLine.Part], _ isKnown: ([UInt8]) -> Bool) -> Int? {
    let places = parts.indices.filter { parts[$0].text != nil }
    func name(without left: Int?) -> String {
      places.filter { $0 != left }.compactMap { parts[$0].text }.joined(separator: " ")
    }
    let typed = places.compactMap { place in
      MealEntry.types.first { $0.rawValue == parts[place].keyword }.map { (place: place, type: $0) }
    }
    var type: (place: Int, type: MealType)?
    if places.count > 1, !isKnown(FoldedName.folded(name(without: nil))) {
      type = typed.first { isKnown(FoldedName.folded(name(without: $0.place))) } ?? typed.first
    }
    let words = places.filter { $0 != type?.place }
    guard let first = words.first, let last = words.last else { return nil }
    // Nothing but the type stands between the words of a name.
    let isInside = type.map { first < $0.place && $0.place < last } ?? false
    guard last - first + 1 == words.count + (isInside ? 1 : 0) else { return nil }
    (self.name, mealType) = (name(without: type?.place), type?.type)
    let isType = places.count == 1 && !typed.isEmpty
    return isType || !words.allSatisfy { MealEntry.isOurs(parts[$0]) } ? first : nil
  }

  private static func isOurs(_ part: EntryLine.Part) -> Bool {
    guard case .word(let word) = part else { return false }
    let keyword = part.keyword
    return EntryUnit(word: word, isAttached: true) != nil || EntryUnit(nutrient: word) != nil
      || types.contains { $0.rawValue == keyword } || EntryKeyword.days.contains(keyword)
      || [EntryKeyword.paid, EntryKeyword.skip].contains(keyword)
  }

  /// The last meal of the food scaled to the entry: the ratio as part and whole. Nil when the amounts cannot be compared.
  package func ratio(to last: Meal) -> (part: Decimal, whole: Decimal)? {
    let one = Decimal(1)
    if let factor { return (factor, one) }
    guard let amount, amount > .zero else { return amount == nil ? (one, one) : nil }
    let before = last.amount ?? .zero
    let lastUnit = last.unit.flatMap { EntryUnit(word: $0) }
    guard let unit else {
      // A count multiplies a meal without an amount, and is compared with another count.
      if last.amount == nil { return (amount, one) }
      guard before > .zero, last.unit == nil || lastUnit?.dimension == .count else { return nil }
      return (amount, before)
    }
    guard before > .zero else { return nil }
    if last.unit == nil { return unit.dimension == .count ? (amount, before) : nil }
    guard let lastUnit, unit.dimension == lastUnit.dimension, unit.dimension != .count || unit == lastUnit,
      let size = unit.size, let lastSize = lastUnit.size, let part = amount.multiplied(by: size),
      let whole = before.multiplied(by: lastSize)
    else { return nil }
    return (part, whole)
  }
}
