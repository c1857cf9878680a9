import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Subscriptions

extension SubscriptionsService {
  func overviewGet(_ params: OverviewGetParams, _ context: inout Context) throws(RPCError) -> OverviewGetResult {
    let book = try book(context)
    var request = OverviewRequest(today: params.day ?? context.today, hasAccess: context.hasPremiumAccess)
    request.conversion = try conversion(to: params.currency, pointer: "/currency", context)
    request.window = params.window ?? ChargeCalendar.usualWindow
    request.limit = params.limit ?? PageRequest.defaultLimit
    return OverviewGetResult(book, request)
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
      throw RPCError(.invalidParams, "there is no trend of so many months", pointer: "/months", allowed: "6, 12 or 24")
    }
    let currency = try conversion(to: params.currency, pointer: "/currency", context)?.currency
    let book = try book(context)
    return InsightsGetResult(
      book, today: context.today, trend: length, rates: try rateTable(context), currency: currency)
  }
}
