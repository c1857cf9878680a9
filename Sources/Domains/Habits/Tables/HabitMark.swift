import DaybookProtocol
import Habits
import Tables
import Values

/// What a cell says of a habit on a day.
enum HabitMark: Equatable {
  /// Nothing.
  case unknown
  /// Nothing was done, and nothing had to.
  case automatic
  case value(Decimal)
  case skip

  /// A mark as Loop has it: a word or a number, of which those above 3 are thousandths; nil for anything else.
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

  /// Whether a mark of Loop's is an amount.
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

  /// What people and programs write for yes and no; nil for what is a number, or nothing of the kind.
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
