import CivilTime
import DaybookProtocol
import JSONRPC
import Subscriptions

extension Session {
  func budgetsStatus(_ params: BudgetsStatusParams) throws(RPCError) -> BudgetsStatusResult {
    let (budgets, book, rates) = (try budgets(params.budgetId), try subscriptionBook(), try rateTable())
    let day = params.day ?? today
    let statuses = budgets.flatMap {
      BudgetStatus.outlook($0, book, around: day, today: today, periods: params.periods ?? 1, rates: rates)
    }
    return BudgetsStatusResult(day: day, statuses: statuses, ratesDate: rates?.date, revision: book.revision)
  }

  func insightsGet(_ params: InsightsGetParams) throws(RPCError) -> InsightsGetResult {
    guard let length = TrendLength(rawValue: params.months ?? TrendLength.sixMonths.rawValue) else {
      throw RPCError(.invalidParams, "there is no trend of so many months", pointer: "/months", allowed: "6, 12 or 24")
    }
    let currency = try conversion(to: params.currency, pointer: "/currency")?.currency
    let book = try subscriptionBook()
    return InsightsGetResult(book, today: today, trend: length, rates: try rateTable(), currency: currency)
  }
}
