import CivilTime
import DaybookProtocol
import JSONRPC
import Subscriptions
import Values

extension Session {
  func subscriptionsList(_ params: SubscriptionsListParams) throws(RPCError) -> SubscriptionsListResult {
    let book = try subscriptionBook()
    let day = params.day ?? today
    let filter = SubscriptionFilter(params, day: day)
    let places = book.plans.indices.filter { filter.admits(book.plans[$0]) }
    let ordered = (params.order ?? .nextCharge).sorted(places, of: book.plans, day: day)
    let first = try params.cursor.map { text throws(RPCError) in try place(after: text, ordered, book) } ?? 0
    let page = ordered[first...].prefix(params.limit ?? SessionConstants.pageSize)
    return SubscriptionsListResult(
      subscriptions: page.map {
        ListedSubscription(
          subscription: book.stored[$0], state: SubscriptionState(book.plans[$0], day: day))
      }, total: ordered.count,
      nextCursor: page.endIndex < ordered.endIndex ? page.last.map { "v1.\(book.plans[$0].id)" } : nil,
      revision: book.revision)
  }

  /// Where the page behind that of a cursor begins.
  private func place(after cursor: String, _ ordered: [Int], _ book: SubscriptionBook) throws(RPCError) -> Int {
    guard cursor.hasPrefix("v1."), let id = EntityID(String(cursor.dropFirst(3))) else {
      throw RPCError(
        .invalidParams, "this is no cursor of “subscriptions/list”", pointer: "/cursor",
        allowed: "the “nextCursor” of the page before")
    }
    guard let last = ordered.firstIndex(where: { book.plans[$0].id == id }) else {
      throw RPCError(
        .invalidParams, "the last subscription of the page before is not in the list any more", pointer: "/cursor",
        allowed: "the “nextCursor” of a page", hint: "begin with the first page again")
    }
    return last + 1
  }
}

/// Which subscriptions a list is to have.
private struct SubscriptionFilter {
  let day: CivilDay
  let status: Set<String>?
  let category: Subscriptions.SubscriptionCategory?
  let tag: String?
  /// All of them have to be there, folded or, such as a picture, as they stand.
  let words: [(folded: String, typed: String)]

  init(_ params: SubscriptionsListParams, day: CivilDay) {
    self.day = day
    status = params.status.map { Set($0.map(\.rawValue)) }
    category = params.category.map { Subscriptions.SubscriptionCategory(named: $0.rawValue) }
    tag = params.tag.map(NameFolding.fold)
    words = params.query?.split(whereSeparator: \.isWhitespace).map { (NameFolding.fold(String($0)), String($0)) } ?? []
  }

  func admits(_ plan: Subscriptions.Subscription) -> Bool {
    if let status, !status.contains(plan.status(on: day).rawValue) { return false }
    if let category, plan.category != category { return false }
    if let tag, !plan.tags.contains(where: { NameFolding.fold($0) == tag }) { return false }
    guard !words.isEmpty else { return true }
    let texts = [plan.name, plan.paymentMethod ?? "", plan.notes ?? ""] + plan.tags
    let folded = texts.map(NameFolding.fold)
    return words.allSatisfy { word in
      folded.contains { $0.contains(text: word.folded) } || texts.contains { $0.contains(text: word.typed) }
    }
  }
}

extension SubscriptionOrder {
  /// The places of some subscriptions in this order; what is equal stays in the order it was.
  fileprivate func sorted(_ places: [Int], of plans: [Subscriptions.Subscription], day: CivilDay) -> [Int] {
    switch self {
    case .name:
      return SubscriptionOrder.sorted(places.map { ($0, NameFolding.fold(plans[$0].name)) }, by: <)
    case .monthly:
      return SubscriptionOrder.sorted(places.map { ($0, plans[$0].monthlyCost(on: day)) }) {
        $0.currency != $1.currency ? $0.currency < $1.currency : $1.amount < $0.amount
      }
    case .added: return places
    case .nextCharge, .unknown:
      return SubscriptionOrder.sorted(
        places.map { ($0, plans[$0].nextCharge(today: day)?.day.daysSinceEpoch ?? .max) }, by: <)
    }
  }

  private static func sorted<Key>(_ rows: [(place: Int, key: Key)], by precedes: (Key, Key) -> Bool) -> [Int] {
    // The library's sort keeps the order of what is equal.
    rows.sorted { precedes($0.key, $1.key) }.map(\.place)
  }
}
