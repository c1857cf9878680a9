import DaybookProtocol
import Habits
import Tables
import Values

/// The content of a cell for a habit and a day.
enum HabitMark: Equatable {
  /// No data.
  case unknown
  /// Not done, but not required either.
  case automatic
  case value(Decimal)
  case skip

  /// What a log says; nil for a note alone.
  init?(_ log: HabitLog) {
    if log.skipped == true {
      self = .skip
    } else if let value = log.value {
      self = .value(value)
    } else {
      return nil
    }
  }

  /// Parses a mark of Loop's: a word, or a number, in thousandths above 3. Nil for anything else.
  static func loop(_ text: String, isNumeric: Bool) -> HabitMark? {
    guard let raw = raw(text) else { return nil }
    switch raw {
    case -1: return .unknown
    case 3: return .skip
    case _ where isNumeric || raw > 3: return .value(Thousandths.decimal(raw))
    case 1: return .automatic
    default: return .value(raw == 2 ? Decimal(1) : .zero)
    }
  }

  static func isAmount(_ text: String) -> Bool { raw(text).map { $0 > 3 } ?? false }

  private static func raw(_ text: String) -> Int64? {
    switch text {
    case "UNKNOWN": -1
    case "NO": 0
    case "YES_AUTO": 1
    case "YES_MANUAL": 2
    case "SKIP": 3
    default: Int64(text).flatMap { (-1...1_000_000_000).contains($0) ? $0 : nil }
    }
  }

  static let loopAllowed = "YES_MANUAL, YES_AUTO, NO, SKIP, UNKNOWN, or a whole number of thousandths"

  /// Parses common words for yes, no and skip; nil for numbers and anything else.
  static func word(_ text: String) -> HabitMark? {
    switch TableHeader.key(text) {
    case "true", "yes", "y", "x", "done", "completed", "complete", "✓", "✔", "yes manual": .value(Decimal(1))
    case "false", "no", "n", "missed", "not done", "incomplete": .value(.zero)
    case "skip", "skipped": .skip
    case "unknown": .unknown
    case "yes auto": .automatic
    default: nil
    }
  }
}
