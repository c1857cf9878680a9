import DaybookProtocol
import Subscriptions
import Tables

/// Reads the cells of a row; problems go to the reader.
extension SubscriptionDrafts {
  func name(_ reader: inout RowReader) -> String? {
    guard isOurs else { return reader.text("name", longest: SubscriptionLimits.name.upperBound, isRequired: true) }
    guard reader.trimmed("name") != nil else {
      reader.refuse(.missing, "name", "it is empty", allowed: "1 to 200 characters")
      return nil
    }
    return ours("name", reader)
  }

  /// A text of our own table, unchanged, white space included.
  private func ours(_ field: String, _ reader: RowReader) -> String? {
    reader.verbatim(field).map { CellText.restored($0) }
  }

  func category(_ reader: inout RowReader) -> SubscriptionCategory {
    guard let text = reader.raw("category") else { return .other }
    if let category = SubscriptionCategory.known.first(where: { $0.rawValue == text.lowercased() }) { return category }
    guard isOurs else { return CategoryText.category(text) }
    reader.refuse(
      .unknownValue, "category", "it is not a category",
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
      reader.refuse(.unknownValue, "status", "it is not a status", allowed: "trial, active, paused, cancelled")
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
        reader.refuse(.malformed, field, "it is not a length of time", allowed: "such as 30 days or 3 months")
        continue
      }
      if field == "notice" {
        // A notice of 0 is stored as none.
        notice = span.count > 0 ? CalendarSpan(span.count, span.unit) : nil
      } else {
        renewal = CalendarSpan(span.count, span.unit)
      }
    }
    return end.map { Contract(end: $0, notice: notice, renewal: renewal) }
  }

  /// Reads the free texts and the members about people into `subscription`.
  func readTexts(_ reader: inout RowReader, into subscription: inout Subscription) {
    if isOurs {
      subscription.paymentMethod = ours("paymentMethod", reader)
      subscription.tags = TagsText.tags(ours("tags", reader) ?? "")
      (subscription.note, subscription.url) = (ours("note", reader), ours("url", reader))
      return
    }
    subscription.paymentMethod = reader.text("paymentMethod", longest: SubscriptionLimits.paymentMethod)
    // Other programs may distinguish tags that are equal here.
    var seen: Set<String> = []
    subscription.tags = TagsText.foreignTags(reader.raw("tags") ?? "")
      .filter { seen.insert(NameFolding.fold($0)).inserted }
    subscription.note = reader.text("note", longest: SubscriptionLimits.note)
    subscription.url = reader.text("url", longest: SubscriptionLimits.url)
    // People leave out the scheme.
    if let text = subscription.url, !text.contains(text: "://"), text.contains("."), !text.contains(" ") {
      subscription.url = "https://\(text)"
    }
  }

  /// Reads payers, own category, deadline and replacement into `subscription`.
  func readPeople(_ reader: inout RowReader, into subscription: inout Subscription) {
    subscription.paidBy = isOurs ? ours("paidBy", reader) : reader.text("paidBy", longest: SubscriptionLimits.person)
    if let text = ours("household", reader) {
      subscription.household = HouseholdText.parts(text)
      if subscription.household == nil {
        reader.refuse(.malformed, "household", "the parts cannot be read", allowed: HouseholdText.allowed)
      }
    }
    subscription.ownCategory = ours("ownCategory", reader)
    subscription.cancelBy = reader.day("cancelBy", isRequired: false)
    if isOurs { subscription.replacedById = reader.id("replacedById") }
  }

  func share(_ reader: inout RowReader) -> PayerShare {
    guard let text = reader.raw("share"), text.lowercased() != "all" else { return .whole }
    if let share = ShareText.share(text) { return share }
    reader.refuse(.malformed, "share", "it is not a share", allowed: "such as 1 of 3, of 1000 at most, or “all”")
    return .whole
  }

  func usage(_ reader: inout RowReader) -> UsageRating? {
    guard let text = reader.raw("usage") else { return nil }
    if let usage = UsageRating.known.first(where: { $0.rawValue == text.lowercased() }) { return usage }
    reader.refuse(
      .unknownValue, "usage", "it is not a rating",
      allowed: UsageRating.known.map(\.rawValue).joined(separator: ", "))
    return nil
  }

  func reminderDays(_ reader: inout RowReader) -> [Int]? {
    guard let text = reader.raw("reminderDays") else { return nil }
    if let days = ReminderDaysText.days(text) { return days }
    reader.refuse(
      .malformed, "reminderDays", "these are not lead days", allowed: "numbers from 0 to 30 with semicolons, or “never”"
    )
    return nil
  }
}

extension SubscriptionDrafts {
  /// The billing cycle with the rule of its own column.
  func cycle(_ reader: inout RowReader) -> BillingCycle? {
    let plain = isOurs ? plainCycle(&reader) : foreignCycle(&reader)
    guard let plain, let rule = reader.raw("rule") else { return plain }
    guard plain.isRecurring else {
      reader.refuse(.contradiction, "rule", "it is charged once", allowed: "nothing")
      return nil
    }
    guard let cycle = CycleRuleText.cycle(plain, rule) else {
      reader.refuse(.malformed, "rule", "it is not a rule of a cycle", allowed: CycleRuleText.allowed)
      return nil
    }
    return cycle
  }

  /// The cycle in the two columns of our own table.
  private func plainCycle(_ reader: inout RowReader) -> BillingCycle? {
    let allowed = "day, week, month, year, once, lifetime"
    guard let unit = reader.raw("unit") else {
      reader.refuse(.missing, "unit", "it is empty", allowed: allowed)
      return nil
    }
    guard let cycle = BillingCycle.all.first(where: { $0.unitName == unit.lowercased() }) else {
      reader.refuse(.unknownValue, "unit", "it is not a unit of time", allowed: allowed)
      return nil
    }
    guard reader.raw("every") != nil else { return cycle }
    guard cycle.isRecurring else {
      reader.refuse(.contradiction, "every", "it is charged once", allowed: "nothing, beside “\(unit)”")
      return nil
    }
    return every(&reader).flatMap { cycle.times($0) }
  }

  private func every(_ reader: inout RowReader) -> Int? {
    reader.number("every", in: Decimal(1)...Decimal(1000), allowed: "a whole number from 1 to 1000") { number in
      number.normalized.scale == 0 ? number : nil
    }?.units(ofScale: 0).map { Int($0) }
  }

  /// The cycle as other programs write it.
  private func foreignCycle(_ reader: inout RowReader) -> BillingCycle? {
    let allowed = "such as weekly, monthly, every 3 months, yearly, once, lifetime"
    guard let text = reader.raw("cycle") else {
      // Without a column for it, assume the most common cycle.
      if mapping.columns["cycle"] == nil, mapping.columns["every"] == nil { return .monthly }
      reader.refuse(.missing, "cycle", "it is empty", allowed: allowed)
      return nil
    }
    guard let cycle = CycleText.cycle(text) else {
      reader.refuse(.unknownValue, "cycle", "it is not a cycle", allowed: allowed)
      return nil
    }
    guard reader.raw("every") != nil, cycle.isRecurring else { return cycle }
    guard let count = every(&reader) else { return nil }
    guard let times = cycle.times(count) else {
      reader.refuse(.outOfRange, "every", "it is out of range", allowed: "a whole number from 1 to 1000")
      return nil
    }
    return times
  }
}

extension BillingCycle {
  /// One cycle for each unit.
  fileprivate static let all: [BillingCycle] = CycleUnit.known.map { .every(1, $0) } + [.once, .lifetime]
}
