import CivilTime
import Subscriptions
import Values

/// What happened to single charges as one cell: `2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to
/// 2026-04-02`.
enum ChargesText {
  static let allowed =
    "such as 2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to 2026-04-02"

  static func text(_ marks: [ChargeMark]) -> String { marks.telling.map(text).joined(separator: ", ") }

  private static func text(_ mark: ChargeMark) -> String {
    let kind =
      switch mark.kind {
      case .kept: ""
      case .skipped: " skipped"
      case .shifted(let day): " moved to \(day)"
      }
    let payment = mark.payment.map { payment in
      " paid on \(payment.day)\(payment.amount.map { " with \($0)" } ?? "")"
    }
    return "\(mark.occurrence)\(kind)\(payment ?? "")"
  }

  /// What was written so; an item that says nothing of its day cannot be read.
  static func marks(_ text: String) throws(ListText.Fault) -> [ChargeMark] {
    try ListText.items(text, limit: SubscriptionLimits.marks) { _, words -> ChargeMark? in
      guard let occurrence = words.day() else { return nil }
      var mark = ChargeMark(occurrence: occurrence)
      if words.take("skipped") {
        mark.kind = .skipped
      } else if words.take("moved", "to") {
        guard let day = words.day() else { return nil }
        mark.kind = .shifted(to: day)
      }
      if words.take("paid", "on") {
        guard let day = words.day() else { return nil }
        mark.payment = ChargeMark.Payment(day: day)
        if words.take("with") {
          guard let amount = words.next().flatMap({ Decimal($0) }) else { return nil }
          mark.payment?.amount = amount
        }
      }
      return mark.isTelling ? mark : nil
    }
  }
}

extension ChargeMark {
  /// Whether it says anything that the cycle does not.
  fileprivate var isTelling: Bool { kind != .kept || payment != nil }
}

extension [ChargeMark] {
  /// Those that say anything.
  var telling: [ChargeMark] { filter(\.isTelling) }
}
