import CivilTime
import DaybookProtocol
import Values

/// The rules of a subscription: what is refused though each member has its form.
package enum SubscriptionRules {
  /// The largest amount.
  package static let largestAmount = Decimal(9_999_999_999)

  /// Everything that is wrong with a subscription, in the order of its members; empty when nothing is. Of one whose form no rule
  /// could make sense of, the first thing of that.
  package static func refusals(of subscription: Subscription) -> [Refusal] {
    if let problem = formRefusal(of: subscription) { return [problem] }
    var problems = RefusalList()
    problems.checkTexts(of: subscription)
    problems.checkPrices(of: subscription)
    problems.checkDays(of: subscription)
    problems.checkTerms(of: subscription)
    problems.checkPauses(subscription.pauseList)
    problems.checkHistory(subscription.shareList, "share", pointer: "/shares")
    problems.checkReminderDays(subscription.reminderDays)
    problems.checkMarks(of: subscription)
    return problems.found
  }

  /// What an edit makes wrong, in the order of the members. A name and tags that stay as they were are not looked at: earlier versions
  /// took some that cannot be seen.
  package static func refusals(of new: Subscription, since old: Subscription?) -> [Refusal] {
    refusals(of: new).filter { refusal in
      guard let old else { return true }
      return
        !(refusal.pointer == "/name" && new.name == old.name
        || refusal.pointer.utf8.starts(with: "/tags".utf8) && new.tags == old.tags)
    }
  }

  /// What is wrong with an amount; nil when nothing is. Zero is one only where it is free for a while, which `exception` says.
  package static func refusal(
    ofAmount amount: Decimal, mayBeZero: Bool, pointer: String, exception: String = "; 0 with a trial"
  ) -> Refusal? {
    if amount.normalized.scale > SubscriptionLimits.amountDigits {
      return Refusal(
        pointer, .precision, "too many digits after the point: \(amount)", allowed: "at most 4 digits after the point")
    }
    if amount > largestAmount || amount < .zero || (amount == .zero && !mayBeZero) {
      return Refusal(
        pointer, .range, "out of range: \(amount)",
        allowed: mayBeZero
          ? "a decimal from 0 to \(largestAmount)"
          : "a decimal above 0, at most \(largestAmount)\(exception)")
    }
    return nil
  }
}

/// Collects refusals.
struct RefusalList {
  private(set) var found: [Refusal] = []

  mutating func add(_ pointer: String, _ rule: Refusal.Rule, _ message: String, allowed: String) {
    found.append(Refusal(pointer, rule, message, allowed: allowed))
  }

  mutating func checkTexts(of subscription: Subscription) {
    if !subscription.name.isVisible {
      add("/name", .missing, "there is no name", allowed: "1 to 200 characters")
    }
    let texts = [
      ("/name", Optional(subscription.name), SubscriptionLimits.name.upperBound),
      ("/paymentMethod", subscription.paymentMethod, SubscriptionLimits.paymentMethod),
      ("/note", subscription.note, SubscriptionLimits.note), ("/url", subscription.url, SubscriptionLimits.url),
      ("/ownCategory", subscription.ownCategory, SubscriptionLimits.ownCategory),
      ("/paidBy", subscription.paidBy, SubscriptionLimits.person),
    ]
    for (pointer, text, limit) in texts where text.map({ $0.count > limit }) ?? false {
      add(pointer, .length, "the text is too long", allowed: "at most \(limit) characters")
    }
    if let url = subscription.url, !RefusalList.isAddress(url) {
      add("/url", .form, "this is no address of a page", allowed: "a URL that begins with https:// or http://")
    }
    if let own = subscription.ownCategory, subscription.category.orOther != .other || !own.isVisible {
      add(
        "/ownCategory", own.isVisible ? .conflict : .missing, "one of the user's own is beside “other” and has a name",
        allowed: "1 to \(SubscriptionLimits.ownCategory) characters beside the category “other”")
    }
    checkTags(subscription.tagList)
    checkHousehold(of: subscription)
  }

  /// That each has one part, and that all of them and one's own are at most all of it.
  private mutating func checkHousehold(of subscription: Subscription) {
    let household = subscription.household ?? []
    if household.count > SubscriptionLimits.household {
      add(
        "/household", .length, "there are \(household.count) of them",
        allowed: "at most \(SubscriptionLimits.household)")
    }
    var seen: Set<String> = []
    var sum = subscription.shareList.last?.share.of(Decimal(1)) ?? .zero
    for (index, part) in household.enumerated() {
      if !part.name.isVisible || part.name.count > SubscriptionLimits.person {
        add(
          "/household/\(index)/name", .length, "there is no name, or it is too long",
          allowed: "1 to \(SubscriptionLimits.person) characters")
      }
      if !seen.insert(part.name).inserted {
        add("/household/\(index)/name", .repeated, "they are there twice: \(part.name)", allowed: "each name once")
      }
      sum = sum + PayerShare(numerator: part.numerator, denominator: part.denominator).of(Decimal(1))
      if ExactAmount(Decimal(1)) < sum {
        add(
          "/household/\(index)/numerator", .range, "together it is more than all of it",
          allowed: "what one's own part and those before leave; “share” says one's own")
        return
      }
    }
  }

  private mutating func checkTags(_ tags: [String]) {
    if tags.count > SubscriptionLimits.tags {
      add("/tags", .length, "there are \(tags.count) tags", allowed: "at most \(SubscriptionLimits.tags) tags")
    }
    var seen: Set<String> = []
    for (index, tag) in tags.enumerated() {
      if !tag.isVisible || !SubscriptionLimits.tag.contains(tag.count) {
        add("/tags/\(index)", .length, "the tag is empty or too long", allowed: "1 to 50 characters")
      }
      if !seen.insert(tag.lowercased()).inserted {
        add("/tags/\(index)", .repeated, "the tag is there twice: \(tag)", allowed: "each tag once")
      }
    }
  }

  /// Whether a text is an address of a page: a scheme, a host, and neither spaces nor control characters.
  private static func isAddress(_ text: String) -> Bool {
    let lowercased = text.prefix(8).lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowercased.hasPrefix($0) }) else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    guard let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "?"), first != UInt8(ascii: "#")
    else { return false }
    return rest.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  mutating func checkPrices(of subscription: Subscription) {
    let isFree = subscription.trialEnd != nil
    for (index, price) in subscription.prices.enumerated() {
      check(SubscriptionRules.refusal(ofAmount: price.amount, mayBeZero: isFree, pointer: "/prices/\(index)/amount"))
      for (name, bound, isWithin) in [
        ("least", price.least, { $0 <= price.amount }), ("most", price.most, { price.amount <= $0 }),
      ] as [(String, Decimal?, (Decimal) -> Bool)] {
        guard let bound else { continue }
        check(SubscriptionRules.refusal(ofAmount: bound, mayBeZero: true, pointer: "/prices/\(index)/\(name)"))
        if !isWithin(bound) {
          add(
            "/prices/\(index)/\(name)", .order, "the price is not between the least and the most",
            allowed: name == "least"
              ? "“least” at most \(price.amount), or “amount” \(bound) at least"
              : "“most” \(price.amount) at least, or “amount” at most \(bound)")
        }
      }
    }
    checkHistory(subscription.prices, "price", pointer: "/prices")
  }

  /// That what holds from a day on, and what before, is in order and not endless.
  mutating func checkHistory(_ list: [some HeldFromDay], _ noun: String, pointer: String) {
    limit(list.count, pointer: pointer)
    for (index, element) in list.enumerated() {
      day(element.from, "\(pointer)/\(index)/from")
      if index > 1, let from = element.from, let before = list[index - 1].from, from <= before {
        add(
          "\(pointer)/\(index)/from", .order, "\(noun)s are not in order",
          allowed: "a day after that of the \(noun) before")
      }
    }
  }

  mutating func checkReminderDays(_ days: [Int]?) {
    var seen: Set<Int> = []
    for (index, lead) in (days ?? []).enumerated() {
      if !SubscriptionLimits.reminderDays.contains(lead) {
        add("/reminderDays/\(index)", .range, "out of range: \(lead)", allowed: "an integer from 0 to 30")
      }
      if !seen.insert(lead).inserted {
        add("/reminderDays/\(index)", .repeated, "the same day is there twice: \(lead)", allowed: "each day once")
      }
    }
  }

  mutating func check(_ problem: Refusal?) {
    if let problem { found.append(problem) }
  }

  mutating func limit(_ count: Int, pointer: String) {
    if count > SubscriptionLimits.history {
      add(pointer, .length, "there are \(count) of them", allowed: "at most \(SubscriptionLimits.history)")
    }
  }

  /// That a day is one a client may name.
  mutating func day(_ day: CivilDay?, _ pointer: @autoclosure () -> String) {
    if let day, !CivilDay.allowed.contains(day) {
      add(pointer(), .range, "the day is out of range: \(day)", allowed: "a day from 1900-01-01 to 2200-12-31")
    }
  }
}
