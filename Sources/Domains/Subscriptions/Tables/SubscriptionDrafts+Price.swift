import DaybookProtocol
import Subscriptions
import Tables

extension SubscriptionDrafts {
  /// The price of a cycle, in the currency of the row, its column or the request. `kept` are currencies that are
  /// accepted though ISO 4217 does not list them.
  func price(_ reader: inout RowReader, kept: Set<Currency>) -> Price? {
    var currency: Currency?
    if let text = reader.raw("currency") {
      currency =
        kept.first { $0.code == text.uppercased() } ?? CurrencyText.currency(text, preferred: options.preferred)
      if currency == nil {
        reader.refuse(
          .unknownValue, "currency", "it is not a currency", allowed: "a code of ISO 4217 such as EUR, or its symbol")
      }
    }
    let allowed = "an amount such as 12.50, €12,50 or 12.50 USD"
    guard let text = reader.raw("amount") else {
      reader.refuse(.missing, "amount", "it is empty", allowed: allowed)
      return nil
    }
    let style = reader.style.mark.map { mark in
      AmountStyle(
        decimalSeparator: mark == .comma ? "," : ".", groupSeparator: mark == .comma ? "." : ",", placement: .before)
    }
    let preferred = (currency ?? columnCurrency).map { [$0] } ?? options.preferred
    switch AmountReader.read(text, style: style, preferred: preferred) {
    case .amount(let read):
      if let currency, let beside = read.currency, beside != currency {
        reader.refuse(
          .contradiction, "amount", "it is in \(beside), the currency says \(currency)", allowed: "one currency")
        return nil
      }
      // A shared symbol that resolves to no currency excludes the stated one, or it would resolve to that.
      let hasOpenSymbol = read.currency == nil && CurrencyText.hasSymbol(text)
      if let currency, hasOpenSymbol {
        reader.refuse(
          .contradiction, "amount", "its symbol does not belong to \(currency), the stated currency",
          allowed: "one currency")
        return nil
      }
      if currency == nil, read.currency == nil, !hasOpenSymbol, columnCurrency == nil, hasNumberedCurrencies,
        let number = reader.raw("currencyId")
      {
        reader.refuse(
          .missingUnit, "currencyId", "its currency is number \(number) of another program",
          allowed: "a “currency” in each row, or the program's list of “currencies” beside its subscriptions")
        return nil
      }
      guard let found = currency ?? read.currency ?? (hasOpenSymbol ? nil : columnCurrency ?? options.currency) else {
        if reader.problems.isEmpty {
          reader.refuse(
            .missingUnit, "amount", "its currency is not stated",
            allowed: "a column with the currency, a “currency”, or a code beside the amount")
        }
        return nil
      }
      return Price(read.amount, found)
    case .ambiguous(let decimal, let grouped):
      reader.refuse(
        .ambiguousNumber, "amount",
        "it is \(decimal.amount) or \(grouped.amount), depending on what the decimal mark is",
        allowed: "a “decimalMark” decides", readings: ["\(decimal.amount)", "\(grouped.amount)"])
    case .unreadable(.twoCurrencies):
      reader.refuse(.contradiction, "amount", "it has two currencies", allowed: allowed)
    case .unreadable(.tooLong):
      reader.refuse(.outOfRange, "amount", "it has too many digits", allowed: allowed)
    case .unreadable:
      reader.refuse(.notANumber, "amount", "it is not an amount", allowed: allowed)
    }
    return nil
  }

  /// The price with the range that other columns state.
  func priced(_ price: Price, _ reader: inout RowReader) -> SubscriptionPrice {
    var priced = SubscriptionPrice(Money(price))
    for (field, bound) in [("least", \SubscriptionPrice.least), ("most", \SubscriptionPrice.most)] {
      priced[keyPath: bound] = reader.number(
        field, in: Decimal(0)...SubscriptionRules.largestAmount, allowed: "an amount, or nothing"
      ) { $0 }
    }
    return priced
  }
}

extension SubscriptionDrafts {
  /// Refuses a price or share that is in its history, but not on the day the row was written.
  ///
  /// A row does not state that day, which need not be today. But its price, share and cycle held together on it, and
  /// its next charge was still to come. So a combination that never held is refused, and so is one that held only
  /// before an unpaid charge earlier than the stated one. An undecidable case is accepted.
  func compareWritten(
    _ subscription: Subscription, _ history: RowHistory, _ price: Price, _ share: PayerShare, _ cycle: BillingCycle,
    _ days: RowDays, _ reader: inout RowReader
  ) {
    let latest = days.nextCharge ?? CivilDay.allowed.upperBound
    let (hasPrice, hasShare) = (history.prices != nil, history.shares != nil && mapping.columns["share"] != nil)
    let isPriceOff = hasPrice && subscription.price(on: latest) != price
    let isShareOff = hasShare && subscription.share(on: latest) != share
    // Where a planned cycle replaced a single charge, the row has the planned cycle.
    guard isPriceOff || isShareOff, subscription.formerTermList.allSatisfy(\.cycle.isRecurring) else { return }
    let changes =
      subscription.prices.compactMap(\.from) + subscription.shareList.compactMap(\.from)
      + subscription.formerTermList.map(\.until)
    let lasts = changes.map { $0.advanced(by: -1) }.filter { $0 < latest }.sorted(by: >)
    let written = ([latest] + lasts).first { day in
      let term = subscription.term(on: day)
      return (!hasPrice || subscription.price(on: day) == price)
        && (!hasShare || subscription.share(on: day) == share)
        && term.cycle == cycle && days.anchor ?? term.anchor == term.anchor
    }
    if let written, isNext(days.nextCharge, of: subscription, on: written) { return }
    let (field, noun, list) = isPriceOff ? ("amount", "price", "Prices") : ("share", "share", "Shares")
    reader.refuse(
      .contradiction, field, "it is the \(noun) of other days than the row's",
      allowed: "what “\(list)” says of the day on which the table was written, or nothing in that column")
  }

  /// Whether a row written on `day` could name that next charge; also true for a day without a charge, which another
  /// edit explains.
  private func isNext(_ next: CivilDay?, of subscription: Subscription, on day: CivilDay) -> Bool {
    guard let next else { return true }
    let told = subscription.withoutPlannedCycle(today: day)
    return told.nextCharge(today: next)?.day != next || told.nextCharge(today: day)?.day == next
  }
}
