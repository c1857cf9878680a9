import CivilTime
import DaybookProtocol
import Subscriptions
import Values

/// What happened to single charges as one cell: `2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to
/// 2026-04-02`.
enum ChargesText {
  static let allowed =
    "such as 2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to 2026-04-02"

  static func text(_ marks: [ChargeMark]) -> String { marks.filter(\.isTelling).map(text).joined(separator: ", ") }

  private static func text(_ mark: ChargeMark) -> String {
    let kind = mark.kind == .skipped ? " skipped" : mark.shiftedTo.map { " moved to \($0)" } ?? ""
    let payment = mark.paidOn.map {
      " paid on \($0)\(mark.paidAmount.map { " with \($0)\(mark.paidCurrency.map { " \($0)" } ?? "")" } ?? "")"
    }
    return "\(mark.occurrence)\(kind)\(payment ?? "")"
  }

  /// What was written so; an item that says nothing of its day cannot be read.
  static func marks(_ text: String) throws(ListText.Fault) -> [ChargeMark] {
    try ListText.items(text, limit: SubscriptionLimits.marks) { _, words -> ChargeMark? in
      guard let occurrence = words.day() else { return nil }
      var mark = ChargeMark(occurrence: occurrence, kind: .kept)
      if words.take("skipped") {
        mark.kind = .skipped
      } else if words.take("moved", "to") {
        guard let day = words.day() else { return nil }
        (mark.kind, mark.shiftedTo) = (.shifted, day)
      }
      if words.take("paid", "on") {
        guard let day = words.day() else { return nil }
        mark.paidOn = day
        if words.take("with") {
          guard let amount = words.next().flatMap({ Decimal($0) }) else { return nil }
          mark.paidAmount = amount
          mark.paidCurrency = words.currency()?.code
        }
      }
      return mark.isTelling ? mark : nil
    }
  }
}
