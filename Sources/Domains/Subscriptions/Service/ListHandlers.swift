import DomainKit
import Subscriptions

extension SubscriptionsService {
  func subscriptionsList(_ params: SubscriptionsListParams, _ context: inout Context) throws(RPCError)
    -> SubscriptionsListResult
  {
    let book = try book(context)
    let day = params.day ?? context.today
    let filter = SubscriptionFilter(params, day: day)
    let ordered = (params.order ?? .nextCharge).sorted(book.subscriptions.filter(filter.admits), day: day)
    let first = try params.cursor.map { text throws(RPCError) in try index(after: text, ordered) } ?? 0
    let page = ordered[first...].prefix(params.limit ?? PageRequest.defaultLimit)
    return SubscriptionsListResult(
      subscriptions: page.map { ListedSubscription(subscription: $0, state: SubscriptionState($0, day: day)) },
      total: ordered.count,
      nextCursor: page.endIndex < ordered.endIndex ? page.last.map { "v1.\($0.id)" } : nil,
      revision: book.revision)
  }

  /// The index after the last subscription of the previous page.
  private func index(after cursor: String, _ ordered: [Subscription]) throws(RPCError) -> Int {
    guard cursor.hasPrefix("v1."), let id = EntityID(String(cursor.dropFirst(3))) else {
      throw RPCError(
        .invalidParams, "this is not a cursor of “subscriptions/list”", pointer: "/cursor",
        allowed: "the “nextCursor” of the page before")
    }
    guard let last = ordered.firstIndex(where: { $0.id == id }) else {
      throw RPCError(
        .invalidParams, "the last subscription of the page before is no longer in the list", pointer: "/cursor",
        allowed: "the “nextCursor” of a page", hint: "begin with the first page again")
    }
    return last + 1
  }
}

private struct SubscriptionFilter {
  let day: CivilDay
  let status: Set<String>?
  let category: SubscriptionCategory?
  let ownCategory: String?
  let tag: String?
  /// All words have to match, folded or, such as an emoji, as typed.
  let words: [(folded: String, typed: String)]

  init(_ params: SubscriptionsListParams, day: CivilDay) {
    self.day = day
    status = params.status.map { Set($0.map(\.rawValue)) }
    category = params.category?.orOther
    ownCategory = params.ownCategory.map(NameFolding.fold)
    tag = params.tag.map(NameFolding.fold)
    words = params.query?.split(whereSeparator: \.isWhitespace).map { (NameFolding.fold(String($0)), String($0)) } ?? []
  }

  func admits(_ plan: Subscription) -> Bool {
    if let status, !status.contains(plan.status(on: day).rawValue) { return false }
    if let category, plan.category.orOther != category { return false }
    if let ownCategory, plan.ownCategory.map(NameFolding.fold) != ownCategory { return false }
    if let tag, !plan.tagList.contains(where: { NameFolding.fold($0) == tag }) { return false }
    guard !words.isEmpty else { return true }
    let texts = [plan.name, plan.paymentMethod ?? "", plan.note ?? "", plan.ownCategory ?? ""] + plan.tagList
    let folded = texts.map(NameFolding.fold)
    return words.allSatisfy { word in
      folded.contains { $0.contains(text: word.folded) } || texts.contains { $0.contains(text: word.typed) }
    }
  }
}

extension SubscriptionOrder {
  /// The subscriptions in this order; equal ones keep their order.
  fileprivate func sorted(_ subscriptions: [Subscription], day: CivilDay) -> [Subscription] {
    switch self {
    case .name: return SubscriptionOrder.sorted(subscriptions, by: { NameFolding.fold($0.name) }, <)
    case .monthly:
      return SubscriptionOrder.sorted(subscriptions, by: { $0.monthlyCost(on: day) }) {
        $0.currency != $1.currency ? $0.currency < $1.currency : $1.amount < $0.amount
      }
    case .added: return subscriptions
    case .nextCharge, .unknown:
      return SubscriptionOrder.sorted(
        subscriptions, by: { $0.nextCharge(today: day)?.day.daysSinceEpoch ?? .max }, <)
    }
  }

  private static func sorted<Key>(
    _ subscriptions: [Subscription], by key: (Subscription) -> Key, _ precedes: (Key, Key) -> Bool
  ) -> [Subscription] {
    // `sorted` is stable; it moves indices rather than subscriptions.
    let rows = subscriptions.indices.map { ($0, key(subscriptions[$0])) }
    return rows.sorted { precedes($0.1, $1.1) }.map { subscriptions[$0.0] }
  }
}
