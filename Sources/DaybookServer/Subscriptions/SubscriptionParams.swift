import CivilTime
import DaybookProtocol
import JSONRPC
import Values

extension SubscriptionsAddParams {
  /// The subscription that is asked for, with what is usual where nothing is said.
  func subscription(
    id: EntityID, today: CivilDay, currency usual: String, now: Instant
  ) throws(RPCError) -> DaybookProtocol.Subscription {
    if prices != nil, amount != nil || currency != nil {
      throw RPCError(
        .invalidParams, "the price is there twice", pointer: amount != nil ? "/amount" : "/currency",
        allowed: "either “amount” and “currency” or “prices”")
    }
    guard let prices = prices ?? amount.map({ [SubscriptionPrice(amount: $0, currency: currency ?? usual)] }) else {
      throw RPCError(
        .invalidParams, "it has no price", pointer: "/amount",
        allowed: "a decimal above 0, at most 9999999999; 0 with a trial")
    }
    let anchor = anchor ?? trialEnd ?? start ?? today
    return DaybookProtocol.Subscription(
      id: id, name: name, category: category ?? .other, prices: prices,
      cycle: cycle ?? BillingCycle(kind: .recurring, every: 1, unit: .month), anchor: anchor,
      start: start ?? min(today, anchor, trialEnd?.advanced(by: -1) ?? today), trialEnd: trialEnd, end: end,
      pauses: pauses, formerTerms: formerTerms,
      contract: contract, share: share, paymentMethod: paymentMethod, tags: tags, notes: notes, url: url, usage: usage,
      reminderDays: reminderDays, marks: marks, createdAt: now, updatedAt: now)
  }
}

extension DaybookProtocol.Subscription {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: SubscriptionsAddParams) -> Bool {
    var asked = self
    asked.name = params.name
    asked.category = params.category ?? category
    if let prices = params.prices { asked.prices = prices }
    if let amount = params.amount {
      asked.prices = [SubscriptionPrice(amount: amount, currency: params.currency ?? prices.first?.currency ?? "")]
    }
    asked.cycle = params.cycle ?? cycle
    asked.anchor = params.anchor ?? anchor
    asked.start = params.start ?? start
    asked.trialEnd = params.trialEnd ?? trialEnd
    asked.end = params.end ?? end
    asked.pauses = params.pauses ?? pauses
    asked.formerTerms = params.formerTerms ?? formerTerms
    asked.contract = params.contract ?? contract
    asked.share = params.share ?? share
    asked.paymentMethod = params.paymentMethod ?? paymentMethod
    asked.tags = params.tags ?? tags
    asked.notes = params.notes ?? notes
    asked.url = params.url ?? url
    asked.usage = params.usage ?? usage
    asked.reminderDays = params.reminderDays ?? reminderDays
    asked.marks = params.marks ?? marks
    asked.tidy()
    return asked == self
  }
}

extension SubscriptionsUpdateParams {
  /// What the request makes of a subscription, and the place of the price that it names by `amount` or `currency`.
  func applied(
    to old: DaybookProtocol.Subscription, today: CivilDay
  ) throws(RPCError) -> (new: DaybookProtocol.Subscription, priced: Int?) {
    var new = old
    new.name = name ?? old.name
    new.category = category ?? old.category
    let priced = try price(&new, today: today)
    new.cycle = cycle ?? old.cycle
    new.anchor = anchor ?? old.anchor
    new.start = start ?? old.start
    new.trialEnd = trialEnd.applied(to: old.trialEnd)
    new.end = end.applied(to: old.end)
    new.pauses = pauses ?? old.pauses
    new.formerTerms = formerTerms ?? old.formerTerms
    new.contract = contract.applied(to: old.contract)
    new.share = share.applied(to: old.share)
    new.paymentMethod = paymentMethod.applied(to: old.paymentMethod)
    new.tags = tags ?? old.tags
    new.notes = notes.applied(to: old.notes)
    new.url = url.applied(to: old.url)
    new.usage = usage.applied(to: old.usage)
    new.reminderDays = reminderDays.applied(to: old.reminderDays)
    new.marks = marks ?? old.marks
    return (new, priced)
  }

  /// Puts the right prices: all of them, or the one that holds today.
  private func price(_ new: inout DaybookProtocol.Subscription, today: CivilDay) throws(RPCError) -> Int? {
    if let prices {
      if amount != nil || currency != nil {
        throw RPCError(
          .invalidParams, "the price is there twice", pointer: amount != nil ? "/amount" : "/currency",
          allowed: "either “amount” and “currency” or “prices”")
      }
      new.prices = prices
      return nil
    }
    guard amount != nil || currency != nil else { return nil }
    let place = new.prices.lastIndex { $0.from.map { $0 <= today } ?? true } ?? 0
    guard new.prices.indices.contains(place) else { return nil }
    if let amount { new.prices[place].amount = amount }
    if let currency { new.prices[place].currency = currency }
    return place
  }
}
