import DaybookProtocol
import Values

/// What a meal has in 16 bytes, as an index keeps it of tens of thousands.
struct PackedNutrients: Sendable, Equatable {
  private let calories: Int32
  private let protein: UInt32
  private let carbs: UInt32
  private let fat: UInt32

  init(_ nutrients: Nutrients) {
    calories = Int32(clamping: nutrients.calories)
    protein = PackedNutrients.pack(nutrients.protein)
    carbs = PackedNutrients.pack(nutrients.carbs)
    fat = PackedNutrients.pack(nutrients.fat)
  }

  func pack(into writer: inout PackedWriter) {
    for number in [Int(calories), Int(protein), Int(carbs), Int(fat)] { writer.write(number) }
  }

  init?(unpacking reader: inout PackedReader) {
    guard let calories = reader.number().flatMap({ Int32(exactly: $0) }),
      let protein = reader.number().flatMap({ UInt32(exactly: $0) }),
      let carbs = reader.number().flatMap({ UInt32(exactly: $0) }),
      let fat = reader.number().flatMap({ UInt32(exactly: $0) })
    else { return nil }
    (self.calories, self.protein, self.carbs, self.fat) = (calories, protein, carbs, fat)
  }

  /// The same as it was given.
  var nutrients: Nutrients {
    Nutrients(
      calories: Int(calories), protein: PackedNutrients.unpack(protein), carbs: PackedNutrients.unpack(carbs),
      fat: PackedNutrients.unpack(fat))
  }

  /// The digits and how many of them stand after the point; 0 for nothing. Grams have two such digits at most.
  private static func pack(_ grams: Decimal?) -> UInt32 {
    guard let grams else { return 0 }
    let fitting = grams.scale <= 2 ? grams : grams.rounded(toScale: 2) ?? .zero
    return UInt32(clamping: fitting.significand.clamped(to: 0...0x0FFF_FFFF)) &<< 2 | UInt32(fitting.scale) + 1
  }

  private static func unpack(_ packed: UInt32) -> Decimal? {
    packed == 0 ? nil : Decimal(significand: Int64(packed &>> 2), scale: Int(packed & 3) - 1)
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
