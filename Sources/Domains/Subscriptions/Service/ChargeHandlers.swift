import DomainKit
import Subscriptions

extension SubscriptionsService {
  func chargesList(_ params: ChargesListParams, _ context: inout Context) throws(RPCError) -> ChargesListResult {
    let after = try params.cursor.map { text throws(RPCError) in
      guard let place = PlannedCharge.Place(cursor: text) else {
        throw RPCError(
          .invalidParams, "this is not a cursor of “charges/list”", pointer: "/cursor",
          allowed: "the “nextCursor” of the page before")
      }
      return place
    }
    let (book, subscriptions, range) = try selection(
      context, params.from, params.to, params.subscriptionIds, params.category)
    let charges = ChargeCalendar.charges(of: subscriptions, in: range)
    let limit = params.limit ?? PageRequest.defaultLimit
    // One more tells whether there is another page.
    let page = ChargeCalendar.page(of: charges, after: after, limit: limit + 1)
    return ChargesListResult(
      charges: book.charges(page.prefix(limit), today: context.today), total: charges.count,
      totals: ChargeCalendar.totals(of: charges).rounded,
      nextCursor: page.count > limit ? page.prefix(limit).last?.place.cursor : nil,
      revision: book.revision)
  }

  func chargesCalendar(_ params: ChargesCalendarParams, _ context: inout Context) throws(RPCError)
    -> ChargesCalendarResult
  {
    let (book, subscriptions, range) = try selection(
      context, params.from, params.to, params.subscriptionIds, params.category)
    let days = ChargeCalendar.days(of: subscriptions, in: range)
    return ChargesCalendarResult(
      days: days.map { ChargeDay($0) }, total: days.reduce(0) { $0 + $1.count },
      totals: days.reduce(into: CurrencyTotals()) { $0.add($1.totals) }.rounded,
      revision: book.revision)
  }

  /// The requested subscriptions and days.
  private func selection(
    _ context: Context, _ from: CivilDay?, _ to: CivilDay?, _ ids: [EntityID]?, _ category: SubscriptionCategory?
  ) throws(RPCError) -> (SubscriptionBook, [Subscription], ClosedRange<CivilDay>) {
    let from = from ?? to.map { min($0, context.today) } ?? context.today
    let to = to ?? from.advanced(by: ChargeCalendar.defaultWindow - 1)
    let last = from.advanced(by: ChargeCalendar.allowedWindow.upperBound - 1)
    let days = try RPCError.days(from, to, upTo: last)
    let book = try book(context)
    guard ids != nil || category != nil else {
      return (book, book.subscriptions, days)
    }
    let wanted = ids.map { Set($0) }
    let found = book.subscriptions.filter { subscription in
      (wanted?.contains(subscription.id) ?? true)
        && (category.map { $0.orOther == subscription.category.orOther } ?? true)
    }
    return (book, found, days)
  }

  func chargesPay(_ params: ChargesPayParams, _ context: inout Context) throws(RPCError) -> ChangedSubscription {
    let today = context.today
    return try mark(params.subscriptionId, params.occurrence, basedOn: params.revision, &context) {
      old, plan throws(RPCError) in
      guard old.kind != .skipped else {
        throw RPCError(
          .invalidParams, "the charge was skipped", pointer: "/occurrence", allowed: "a charge that comes",
          hint: "“charges/reset” undoes that")
      }
      if params.currency != nil, params.amount == .null || (params.amount == .absent && old.paidAmount == nil) {
        throw RPCError(
          .invalidParams, "there is a currency without an amount", pointer: "/currency", allowed: "“amount” beside it")
      }
      var new = old
      (new.paidOn, new.paidAmount) = (params.day ?? old.paidOn ?? today, params.amount.applied(to: old.paidAmount))
      new.paidCurrency = params.currency ?? (params.amount == .null ? nil : old.paidCurrency)
      // A repeated payment keeps its amount; one without an amount gets the present price.
      let isCleared = params.amount == .null
      if isCleared { (new.paidAmount, new.paidCurrency) = (nil, nil) }
      let price = isCleared ? plan.unpaidPrice(of: new.occurrence) : plan.charge(of: new.occurrence)?.price
      return price.map { new.paying($0) } ?? new
    }
  }

  func chargesSkip(_ params: ChargesSkipParams, _ context: inout Context) throws(RPCError) -> ChangedSubscription {
    try mark(params.subscriptionId, params.occurrence, basedOn: params.revision, &context) { mark, _ in
      ChargeMark(occurrence: mark.occurrence, kind: .skipped)
    }
  }

  func chargesShift(_ params: ChargesShiftParams, _ context: inout Context) throws(RPCError) -> ChangedSubscription {
    try mark(params.subscriptionId, params.occurrence, basedOn: params.revision, &context) { mark, _ in
      let isKept = params.to == mark.occurrence
      return ChargeMark(
        occurrence: mark.occurrence, kind: isKept ? .kept : .shifted, shiftedTo: isKept ? nil : params.to,
        paidOn: mark.paidOn, paidAmount: mark.paidAmount, paidCurrency: mark.paidCurrency)
    }
  }

  func chargesReset(_ params: ChargesResetParams, _ context: inout Context) throws(RPCError) -> ChangedSubscription {
    try mark(params.subscriptionId, params.occurrence, basedOn: params.revision, isReset: true, &context) { mark, _ in
      ChargeMark(occurrence: mark.occurrence, kind: .kept)
    }
  }

  /// Marks an existing charge.
  private func mark(
    _ id: EntityID, _ occurrence: CivilDay, basedOn base: Int?, isReset: Bool = false, _ context: inout Context,
    _ mark: (ChargeMark, Subscription) throws(RPCError) -> ChargeMark
  ) throws(RPCError) -> ChangedSubscription {
    let names = { (new: Subscription) -> [String: String] in
      guard let place = new.marks?.firstIndex(where: { $0.occurrence == occurrence }) else { return [:] }
      let pointer = "/marks/\(place)"
      return [
        "\(pointer)/shiftedTo": "/to", "\(pointer)/paidOn": "/day", "\(pointer)/paidAmount": "/amount",
        "\(pointer)/occurrence": "/occurrence",
        "\(pointer)/paidCurrency": "/currency",
        "/marks": "/occurrence",
      ]
    }
    return try change(id, basedOn: base, pointer: "/subscriptionId", names: names, &context) { plan throws(RPCError) in
      let known = plan.markList.mark(on: occurrence)
      // The mark of an occurrence that no longer exists can only be reset.
      guard plan.hasCharge(of: occurrence) || (isReset && known != nil) else {
        throw RPCError(
          .chargeNotFound, "there is no charge on this day of the cycle", pointer: "/occurrence",
          allowed: plan.nearestCharges(to: occurrence), hint: "“charges/list” lists the “occurrence” of each charge")
      }
      let mark = try mark(known ?? ChargeMark(occurrence: occurrence, kind: .kept), plan)
      let marked = plan.marking(mark)
      if let day = mark.shiftedTo { try SubscriptionsService.refuseIdle(day, of: marked) }
      return marked
    }
  }
}

extension SubscriptionsService {
  /// Refuses to shift a charge to a day without charges.
  private static func refuseIdle(_ day: CivilDay, of plan: Subscription) throws(RPCError) {
    let reason: String
    switch plan.status(on: day) {
    case .active, .unknown: return
    case .trial: reason = "the trial lasts until \(plan.trialEnd ?? day)"
    case .paused: reason = "the subscription is paused then"
    case .cancelled where plan.end == nil: return
    case .cancelled: reason = "the subscription has been over since \(plan.end ?? day)"
    }
    throw RPCError(
      .invalidParams, "nothing can be charged on \(day): \(reason)", pointer: "/to",
      allowed: "a day on which the subscription is active")
  }
}
