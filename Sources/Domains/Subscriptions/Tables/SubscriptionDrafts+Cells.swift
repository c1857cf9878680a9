import CivilTime
import DaybookProtocol
import Subscriptions
import Tables
import Values

/// The cells of a row, one by one; what is wrong with one is noted in the reader.
extension SubscriptionDrafts {
  func name(_ reader: inout RowReader) -> String? {
    guard isOurs else { return reader.text("name", longest: SubscriptionLimits.name.upperBound, isRequired: true) }
    guard reader.raw("name") != nil else {
      reader.refuse(.missing, "name", "it is empty", allowed: "1 to 200 characters")
      return nil
    }
    return ours("name", reader)
  }

  /// A text of our own as it was written, white space and all.
  private func ours(_ field: String, _ reader: RowReader) -> String? {
    reader.verbatim(field).map { CellText.restored($0) }
  }

  func category(_ reader: inout RowReader) -> SubscriptionCategory {
    guard let text = reader.raw("category") else { return .other }
    if let category = SubscriptionCategory.known.first(where: { $0.rawValue == text.lowercased() }) { return category }
    guard isOurs else { return CategoryText.category(text) }
    reader.refuse(
      .unknownValue, "category", "it is no category",
      allowed: SubscriptionCategory.known.map(\.rawValue).joined(separator: ", "))
    return .other
  }

  func status(_ reader: inout RowReader) -> SubscriptionStatus? {
    guard let text = reader.raw("status") else { return nil }
    switch TableHeader.key(text) {
    case "active", "enabled", "yes", "true", "1", "on", "current", "running": return .active
    case "trial", "trialing", "free trial", "on trial": return .trial
    case "paused", "on hold", "suspended", "frozen": return .paused
    case "cancelled", "canceled", "inactive", "disabled", "expired", "ended", "no", "false", "0", "off":
      return .cancelled
    default:
      reader.refuse(.unknownValue, "status", "it is no state", allowed: "trial, active, paused, cancelled")
      return nil
    }
  }

  func contract(_ reader: inout RowReader) -> Contract? {
    let end = reader.day("contractEnd", isRequired: false)
    var notice: CalendarSpan?
    var renewal: CalendarSpan?
    for field in ["notice", "renewal"] {
      guard let text = reader.raw(field) else { continue }
      if end == nil, reader.raw("contractEnd") == nil {
        reader.refuse(.contradiction, field, "there is no contract", allowed: "nothing, without the end of a contract")
        continue
      }
      guard let span = SpanText.span(text), field == "notice" || span.count > 0 else {
        reader.refuse(.malformed, field, "it is no length of time", allowed: "such as 30 days or 3 months")
        continue
      }
      if field == "notice" {
        // No notice has one form.
        notice = span.count > 0 ? CalendarSpan(span.count, span.unit) : nil
      } else {
        renewal = CalendarSpan(span.count, span.unit)
      }
    }
    return end.map { Contract(end: $0, notice: notice, renewal: renewal) }
  }

  func texts(
    _ reader: inout RowReader
  ) -> (paymentMethod: String?, tags: [String], note: String?, url: String?) {
    if isOurs {
      return (
        ours("paymentMethod", reader), TagsText.tags(ours("tags", reader) ?? ""), ours("note", reader),
        ours("url", reader)
      )
    }
    let method = reader.text("paymentMethod", longest: SubscriptionLimits.paymentMethod)
    // Others may tell tags apart that are one here.
    var seen: Set<String> = []
    let tags = TagsText.foreignTags(reader.raw("tags") ?? "").filter { seen.insert(NameFolding.fold($0)).inserted }
    let note = reader.text("note", longest: SubscriptionLimits.note)
    var url = reader.text("url", longest: SubscriptionLimits.url)
    // As people write it.
    if let text = url, !text.contains(text: "://"), text.contains("."), !text.contains(" ") { url = "https://\(text)" }
    return (method, tags, note, url)
  }

  /// Who has to do with it, what they call it, and until when it is to be cancelled.
  func people(
    _ reader: inout RowReader
  ) -> (
    ownCategory: String?, paidBy: String?, household: [HouseholdPart]?, cancelBy: CivilDay?, replacedById: EntityID?
  ) {
    let paidBy = isOurs ? ours("paidBy", reader) : reader.text("paidBy", longest: SubscriptionLimits.person)
    var household: [HouseholdPart]?
    if let text = ours("household", reader) {
      household = HouseholdText.parts(text)
      if household == nil {
        reader.refuse(.malformed, "household", "these are no parts", allowed: HouseholdText.allowed)
      }
    }
    return (
      ours("ownCategory", reader), paidBy, household, reader.day("cancelBy", isRequired: false),
      isOurs ? reader.id("replacedById") : nil
    )
  }

  func share(_ reader: inout RowReader) -> PayerShare {
    guard let text = reader.raw("share"), text.lowercased() != "all" else { return .whole }
    if let share = ShareText.share(text) { return share }
    reader.refuse(.malformed, "share", "it is no share", allowed: "such as 1 of 3, of 1000 at most, or “all”")
    return .whole
  }

  func usage(_ reader: inout RowReader) -> UsageRating? {
    guard let text = reader.raw("usage") else { return nil }
    if let usage = UsageRating.known.first(where: { $0.rawValue == text.lowercased() }) { return usage }
    reader.refuse(
      .unknownValue, "usage", "it is no rating",
      allowed: UsageRating.known.map(\.rawValue).joined(separator: ", "))
    return nil
  }

  func reminderDays(_ reader: inout RowReader) -> [Int]? {
    guard let text = reader.raw("reminderDays") else { return nil }
    if let days = ReminderDaysText.days(text) { return days }
    reader.refuse(
      .malformed, "reminderDays", "these are no days", allowed: "numbers from 0 to 30 with semicolons, or “never”")
    return nil
  }
}
