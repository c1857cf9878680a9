import CivilTime
import Values

/// A time in which a subscription was not charged, without being over.
package struct Pause: Hashable, Sendable {
  /// The first day without charges.
  package var from: CivilDay
  /// The first day with charges again; nil while it is open.
  package var until: CivilDay?

  package init(from: CivilDay, until: CivilDay? = nil) {
    self.from = from
    self.until = until
  }

  /// Whether it holds on a day.
  package func contains(_ day: CivilDay) -> Bool {
    guard day.daysSinceEpoch >= from.daysSinceEpoch else { return false }
    guard let until else { return true }
    return day.daysSinceEpoch < until.daysSinceEpoch
  }
}

/// A cycle that a subscription had up to a day.
package struct FormerTerm: Hashable, Sendable {
  /// How often it was charged.
  package var cycle: Cycle
  /// A day it was charged on.
  package var anchor: CivilDay
  /// The first day of the term after it.
  package var until: CivilDay

  package init(cycle: Cycle, anchor: CivilDay, until: CivilDay) {
    self.cycle = cycle
    self.anchor = anchor
    self.until = until
  }

  /// Its days, and those it would have had before and after.
  @inline(__always)
  package var schedule: Schedule { Schedule(anchor: anchor, cycle: cycle) }
}

extension [FormerTerm] {
  /// The one that holds on a day, of terms ascending by their ends; nil where that is none of them but the present cycle.
  @inline(__always)
  func holding(on day: CivilDay) -> FormerTerm? {
    guard !isEmpty else { return nil }
    let place = place(on: day)
    return place < count ? self[place] : nil
  }

  /// The place of the one that holds on a day, or their number where that is none of them. Found by halves.
  func place(on day: CivilDay) -> Int {
    var (place, end) = (0, count)
    while place < end {
      let middle = (place + end) / 2
      if day < self[middle].until { end = middle } else { place = middle + 1 }
    }
    return place
  }
}

/// A contract that cannot be left at any time. Renewals and notice are counted from the day after its end, so that month ends
/// come back: a month after 30 November it ends on 31 December, and a month's notice for 28 February is given up to 31 January.
package struct Contract: Hashable, Sendable {
  /// The last day of it.
  package var end: CivilDay
  /// How long before its end it must be given notice of.
  package var notice: CalendarSpan
  /// By how much it goes on when nobody did; nil when there is no further deadline. The subscription is charged on until it is
  /// cancelled either way.
  package var renewal: Cycle?

  package init(end: CivilDay, notice: CalendarSpan, renewal: Cycle? = nil) {
    self.end = end
    self.notice = notice
    self.renewal = renewal
  }

  /// The next last day on which notice can be given, at or after a day, and the end it is for; nil when there is none.
  package func deadline(onOrAfter day: CivilDay) -> (day: CivilDay, end: CivilDay)? {
    let after = end.advanced(by: 1)
    let first = after.advanced(back: notice).advanced(by: -1)
    guard first < day else { return (first, end) }
    guard let renewal else { return nil }
    let days = Schedule(anchor: after, cycle: renewal)
    // The end it belongs to is about a notice period later; clamped months may make it a few days less.
    var from = max(after.advanced(by: 1), day.advanced(by: notice).advanced(by: -3))
    while let next = days.first(onOrAfter: from) {
      let last = next.advanced(back: notice).advanced(by: -1)
      if last >= day { return (last, next.advanced(by: -1)) }
      from = next.advanced(by: 1)
    }
    return nil
  }
}

/// The part of a price that one pays oneself, as a fraction: 1/3 when three share it.
package struct PayerShare: Hashable, Sendable {
  /// 1…denominator.
  package let numerator: Int32
  /// 1…1,000.
  package let denominator: Int32

  /// All of it.
  package static let whole = PayerShare()
  /// What a denominator may be.
  package static let allowedDenominators = 1...1000

  private init() {
    numerator = 1
    denominator = 1
  }

  /// Nil unless it is more than nothing, at most the whole, with a denominator of 1…1,000. Kept as given, not reduced.
  package init?(_ numerator: Int, of denominator: Int) {
    guard PayerShare.allowedDenominators.contains(denominator), (1...denominator).contains(numerator) else {
      return nil
    }
    self.numerator = Int32(numerator)
    self.denominator = Int32(denominator)
  }

  /// That part of a price.
  @inline(__always)
  package func of(_ price: Decimal) -> ExactAmount {
    let amount = ExactAmount(price)
    guard numerator != denominator else { return amount }
    return amount.multiplied(by: Int128(numerator), over: Int128(denominator))
  }
}

/// What happened to the charge of one day of the cycle.
package struct ChargeMark: Hashable, Sendable {
  /// The day of the cycle.
  package var occurrence: CivilDay
  /// What it is.
  package var kind: Kind
  /// When it was paid and how much; nil while it was not said to be.
  package var payment: Payment?

  /// What became of it.
  package enum Kind: Hashable, Sendable {
    /// It comes as the cycle says.
    case kept
    /// It does not come.
    case skipped
    /// It comes on another day, between the ones before and after it.
    case shifted(to: CivilDay)
  }

  /// A payment.
  package struct Payment: Hashable, Sendable {
    /// The day.
    package var day: CivilDay
    /// What was paid where it was not the price, in the currency of the price.
    package var amount: Decimal?

    package init(day: CivilDay, amount: Decimal? = nil) {
      self.day = day
      self.amount = amount
    }
  }

  package init(occurrence: CivilDay, kind: Kind = .kept, payment: Payment? = nil) {
    self.occurrence = occurrence
    self.kind = kind
    self.payment = payment
  }

  /// The day it comes on; nil when it is skipped.
  package var day: CivilDay? {
    switch kind {
    case .kept: occurrence
    case .skipped: nil
    case .shifted(let day): day
    }
  }
}
