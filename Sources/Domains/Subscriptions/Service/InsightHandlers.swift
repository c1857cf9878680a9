import DomainKit
import Subscriptions

extension SubscriptionsService {
  func overviewGet(_ params: OverviewGetParams, _ context: inout Context) throws(RPCError) -> OverviewGetResult {
    let book = try book(context)
    return OverviewGetResult(
      book, today: params.day ?? context.today, hasAccess: context.hasPremiumAccess,
      conversion: try conversion(to: params.currency, pointer: "/currency", context),
      window: params.window ?? ChargeCalendar.defaultWindow, limit: params.limit ?? PageRequest.defaultLimit)
  }

  func budgetsStatus(_ params: BudgetsStatusParams, _ context: inout Context) throws(RPCError) -> BudgetsStatusResult {
    let (budgets, book, rates) = (try budgets(params.budgetId, context), try book(context), try rateTable(context))
    let day = params.day ?? context.today
    let statuses = budgets.flatMap {
      BudgetStatus.outlook($0, book, around: day, today: context.today, periods: params.periods ?? 1, rates: rates)
    }
    return BudgetsStatusResult(day: day, statuses: statuses, ratesDate: rates?.date, revision: book.revision)
  }

  func insightsGet(_ params: InsightsGetParams, _ context: inout Context) throws(RPCError) -> InsightsGetResult {
    guard let length = TrendLength(rawValue: params.months ?? TrendLength.sixMonths.rawValue) else {
      throw RPCError(
        .invalidParams, "there is no trend of that many months", pointer: "/months", allowed: "6, 12 or 24")
    }
    let currency = try conversion(to: params.currency, pointer: "/currency", context)?.currency
    let book = try book(context)
    return InsightsGetResult(
      book, today: context.today, trend: length, rates: try rateTable(context), currency: currency)
  }
}

extension SubscriptionsService {
  /// A measure on days, ascending; days without a value are left out.
  func values(
    of measure: SubscriptionsMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    switch measure {
    case .charges:
      let subscriptions = try book(context).subscriptions
      // A weekend may move the first charge to before the start.
      guard let first = subscriptions.map(\.start).min()?.advanced(by: -WeekendRule.reach), first <= days.upperBound
      else { return [] }
      let days = max(first, days.lowerBound)...days.upperBound
      var counts = [Int](repeating: 0, count: days.dayCount)
      for sum in ChargeCalendar.days(of: subscriptions, in: days) {
        counts[Int(sum.day.daysSinceEpoch - days.lowerBound.daysSinceEpoch)] = sum.count
      }
      return counts.enumerated().map { DayValue(day: days.lowerBound.advanced(by: $0), value: Decimal(Int64($1))) }
    }
  }

  /// The charges of some days for the agenda, in the order of `charges/list`.
  func chargesAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> AgendaPart {
    let book = try book(context)
    let style = context.locale.flatMap(AmountStyle.init(locale:)) ?? .english
    let charges = ChargeCalendar.charges(of: book.subscriptions, in: days)
    let items = ChargeCalendar.page(of: charges, after: nil, limit: charges.count)
      .compactMap { charge -> AgendaItem? in
        guard let subscription = book[charge.subscription] else { return nil }
        return AgendaItem(
          day: charge.day, title: subscription.name,
          detail: style.text(Price(rounding: charge.cost, charge.price.currency)),
          value: Price(rounding: charge.cost, charge.price.currency).amount.normalized,
          unit: charge.price.currency.code,
          state: charge.isPaid || charge.day < context.today ? .done : charge.day == context.today ? .due : .planned,
          collection: .subscriptions, id: subscription.id, subscriptionId: subscription.id)
      }
    return AgendaPart(counting: items, as: "paid or past")
  }
}
