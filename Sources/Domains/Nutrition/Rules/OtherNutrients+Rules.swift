import DaybookProtocol

extension NutrientTotals {
  /// Sums or averages.
  package init(_ nutrients: OtherNutrients) {
    self.init(
      fibre: nutrients.fibre, sugar: nutrients.sugar, saturatedFat: nutrients.saturatedFat, sodium: nutrients.sodium,
      alcohol: nutrients.alcohol, caffeine: nutrients.caffeine)
  }
}

extension OtherNutrients {
  /// The amounts of a total, which may be more than a meal can have.
  package init(_ totals: NutrientTotals) {
    self.init(
      fibre: totals.fibre, sugar: totals.sugar, saturatedFat: totals.saturatedFat, sodium: totals.sodium,
      alcohol: totals.alcohol, caffeine: totals.caffeine)
  }

  /// One of the nutrients.
  package struct Member: Sendable {
    /// Its name in the protocol.
    package let name: String
    package let amount: any WritableKeyPath<OtherNutrients, Decimal?> & Sendable
    /// Whether its unit is the milligram instead of the gram.
    package var isMilligrams = false
    /// The most that a meal may have, in its unit.
    package var most: Decimal { Decimal(isMilligrams ? 100_000 : 5000) }
  }

  /// All nutrients, in the order of the protocol.
  package static let members = [
    Member(name: "fibre", amount: \.fibre), Member(name: "sugar", amount: \.sugar),
    Member(name: "saturatedFat", amount: \.saturatedFat),
    Member(name: "sodium", amount: \.sodium, isMilligrams: true), Member(name: "alcohol", amount: \.alcohol),
    Member(name: "caffeine", amount: \.caffeine, isMilligrams: true),
  ]

  /// Itself; nil without any amount.
  package var known: OtherNutrients? { self == OtherNutrients() ? nil : self }

  /// Whether a meal may have these amounts.
  package var fitsMeal: Bool {
    OtherNutrients.members.allSatisfy { member in self[keyPath: member.amount].map { $0 <= member.most } ?? true }
  }

  /// The sum. An amount that overflows stays as in `left`.
  package static func sum(_ left: OtherNutrients?, _ right: OtherNutrients?) -> OtherNutrients? {
    guard var sum = left, let right else { return left ?? right }
    for member in members {
      guard let more = right[keyPath: member.amount] else { continue }
      let before = sum[keyPath: member.amount]
      sum[keyPath: member.amount] = (before ?? .zero).adding(more)?.normalized ?? before
    }
    return sum
  }

  /// Transforms and normalizes each amount; nil when `change` returns nil for one.
  package func mapped(_ change: (Decimal) -> Decimal?) -> OtherNutrients? {
    var result = self
    for member in OtherNutrients.members {
      guard let amount = self[keyPath: member.amount] else { continue }
      guard let other = change(amount) else { return nil }
      result[keyPath: member.amount] = other.normalized
    }
    return result
  }
}
