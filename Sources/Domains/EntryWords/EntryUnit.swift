import Values

/// A unit that an entry names. With the keywords below, these are all the words of ours; any other text is a name.
package enum EntryUnit: String, CaseIterable, Sendable {
  case kcal, kj
  case g, kg, oz, lb, st
  case ml, cl, dl, l, cup, floz, tbsp, tsp
  case slice, piece, portion
  case min, rep
  case protein, carbs, fat
  /// A factor: `1.5x`.
  case times

  package enum Dimension: Sendable {
    case energy, mass, volume, count, time, repetitions, nutrient, factor
  }

  package var dimension: Dimension {
    switch self {
    case .kcal, .kj: .energy
    case .g, .kg, .oz, .lb, .st: .mass
    case .ml, .cl, .dl, .l, .cup, .floz, .tbsp, .tsp: .volume
    case .slice, .piece, .portion: .count
    case .min: .time
    case .rep: .repetitions
    case .protein, .carbs, .fat: .nutrient
    case .times: .factor
    }
  }

  /// How each is written, apart from a plural “s”.
  private static let spellings: [String: EntryUnit] = [
    "kcal": .kcal, "kj": .kj, "g": .g, "kg": .kg, "oz": .oz, "lb": .lb, "st": .st, "ml": .ml, "cl": .cl, "dl": .dl,
    "l": .l, "cup": .cup, "floz": .floz, "tbsp": .tbsp, "tsp": .tsp, "slice": .slice, "piece": .piece,
    "portion": .portion, "min": .min, "minute": .min, "rep": .rep,
  ]
  /// How those are written that stand only directly behind a number.
  private static let attached: [String: EntryUnit] = ["p": .protein, "c": .carbs, "f": .fat, "x": .times]
  /// The nutrients behind a number of grams.
  private static let nutrients: [String: EntryUnit] = [
    "protein": .protein, "carb": .carbs, "carbs": .carbs, "fat": .fat,
  ]

  /// The unit that a word of ASCII letters names, in any case.
  ///
  /// - Parameter isAttached: Whether it stands directly behind a number.
  package init?(word: some StringProtocol, isAttached: Bool = false) {
    let word = word.lowercased()
    let singular = word.utf8.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word
    guard
      let unit = EntryUnit.spellings[word] ?? EntryUnit.spellings[singular]
        ?? (isAttached ? EntryUnit.attached[word] : nil)
    else { return nil }
    self = unit
  }

  /// The nutrient that a word behind a number of grams names.
  package init?(nutrient word: String) {
    guard let unit = EntryUnit.nutrients[word.lowercased()] else { return nil }
    self = unit
  }

  /// Its size in millionths of a gram, a millilitre or one; nil for other dimensions. A cup is 48 teaspoons, of which
  /// 768 make a US gallon of 231 cubic inches.
  package var size: Int64? {
    switch self {
    case .g, .ml, .slice, .piece, .portion: 1_000_000
    case .kg, .l: 1_000_000_000
    case .oz: 28_349_523
    case .lb: 453_592_370
    case .cl: 10_000_000
    case .dl: 100_000_000
    case .cup: 236_588_237
    case .floz: 29_573_530
    case .tbsp: 14_786_765
    case .tsp: 4_928_922
    default: nil
    }
  }

  /// The words that complete a number, with their meaning.
  package static let offered: [(word: String, meaning: String)] = [
    ("kcal", "energy"), ("kJ", "energy"), ("g", "grams"), ("kg", "kilograms"), ("lb", "pounds"), ("ml", "millilitres"),
    ("l", "litres"), ("cups", "of 237 ml"), ("tbsp", "tablespoons"), ("tsp", "teaspoons"), ("slices", "an amount"),
    ("pieces", "an amount"), ("portions", "an amount"), ("min", "minutes"), ("reps", "repetitions"),
  ]
}

/// The other words of ours.
package enum EntryKeyword {
  /// Words that begin the entry of a charge.
  package static let (paid, skip) = ("paid", "skip")
  package static let days = ["today", "yesterday", "tomorrow"]
  package static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
