import CivilTime
import DaybookProtocol
import JSONRPC
import Premium
import Subscriptions
import Values

extension Session {
  func overviewGet(_ params: OverviewGetParams) throws(RPCError) -> OverviewGetResult {
    let book = try subscriptionBook()
    let day = params.day ?? today
    let overview = Overview.make(
      book.plans,
      OverviewRequest(
        today: day, window: params.window ?? ChargeCalendar.usualWindow,
        conversion: try conversion(to: params.currency, pointer: "/currency"), hasAccess: hasPremiumAccess))
    let premium = overview.premium
    return OverviewGetResult(
      day: day, counts: DaybookProtocol.StatusCounts(overview.counts),
      monthly: overview.monthly.map { DaybookProtocol.Money($0) },
      monthlyConverted: overview.monthlyConverted.map { DaybookProtocol.ConvertedTotal($0) },
      monthlyAfterTrials: overview.monthlyAfterTrials.map { DaybookProtocol.Money($0) },
      upcoming: book.wire(overview.upcoming.prefix(params.limit ?? SessionConstants.pageSize), today: day),
      upcomingCount: overview.upcoming.count, upcomingTotals: ChargeCalendar.totals(of: overview.upcoming).wire,
      showUnlockHint: overview.showUnlockHint, yearly: premium?.yearly.map { DaybookProtocol.Money($0) },
      yearlyConverted: premium?.yearlyConverted.map { DaybookProtocol.ConvertedTotal($0) },
      projection: premium?.projection.map { DaybookProtocol.Money($0) },
      months: premium?.months.map { DaybookProtocol.MonthCosts($0) },
      heaviest: premium?.heaviest.map {
        DaybookProtocol.MonthPeak(month: $0.month, total: DaybookProtocol.Money($0.total))
      }, savings: premium?.savings.map { DaybookProtocol.Money($0) },
      costPerDay: premium?.costPerDay.map { DaybookProtocol.Money($0) },
      gatedFields: overview.gatedFields.map {
        DaybookProtocol.GatedField(name: $0.name, feature: DaybookProtocol.Feature($0.feature))
      }, revision: book.revision)
  }
}

extension DaybookProtocol.StatusCounts {
  fileprivate init(_ counts: Subscriptions.StatusCounts) {
    self.init(trial: counts.trial, active: counts.active, paused: counts.paused, cancelled: counts.cancelled)
  }
}

extension DaybookProtocol.ConvertedTotal {
  /// The same to a client.
  init(_ total: Subscriptions.ConvertedTotal) {
    self.init(
      amount: total.amount.map { DaybookProtocol.Money($0) }, date: total.date, missing: total.missing.map(\.code))
  }
}

extension DaybookProtocol.MonthCosts {
  /// The same to a client.
  init(_ month: Subscriptions.MonthCosts) {
    self.init(month: month.month, count: month.count, totals: month.totals.wire)
  }
}
