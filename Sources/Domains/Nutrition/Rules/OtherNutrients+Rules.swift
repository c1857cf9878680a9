import DaybookProtocol
import Values

/// What can be done with amounts beside energy, protein, carbohydrate and fat.
extension OtherNutrients {
  /// All amounts there may be, in the order of the protocol, each with the most of it that a meal may have.
  package static var members: [(amount: WritableKeyPath<OtherNutrients, Decimal?>, most: Decimal)] {
    let (grams, milligrams) = (Decimal(5000), Decimal(100_000))
    return [
      (\.fibre, grams), (\.sugar, grams), (\.saturatedFat, grams), (\.sodium, milligrams), (\.alcohol, grams),
      (\.caffeine, milligrams),
    ]
  }

  /// Itself; nil when it says nothing.
  package var known: OtherNutrients? { self == OtherNutrients() ? nil : self }

  /// Whether a meal may have so much.
  package var fitsMeal: Bool {
    OtherNutrients.members.allSatisfy { member in self[keyPath: member.amount].map { $0 <= member.most } ?? true }
  }

  /// Both together; what only one of them says is that. A sum that no longer fits stays what it was.
  package static func sum(_ left: OtherNutrients?, _ right: OtherNutrients?) -> OtherNutrients? {
    guard var sum = left, let right else { return left ?? right }
    for (member, _) in members {
      guard let more = right[keyPath: member] else { continue }
      let before = sum[keyPath: member]
      sum[keyPath: member] = (before ?? .zero).adding(more)?.normalized ?? before
    }
    return sum
  }

  /// Each amount as another one, in its one form; nil when one of them has none.
  package func mapped(_ change: (Decimal) -> Decimal?) -> OtherNutrients? {
    var result = self
    for (member, _) in OtherNutrients.members {
      guard let amount = self[keyPath: member] else { continue }
      guard let other = change(amount) else { return nil }
      result[keyPath: member] = other.normalized
    }
    return result
  }
}
