import DaybookProtocol

extension SubscriptionRules {
  /// The first value that the rules cannot understand, such as one of a later version; nil when there is none. Values
  /// that the rules forbid are not looked for.
  package static func formRefusal(of subscription: Subscription) -> Refusal? {
    do throws(Refusal) {
      try checkPrices(subscription.prices)
      try checkShares(subscription.shares ?? [])
      try subscription.cycle.checkForm("/cycle")
      for (index, term) in subscription.formerTermList.enumerated() {
        try term.cycle.checkForm("/formerTerms/\(index)/cycle")
      }
      for (index, part) in (subscription.household ?? []).enumerated() {
        try PayerShare(numerator: part.numerator, denominator: part.denominator).checkForm("/household/\(index)")
      }
      try subscription.contract?.checkForm()
      for (index, mark) in subscription.markList.enumerated() { try mark.checkForm("/marks/\(index)") }
      return nil
    } catch { return error }
  }

  private static func checkPrices(_ prices: [SubscriptionPrice]) throws(Refusal) {
    if prices.isEmpty {
      throw Refusal("/prices", .missing, "there is no price", allowed: "1 to 1000 prices")
    }
    try checkHistory(prices, "price", "/prices") { price, pointer throws(Refusal) in
      try Currency.checkForm(price.currency, "\(pointer)/currency")
    }
  }

  private static func checkShares(_ shares: [SubscriptionShare]) throws(Refusal) {
    try checkHistory(shares, "share", "/shares") { share, pointer throws(Refusal) in
      try share.share.checkForm(pointer)
    }
  }

  /// Checks that only the first value has no day.
  private static func checkHistory<Element: EffectiveDated>(
    _ list: [Element], _ noun: String, _ pointer: String,
    _ check: (Element, String) throws(Refusal) -> Void
  ) throws(Refusal) {
    for (index, element) in list.enumerated() {
      if index == 0, element.from != nil {
        throw Refusal(
          "\(pointer)/0/from", .conflict, "the first \(noun) holds before all others",
          allowed: "no day in the first \(noun)")
      }
      if index > 0, element.from == nil {
        throw Refusal(
          "\(pointer)/\(index)/from", .missing, "the \(noun) has no first day",
          allowed: "a day in every \(noun) but the first")
      }
      try check(element, "\(pointer)/\(index)")
    }
  }
}

extension Currency {
  /// Refuses a text that is not a currency code.
  package static func checkForm(_ code: String, _ pointer: @autoclosure () -> String) throws(Refusal) {
    guard Currency(code) == nil else { return }
    throw Refusal(
      pointer(), .form, "this is not a currency: \(code)", allowed: "a code of ISO 4217 in capitals, such as USD")
  }
}

extension CycleUnit {
  fileprivate func checkForm(_ pointer: @autoclosure () -> String) throws(Refusal) {
    guard case .unknown = self else { return }
    throw Refusal(pointer(), .form, "this unit is not known", allowed: "day, week, month or year")
  }
}

extension BillingCycle {
  /// Refuses a cycle without a unit, or one that is charged once and has one.
  package func checkForm(_ pointer: String) throws(Refusal) {
    switch kind {
    case .recurring:
      guard let unit else {
        throw Refusal(
          "\(pointer)/unit", .missing, "the unit is missing", allowed: "day, week, month or year")
      }
      try unit.checkForm("\(pointer)/unit")
      try checkDays(unit, pointer)
    case .once, .lifetime:
      guard let name = repeating else { return }
      throw Refusal(
        "\(pointer)/\(name)", .conflict, "a single charge has no repetition", allowed: "“kind” alone")
    case .unknown:
      throw Refusal(
        "\(pointer)/kind", .form, "this kind is not known", allowed: "recurring, once or lifetime")
    }
  }
}

extension Contract {
  fileprivate func checkForm() throws(Refusal) {
    try notice?.unit.checkForm("/contract/notice/unit")
    guard let renewal else { return }
    guard BillingCycle.allowedCounts.contains(renewal.count) else {
      throw Refusal(
        "/contract/renewal/count", .range, "out of range: \(renewal.count)", allowed: "an integer from 1 to 1000")
    }
    try renewal.unit.checkForm("/contract/renewal/unit")
  }
}

extension PayerShare {
  /// Refuses more than the whole.
  package func checkForm(_ pointer: String) throws(Refusal) {
    guard PayerShare(numerator, of: denominator) == nil else { return }
    throw Refusal(
      "\(pointer)/numerator", .range, "the share is more than the whole",
      allowed: "an integer from 1 to the denominator")
  }
}

extension ChargeMark {
  fileprivate func checkForm(_ pointer: @autoclosure () -> String) throws(Refusal) {
    if paidOn == nil, paidAmount != nil {
      throw Refusal(
        "\(pointer())/paidOn", .missing, "the day of the payment is missing", allowed: "a day beside “paidAmount”")
    }
    if let paidCurrency {
      if paidAmount == nil {
        throw Refusal(
          "\(pointer())/paidAmount", .missing, "the paid amount is missing",
          allowed: "an amount beside “paidCurrency”")
      }
      try Currency.checkForm(paidCurrency, "\(pointer())/paidCurrency")
    }
    switch (kind, shiftedTo) {
    case (.kept, nil), (.skipped, nil), (.shifted, .some): return
    case (.shifted, nil):
      throw Refusal(
        "\(pointer())/shiftedTo", .missing, "the new day is missing", allowed: "a day")
    case (.unknown, _):
      throw Refusal(
        "\(pointer())/kind", .form, "this kind is not known", allowed: "kept, skipped or shifted")
    case (_, .some):
      throw Refusal(
        "\(pointer())/shiftedTo", .conflict, "only a shifted charge comes on another day", allowed: "nothing")
    }
  }
}

/// Checks of the days, weekdays and weekends of a cycle.
extension BillingCycle {
  /// The first member that only a recurring cycle may have; nil when it has none.
  var repeating: String? {
    let said = [
      ("every", every != nil), ("unit", unit != nil), ("days", days != nil), ("weekday", weekday != nil),
      ("week", week != nil), ("weekend", weekend != nil), ("times", times != nil),
    ]
    return said.first { $0.1 }?.0
  }

  /// Refuses days that the unit does not have, that repeat, or that may fall together.
  func checkDays(_ unit: CycleUnit, _ pointer: String) throws(Refusal) {
    try checkWeekday(unit, pointer)
    if let weekend {
      if case .unknown = weekend {
        throw Refusal("\(pointer)/weekend", .form, "this rule is not known", allowed: "before or after")
      }
      if unit == .day {
        throw Refusal(
          "\(pointer)/weekend", .conflict, "a cycle counted in days has no weekend rule",
          allowed: "nothing, or another “unit”")
      }
    }
    if let times, !BillingCycle.allowedCounts.contains(times) {
      throw Refusal("\(pointer)/times", .range, "out of range: \(times)", allowed: "an integer from 1 to 1000")
    }
    guard let days, !days.isEmpty else { return }
    guard unit == .month else {
      throw Refusal("\(pointer)/days", .conflict, "only months have days", allowed: "nothing, or the unit month")
    }
    for (place, day) in days.enumerated() {
      guard (1...28).contains(day) || day == 31 else {
        throw Refusal(
          "\(pointer)/days/\(place)", .range, "not a day of every month: \(day)",
          allowed: "an integer from 1 to 28, or 31 for the last")
      }
    }
    // The next day in the shortest month; after the last day, the first one of the next month.
    let least = weekend == nil ? 1 : 3
    for (place, day) in days.enumerated() {
      let next = place + 1 < days.count ? min(days[place + 1], 28) : days[0] + 28
      guard days.count == 1 || next - min(day, 28) >= least else {
        throw Refusal(
          "\(pointer)/days/\((place + 1) % days.count)", .order, "two days are too close, or not in order",
          allowed: weekend == nil
            ? "ascending days, each once, and not both 28 and 31" : "ascending days, at least 3 apart beside “weekend”")
      }
    }
  }

  private func checkWeekday(_ unit: CycleUnit, _ pointer: String) throws(Refusal) {
    guard weekday != nil || week != nil else { return }
    guard unit == .month || unit == .year else {
      throw Refusal(
        "\(pointer)/\(weekday != nil ? "weekday" : "week")", .conflict, "only months and years have such a day",
        allowed: "nothing, or the unit month or year")
    }
    guard let week, week != 0, (-1...4).contains(week) else {
      throw Refusal(
        "\(pointer)/week", week == nil ? .missing : .range, "the weekday of the month is not specified",
        allowed: "an integer from 1 to 4, or -1 for the last")
    }
    guard weekday != nil else {
      throw Refusal("\(pointer)/weekday", .missing, "there is no weekday", allowed: "monday to sunday beside “week”")
    }
    guard (days ?? []).isEmpty else {
      throw Refusal(
        "\(pointer)/days", .conflict, "a weekday is in place of days of the month", allowed: "“days” or “weekday”")
    }
  }
}
