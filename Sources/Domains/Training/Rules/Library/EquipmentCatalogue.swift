import CivilTime
import DaybookProtocol
import Values

/// The equipment that comes with the program. Stored: no id may ever stand for another.
package enum EquipmentCatalogue {
  private static let names = ["Barbell", "Dumbbell", "Cable", "Machine", "Kettlebell", "Box", "Band", "Bodyweight"]
  /// The smallest steps of their weights, in kilograms and in pounds.
  private static let increments: [(kg: String, lb: String)?] = [
    ("2.5", "5"), ("2", "5"), ("2.5", "5"), ("5", "10"), ("4", "10"), nil, nil, ("1.25", "2.5"),
  ]

  /// The id of a piece by its number from 1.
  static func id(_ number: Int) -> EntityID {
    EntityID(high: 0x0000_000E_0001_0001, low: 0x0001_0000_0000_0000 + UInt64(number))
  }

  /// The pieces as they are before anything of them is changed, in the user's unit and with the user's bar.
  package static func all(_ settings: TrainingSettings, at instant: Instant) -> [Equipment] {
    let isPounds = settings.weightUnit == .lb
    return names.indices.map { index in
      let increment = increments[index].flatMap { Decimal(isPounds ? $0.lb : $0.kg) }
      let measurable: Measurable? =
        switch names[index] {
        case "Box": Measurable(name: "Height", unit: isPounds ? "in" : "cm")
        case "Band": Measurable(name: "Color", text: true)
        default: nil
        }
      return Equipment(
        id: id(index + 1), name: names[index], unit: increment != nil && isPounds ? .lb : nil, increment: increment,
        weight: index == 0 ? settings.bar : nil, measurables: measurable.map { [$0] }, createdAt: instant,
        updatedAt: instant)
    }
  }

  /// Whether a piece comes with the program.
  package static func has(_ id: EntityID) -> Bool { names.indices.contains { self.id($0 + 1) == id } }
}
