import DaybookProtocol

/// What the rules refuse about a subscription whose members are well-formed.
package enum SubscriptionRules {
  package static let largestAmount = Decimal(9_999_999_999)

  /// Everything that is wrong with a subscription, in the order of its members; of one that the rules cannot
  /// understand, only the first such value.
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

  /// What is wrong with an edited subscription, in the order of its members. An unchanged name and unchanged tags pass:
  /// earlier versions accepted invisible ones.
  package static func refusals(of new: Subscription, since old: Subscription?) -> [Refusal] {
    refusals(of: new).filter { refusal in
      guard let old else { return true }
      return
        !(refusal.pointer == "/name" && new.name == old.name
        || refusal.pointer.utf8.starts(with: "/tags".utf8) && new.tags == old.tags)
    }
  }

  /// What is wrong with an amount; nil when nothing is. `exception` says when 0 is allowed.
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

/// Limits of the members of a subscription; those of texts in characters.
package enum SubscriptionLimits {
  package static let name = 1...200
  package static let paymentMethod = 100
  package static let note = 10_000
  package static let url = 2000
  package static let tags = 20
  package static let tag = 1...50
  /// Lead days; 0 is the day of the charge.
  package static let reminderDays = 0...30
  package static let ownCategory = 50
  /// The name of a household member or payer.
  package static let person = 100
  package static let household = 20
  /// Decimals of an amount.
  package static let amountDigits = 4
  /// Entries of the prices, shares, pauses or former terms.
  package static let history = 1000
  /// How many days ahead a charge can be paid: ten years.
  package static let daysPaidAhead = 3653
  /// How many days a payment can precede both the charge and today.
  package static let daysPaidBefore = 366
  /// Over twenty-five years of a daily charge.
  package static let marks = 10_000
}

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
      add("/url", .form, "this is not a web address", allowed: "a URL that begins with https:// or http://")
    }
    if let own = subscription.ownCategory, subscription.category.orOther != .other || !own.isVisible {
      add(
        "/ownCategory", own.isVisible ? .conflict : .missing, "an own category needs a name and the category “other”",
        allowed: "1 to \(SubscriptionLimits.ownCategory) characters beside the category “other”")
    }
    checkTags(subscription.tagList)
    checkHousehold(of: subscription)
  }

  /// Checks each member's part, and that all parts with the user's own do not exceed the whole.
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
        add("/household/\(index)/name", .repeated, "the name is repeated: \(part.name)", allowed: "each name once")
      }
      sum = sum + PayerShare(numerator: part.numerator, denominator: part.denominator).of(Decimal(1))
      if ExactAmount(Decimal(1)) < sum {
        add(
          "/household/\(index)/numerator", .range, "the parts are more than the whole",
          allowed: "what the user's share and the parts before leave")
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
        add("/tags/\(index)", .repeated, "the tag is repeated: \(tag)", allowed: "each tag once")
      }
    }
  }

  /// Whether a text is a web address: a scheme, a host, and neither spaces nor control characters.
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

  /// Checks the order and number of effective-dated values.
  mutating func checkHistory(_ list: [some EffectiveDated], _ noun: String, pointer: String) {
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
        add("/reminderDays/\(index)", .repeated, "the day is repeated: \(lead)", allowed: "each day once")
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

  /// Checks that a day is within the range that clients may name.
  mutating func day(_ day: CivilDay?, _ pointer: @autoclosure () -> String) {
    if let day, !CivilDay.allowed.contains(day) {
      add(pointer(), .range, "the day is out of range: \(day)", allowed: "a day from 1900-01-01 to 2200-12-31")
    }
  }
}
