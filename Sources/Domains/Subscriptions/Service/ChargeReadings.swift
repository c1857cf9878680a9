import DomainKit
import EntryWords
import JSON
import Subscriptions
import TextFolding

/// Lines of text as charges: `paid films`, `skip films`.
extension SubscriptionsService {
  func chargeReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    var words = line.parts[...]
    let isSkip = words.first?.keyword == EntryKeyword.skip
    let isVerb = isSkip || words.first?.keyword == EntryKeyword.paid
    guard isVerb || line.kind == EntryKind.charge.rawValue else { return [] }
    if isVerb { words.removeFirst() }
    // A charge has no time, and its amount is that of the subscription.
    guard line.time == nil, !words.isEmpty, words.allSatisfy({ $0.text != nil }) else { return [] }
    let name = FoldedName.folded(words.compactMap(\.text).joined(separator: " "))
    let found = try names(context).filter { $0.name == name }.map(\.subscription)
    if found.isEmpty, isVerb {
      throw RPCError(
        EntryProblem(
          "no subscription is called “\(words.compactMap(\.text).joined(separator: " "))”",
          hint: "“subscriptions/add” adds one"))
    }
    let readings = found.compactMap { subscription in
      subscription.nextCharge(today: CivilDay.allowed.lowerBound).flatMap { charge in
        charge.day <= day ? (subscription, charge) : nil
      }
    }
    if readings.isEmpty, let subscription = found.first {
      throw RPCError(
        EntryProblem(
          "“\(subscription.name)” has no unpaid charge on or before \(day)",
          hint: subscription.nextCharge(today: day).map { "the next one is on \($0.day)" } ?? "there is none later"))
    }
    let style = context.locale.flatMap(AmountStyle.init(locale:)) ?? .english
    return readings.map { subscription, charge in
      EntryCandidate(
        .charge, .form,
        "Charge of “\(subscription.name)”, \(style.text(charge.price)), \(charge.day): "
          + (isSkip ? "skipped" : "paid"),
        isSkip ? .chargesSkip : .chargesPay,
        [
          ("subscriptionId", .string("\(subscription.id)")), ("occurrence", charge.occurrence.param),
          ("day", isSkip ? nil : day.param),
        ])
    }
  }

  private func names(_ context: Context) throws(RPCError) -> [(name: [UInt8], subscription: Subscription)] {
    try book(context).subscriptions.map { (FoldedName.folded($0.name), $0) }
  }

  package func hasEntryName(_ folded: [UInt8], _ context: Context) throws(RPCError) -> Bool {
    try names(context).contains { $0.name == folded }
  }

  package func summary(
    of entry: EntryCandidate, on day: CivilDay, label: String, _ context: Context
  ) throws(RPCError) -> String {
    guard case .string(let text)? = entry.params["subscriptionId"], let id = EntityID(text),
      let next = try book(context)[id]?.nextCharge(today: CivilDay.allowed.lowerBound)
    else { return "no charge left" }
    return next.day <= context.today ? "unpaid since \(next.day)" : "next on \(next.day)"
  }

  package func completions(
    of start: [UInt8], atMost limit: Int, _ context: Context
  ) throws(RPCError) -> [EntryCompletion] {
    var found: [EntryCompletion] = []
    for verb in [EntryKeyword.paid, EntryKeyword.skip] where start.starts(with: verb.utf8) && !start.isEmpty {
      let name = start.dropFirst(verb.utf8.count).drop { $0 == FoldedName.space }
      guard start.count == verb.utf8.count || start[verb.utf8.count] == FoldedName.space else { continue }
      found += try names(context).filter { $0.name.starts(with: name) }.map {
        EntryCompletion(text: "\(verb) \($0.subscription.name)", detail: "subscription", kind: .charge)
      }
    }
    return Array(found.prefix(limit))
  }
}
