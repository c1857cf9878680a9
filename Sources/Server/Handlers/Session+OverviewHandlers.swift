import DaybookProtocol
import JSONRPC
import Subscriptions

extension Session {
  func overviewGet(_ params: OverviewGetParams) throws(RPCError) -> OverviewGetResult {
    let book = try subscriptionBook()
    var request = OverviewRequest(today: params.day ?? today, hasAccess: hasPremiumAccess)
    request.conversion = try conversion(to: params.currency, pointer: "/currency")
    request.window = params.window ?? ChargeCalendar.usualWindow
    request.limit = params.limit ?? SessionConstants.pageSize
    return OverviewGetResult(book, request)
  }
}
