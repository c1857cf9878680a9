import CivilTime
import DaybookProtocol
import Subscriptions
import Values

extension Subscriptions.Subscription {
  /// What a subscription on the wire, or in the store, says to the rules.
  ///
  /// - Throws: the first thing of its form that no rule could make sense of; what the rules themselves forbid is not looked for.
  init(_ wire: DaybookProtocol.Subscription) throws(SubscriptionProblem) {
    let prices = try PriceHistory(wire.prices)
    let shares = try ShareHistory(wire.shares ?? [])
    self.init(
      id: wire.id, name: wire.name, price: prices.first, cycle: try Cycle(wire.cycle, pointer: "/cycle"),
      anchor: wire.anchor, start: wire.start,
      category: Subscriptions.SubscriptionCategory(named: wire.category.rawValue), trialEnd: wire.trialEnd,
      end: wire.end, pauses: (wire.pauses ?? []).map { Pause(from: $0.from, until: $0.until) },
      formerTerms: try Reading.each(wire.formerTerms ?? []) { (term, index) throws(SubscriptionProblem) in
        let cycle = try Cycle(term.cycle, pointer: "/formerTerms/\(index)/cycle")
        return Subscriptions.FormerTerm(cycle: cycle, anchor: term.anchor, until: term.until)
      }, priceChanges: prices.changes, contract: try Subscriptions.Contract(wire.contract),
      share: shares.first, shareChanges: shares.changes, paymentMethod: wire.paymentMethod, tags: wire.tags ?? [],
      notes: wire.notes, url: wire.url,
      usage: wire.usage.flatMap { Subscriptions.UsageRating(rawValue: $0.rawValue) }, reminderDays: wire.reminderDays,
      marks: try Reading.each(wire.marks ?? []) { (mark, index) throws(SubscriptionProblem) in
        try Subscriptions.ChargeMark(mark, pointer: "/marks/\(index)")
      })
  }
}

/// Lists of which each part may be refused.
private enum Reading {
  static func each<Wire, Value>(
    _ wires: [Wire], _ read: (Wire, Int) throws(SubscriptionProblem) -> Value
  ) throws(SubscriptionProblem) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(wires.count)
    for (index, wire) in wires.enumerated() { values.append(try read(wire, index)) }
    return values
  }
}

extension Subscriptions.Money {
  /// An amount in the currency of a code.
  init(_ amount: Decimal, code: String, pointer: String) throws(SubscriptionProblem) {
    guard let currency = Currency(code) else {
      throw SubscriptionProblem(
        pointer, .form, "this is no currency: \(code)", allowed: "a code of ISO 4217 in capitals, such as USD")
    }
    self.init(amount, currency)
  }
}

extension PriceHistory {
  fileprivate init(_ wires: [SubscriptionPrice]) throws(SubscriptionProblem) {
    guard let first = wires.first else {
      throw SubscriptionProblem("/prices", .missing, "there is no price", allowed: "1 to 1000 prices")
    }
    try self.init(first, wires, \.from, "price", pointer: "/prices") { (wire, pointer) throws(SubscriptionProblem) in
      try Subscriptions.Money(wire.amount, code: wire.currency, pointer: "\(pointer)/currency")
    }
  }
}

extension ShareHistory {
  fileprivate init(_ wires: [SubscriptionShare]) throws(SubscriptionProblem) {
    guard let first = wires.first else {
      self.init(first: .whole)
      return
    }
    try self.init(first, wires, \.from, "share", pointer: "/shares") { (wire, pointer) throws(SubscriptionProblem) in
      try Subscriptions.PayerShare(wire.numerator, wire.denominator, pointer: pointer)
    }
  }
}

extension DayHistory {
  /// All of a list on the wire, of which only the first has no day.
  fileprivate init<Wire>(
    _ first: Wire, _ wires: [Wire], _ from: (Wire) -> CivilDay?, _ noun: String, pointer: String,
    _ read: (Wire, String) throws(SubscriptionProblem) -> Value
  ) throws(SubscriptionProblem) {
    if from(first) != nil {
      throw SubscriptionProblem(
        "\(pointer)/0/from", .conflict, "the first \(noun) holds before all others",
        allowed: "no day in the first \(noun)")
    }
    self.init(first: try read(first, "\(pointer)/0"))
    changes.reserveCapacity(wires.count - 1)
    for (index, wire) in wires.enumerated().dropFirst() {
      guard let day = from(wire) else {
        throw SubscriptionProblem(
          "\(pointer)/\(index)/from", .missing, "the \(noun) has no first day",
          allowed: "a day in every \(noun) but the first")
      }
      changes.append(Change(from: day, value: try read(wire, "\(pointer)/\(index)")))
    }
  }
}

extension Subscriptions.CycleUnit {
  init(_ wire: DaybookProtocol.CycleUnit, pointer: String) throws(SubscriptionProblem) {
    guard let unit = Subscriptions.CycleUnit(rawValue: wire.rawValue) else {
      throw SubscriptionProblem(pointer, .form, "this unit is not known", allowed: "day, week, month or year")
    }
    self = unit
  }
}

extension Cycle {
  /// A cycle by its wire form; a recurring one comes every unit when it does not say how many.
  init(_ wire: BillingCycle, pointer: String) throws(SubscriptionProblem) {
    switch wire.kind {
    case .recurring:
      guard let unit = wire.unit else {
        throw SubscriptionProblem(
          "\(pointer)/unit", .missing, "it is not said what is counted", allowed: "day, week, month or year")
      }
      self = .every(wire.every ?? 1, try Subscriptions.CycleUnit(unit, pointer: "\(pointer)/unit"))
    case .once, .lifetime:
      if wire.every != nil || wire.unit != nil {
        throw SubscriptionProblem(
          "\(pointer)/\(wire.every != nil ? "every" : "unit")", .conflict, "what is charged once is not repeated",
          allowed: "“kind” alone")
      }
      self = wire.kind == .once ? .once : .lifetime
    case .unknown:
      throw SubscriptionProblem(
        "\(pointer)/kind", .form, "this kind is not known", allowed: "recurring, once or lifetime")
    }
  }
}

extension Subscriptions.Contract {
  fileprivate init?(_ wire: DaybookProtocol.Contract?) throws(SubscriptionProblem) {
    guard let wire else { return nil }
    var notice = Subscriptions.CalendarSpan(0, .day)
    if let span = wire.notice {
      notice = .init(span.count, try Subscriptions.CycleUnit(span.unit, pointer: "/contract/notice/unit"))
    }
    var renewal: Cycle?
    if let span = wire.renewal {
      guard Cycle.allowedCounts.contains(span.count) else {
        throw SubscriptionProblem(
          "/contract/renewal/count", .range, "out of range: \(span.count)", allowed: "an integer from 1 to 1000")
      }
      renewal = .every(span.count, try Subscriptions.CycleUnit(span.unit, pointer: "/contract/renewal/unit"))
    }
    self.init(end: wire.end, notice: notice, renewal: renewal)
  }
}

extension Subscriptions.PayerShare {
  /// A part of so many parts.
  init(_ numerator: Int, _ denominator: Int, pointer: String) throws(SubscriptionProblem) {
    guard let share = Subscriptions.PayerShare(numerator, of: denominator) else {
      throw SubscriptionProblem(
        "\(pointer)/numerator", .range, "one pays more than all of it", allowed: "an integer from 1 to the denominator")
    }
    self = share
  }
}

extension Subscriptions.ChargeMark {
  fileprivate init(_ wire: DaybookProtocol.ChargeMark, pointer: String) throws(SubscriptionProblem) {
    var payment: Payment?
    if let day = wire.paidOn {
      payment = Payment(day: day, amount: wire.paidAmount)
    } else if wire.paidAmount != nil {
      throw SubscriptionProblem(
        "\(pointer)/paidOn", .missing, "it is not said when it was paid", allowed: "a day beside “paidAmount”")
    }
    let kind: Kind
    switch (wire.kind, wire.shiftedTo) {
    case (.kept, nil): kind = .kept
    case (.skipped, nil): kind = .skipped
    case (.shifted, let day?): kind = .shifted(to: day)
    case (.shifted, nil):
      throw SubscriptionProblem(
        "\(pointer)/shiftedTo", .missing, "it is not said to which day it was shifted", allowed: "a day")
    case (.unknown, _):
      throw SubscriptionProblem(
        "\(pointer)/kind", .form, "this kind is not known", allowed: "kept, skipped or shifted")
    case (_, _?):
      throw SubscriptionProblem(
        "\(pointer)/shiftedTo", .conflict, "only what was shifted comes on another day", allowed: "nothing")
    }
    self.init(occurrence: wire.occurrence, kind: kind, payment: payment)
  }
}
