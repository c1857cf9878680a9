import DaybookProtocol

/// A day on which a subscription is charged, unless it is marked otherwise.
struct Occurrence: Equatable, Sendable {
  /// The day of the schedule, moved off the weekend.
  let day: CivilDay
  /// The day before moving, by which the occurrence belongs to a term, the trial, a pause, or the time after the end.
  let due: CivilDay
  /// What identifies it: `day`, but `due` where the weekend rule moves it into another term, which may have an
  /// occurrence of its own on that day.
  let id: CivilDay
}

/// The occurrences of a subscription's terms, former and present, from its first chargeable day on.
struct Occurrences: Sendable {
  private let present: Schedule
  let formerTerms: [FormerTerm]
  /// The first day on which an occurrence can be due.
  let first: CivilDay

  @inline(__always)
  init(_ subscription: Subscription) {
    present = subscription.schedule
    formerTerms = subscription.formerTerms ?? []
    first = subscription.firstChargedDay
  }

  /// The schedule of a term; the present one follows the former ones.
  @inline(__always)
  private func schedule(_ term: Int) -> Schedule {
    term < formerTerms.count ? formerTerms.schedule(at: term, chargedFrom: first) : present
  }

  /// The days of a term.
  @inline(__always)
  private func days(ofTerm term: Int) -> ClosedRange<CivilDay> {
    let lower = term > 0 ? formerTerms[term - 1].until : Schedule.always.lowerBound
    let upper = term < formerTerms.count ? formerTerms[term].until.advanced(by: -1) : Schedule.always.upperBound
    return lower...max(lower, upper)
  }

  /// The days of a term on which occurrences before `end` can be due; nil when there are none.
  @inline(__always)
  private func dueDays(ofTerm term: Int, before end: CivilDay?) -> ClosedRange<CivilDay>? {
    let days = days(ofTerm: term)
    let lower = max(days.lowerBound, first)
    let upper = end.map { min($0.advanced(by: -1), days.upperBound) } ?? days.upperBound
    return lower <= upper ? lower...upper : nil
  }

  private func occurrence(_ day: CivilDay, _ due: CivilDay, inTerm term: Int) -> Occurrence {
    Occurrence(day: day, due: due, id: formerTerms.isEmpty || days(ofTerm: term).contains(day) ? day : due)
  }

  /// Whether occurrences of neighbouring terms may be out of order.
  private var areMoved: Bool {
    !formerTerms.isEmpty && (present.reach > 0 || formerTerms.contains { $0.cycle.weekend != nil })
  }

  /// Calls `body` with the occurrences in a range that are due before `end`, ascending by day.
  @inline(__always)
  func visit(in days: ClosedRange<CivilDay>, before end: CivilDay?, _ body: (Occurrence) -> Void) {
    guard areMoved else { return visitTerms(in: days, before: end, body) }
    var found: [Occurrence] = []
    visitTerms(in: days, before: end) { found.append($0) }
    found.sort { ($0.day, $0.id) < ($1.day, $1.id) }
    found.forEach(body)
  }

  @inline(__always)
  private func visitTerms(in days: ClosedRange<CivilDay>, before end: CivilDay?, _ body: (Occurrence) -> Void) {
    for term in 0...formerTerms.count {
      guard let range = dueDays(ofTerm: term, before: end),
        range.lowerBound <= days.upperBound.advanced(by: WeekendRule.reach)
      else { continue }
      schedule(term).visit(in: days, dueIn: range) { body(occurrence($0, $1, inTerm: term)) }
    }
  }

  /// The first occurrence, by day and id, on or after a day that is due before `end` and that `take` turns into a value.
  /// `skip` returns the time without charges that a due day falls into, if any.
  func first<Value>(
    onOrAfter day: CivilDay, before end: CivilDay?, skip: (CivilDay) -> Gap?, _ take: (Occurrence) -> Value?
  ) -> (occurrence: Occurrence, value: Value)? {
    var found: (occurrence: Occurrence, value: Value)?
    for term in formerTerms.index(on: day.advanced(by: -WeekendRule.reach))...formerTerms.count {
      guard var range = dueDays(ofTerm: term, before: end) else { continue }
      if let found, found.occurrence.day < range.lowerBound.advanced(by: -WeekendRule.reach) { break }
      let schedule = schedule(term)
      var from = day
      while let (day, due) = schedule.first(onOrAfter: from, dueIn: range) {
        if let gap = skip(due) {
          guard let next = gap.next, next <= range.upperBound else { break }
          range = max(next, range.lowerBound)...range.upperBound
          continue
        }
        let occurrence = occurrence(day, due, inTerm: term)
        if let value = take(occurrence) {
          if found.map({ (day, occurrence.id) < ($0.occurrence.day, $0.occurrence.id) }) ?? true {
            found = (occurrence, value)
          }
          break
        }
        from = day.advanced(by: 1)
      }
    }
    return found
  }

  /// A time without charges.
  struct Gap {
    /// The first day after it; nil for one without an end.
    let next: CivilDay?
  }

  /// The occurrence with an id; nil when there is none.
  func occurrence(_ id: CivilDay) -> Occurrence? {
    let term = formerTerms.index(on: id)
    guard let range = dueDays(ofTerm: term, before: nil) else { return nil }
    let schedule = schedule(term)
    var from = id.advanced(by: -schedule.reach)
    while let (day, due) = schedule.first(onOrAfter: from, dueIn: range), day <= id.advanced(by: schedule.reach) {
      let found = occurrence(day, due, inTerm: term)
      if found.id == id { return found }
      from = day.advanced(by: 1)
    }
    return nil
  }
}
