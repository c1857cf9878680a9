import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Subscriptions
import Values

extension SubscriptionsService {
  /// A measure on some days, ascending by day, without those of which there is none.
  func values(
    of measure: SubscriptionsMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    switch measure {
    case .charges:
      let subscriptions = try book(context).subscriptions
      guard let first = subscriptions.map(\.start).min(), first <= days.upperBound else { return [] }
      let days = max(first, days.lowerBound)...days.upperBound
      var counts = [Int](repeating: 0, count: days.dayCount)
      for sum in ChargeCalendar.days(of: subscriptions, in: days) {
        counts[Int(sum.day.daysSinceEpoch - days.lowerBound.daysSinceEpoch)] = sum.count
      }
      return counts.enumerated().map { DayValue(day: days.lowerBound.advanced(by: $0), value: Decimal(Int64($1))) }
    }
  }

  /// The charges of some days for the agenda, in the order of `charges/list`.
  func chargesAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaItem] {
    let book = try book(context)
    let style = context.locale.flatMap(AmountStyle.init(locale:)) ?? .english
    let charges = ChargeCalendar.charges(of: book.subscriptions, in: days)
    return ChargeCalendar.page(of: charges, after: nil, limit: charges.count)
      .compactMap { charge -> AgendaItem? in
        guard let subscription = book[charge.subscription] else { return nil }
        return AgendaItem(
          day: charge.day, title: subscription.name,
          detail: style.text(Price(rounding: charge.cost, charge.price.currency)),
          state: charge.isPaid || charge.day < context.today ? .done : charge.day == context.today ? .due : .planned,
          collection: .subscriptions, id: subscription.id)
      }
  }
}
