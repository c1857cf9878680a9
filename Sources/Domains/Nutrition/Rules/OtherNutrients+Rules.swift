import DaybookProtocol
import Values

/// What can be done with amounts beside energy, protein, carbohydrate and fat.
extension OtherNutrients {
  /// One of the amounts there may be.
  package struct Member: Sendable {
    /// Its name in the protocol.
    package let name: String
    package let amount: any WritableKeyPath<OtherNutrients, Decimal?> & Sendable
    /// Whether it is counted in milligrams, not grams.
    package var isMilligrams = false
    /// The most of it that a meal may have, in its unit.
    package var most: Decimal { Decimal(isMilligrams ? 100_000 : 5000) }
  }

  /// All amounts there may be, in the order of the protocol.
  package static let members = [
    Member(name: "fibre", amount: \.fibre), Member(name: "sugar", amount: \.sugar),
    Member(name: "saturatedFat", amount: \.saturatedFat),
    Member(name: "sodium", amount: \.sodium, isMilligrams: true), Member(name: "alcohol", amount: \.alcohol),
    Member(name: "caffeine", amount: \.caffeine, isMilligrams: true),
  ]

  /// Itself; nil when it says nothing.
  package var known: OtherNutrients? { self == OtherNutrients() ? nil : self }

  /// Whether a meal may have so much.
  package var fitsMeal: Bool {
    OtherNutrients.members.allSatisfy { member in self[keyPath: member.amount].map { $0 <= member.most } ?? true }
  }

  /// Both together; what only one of them says is that. A sum that no longer fits stays what it was.
  package static func sum(_ left: OtherNutrients?, _ right: OtherNutrients?) -> OtherNutrients? {
    guard var sum = left, let right else { return left ?? right }
    for member in members {
      guard let more = right[keyPath: member.amount] else { continue }
      let before = sum[keyPath: member.amount]
      sum[keyPath: member.amount] = (before ?? .zero).adding(more)?.normalized ?? before
    }
    return sum
  }

  /// Each amount as another one, in its one form; nil when one of them has none.
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
