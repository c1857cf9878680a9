import CivilTime
import DaybookProtocol
import Values

extension SubscriptionRules {
  /// The first thing of a subscription's form that no rule could make sense of, such as a value of a later version; nil when
  /// there is none. What the rules themselves forbid is not looked for.
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

  /// That of a list only the first has no day.
  private static func checkHistory<Element: HeldFromDay>(
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
  /// Refuses what is no code of a currency.
  package static func checkForm(_ code: String, _ pointer: @autoclosure () -> String) throws(Refusal) {
    guard Currency(code) == nil else { return }
    throw Refusal(
      pointer(), .form, "this is no currency: \(code)", allowed: "a code of ISO 4217 in capitals, such as USD")
  }
}

extension CycleUnit {
  fileprivate func checkForm(_ pointer: @autoclosure () -> String) throws(Refusal) {
    guard case .unknown = self else { return }
    throw Refusal(pointer(), .form, "this unit is not known", allowed: "day, week, month or year")
  }
}

extension BillingCycle {
  /// Refuses a cycle of which it is not said what it counts, or that counts something and comes once.
  package func checkForm(_ pointer: String) throws(Refusal) {
    switch kind {
    case .recurring:
      guard let unit else {
        throw Refusal(
          "\(pointer)/unit", .missing, "it is not said what is counted", allowed: "day, week, month or year")
      }
      try unit.checkForm("\(pointer)/unit")
      try checkDays(unit, pointer)
    case .once, .lifetime:
      guard let name = repeating else { return }
      throw Refusal(
        "\(pointer)/\(name)", .conflict, "what is charged once is not repeated", allowed: "“kind” alone")
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
  /// Refuses what is more than all of it.
  package func checkForm(_ pointer: String) throws(Refusal) {
    guard PayerShare(numerator, of: denominator) == nil else { return }
    throw Refusal(
      "\(pointer)/numerator", .range, "one pays more than all of it", allowed: "an integer from 1 to the denominator")
  }
}

extension ChargeMark {
  fileprivate func checkForm(_ pointer: @autoclosure () -> String) throws(Refusal) {
    if paidOn == nil, paidAmount != nil {
      throw Refusal(
        "\(pointer())/paidOn", .missing, "it is not said when it was paid", allowed: "a day beside “paidAmount”")
    }
    if let paidCurrency {
      if paidAmount == nil {
        throw Refusal(
          "\(pointer())/paidAmount", .missing, "it is not said how much was paid",
          allowed: "an amount beside “paidCurrency”")
      }
      try Currency.checkForm(paidCurrency, "\(pointer())/paidCurrency")
    }
    switch (kind, shiftedTo) {
    case (.kept, nil), (.skipped, nil), (.shifted, .some): return
    case (.shifted, nil):
      throw Refusal(
        "\(pointer())/shiftedTo", .missing, "it is not said to which day it was shifted", allowed: "a day")
    case (.unknown, _):
      throw Refusal(
        "\(pointer())/kind", .form, "this kind is not known", allowed: "kept, skipped or shifted")
    case (_, .some):
      throw Refusal(
        "\(pointer())/shiftedTo", .conflict, "only what was shifted comes on another day", allowed: "nothing")
    }
  }
}
