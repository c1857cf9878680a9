import CivilTime

/// The rules about days: terms, pauses, marks.
extension Problems {
  mutating func checkDays(of subscription: Subscription) {
    count(of: subscription.cycle, "/cycle/every")
    day(subscription.anchor, "/anchor")
    day(subscription.start, "/start")
    day(subscription.trialEnd, "/trialEnd")
    day(subscription.end, "/end")
    if case .once = subscription.cycle, subscription.anchor < subscription.start {
      add("/anchor", .order, "it is charged once, before it begins", allowed: "“start” or a later day")
    }
    if let trialEnd = subscription.trialEnd, trialEnd <= subscription.start {
      add("/trialEnd", .order, "the trial ends before it begins", allowed: "a day after “start”")
    }
    if let end = subscription.end, end < subscription.start {
      add("/end", .order, "it ends before it begins", allowed: "“start” or a later day")
    }
    if let contract = subscription.contract {
      day(contract.end, "/contract/end")
      if contract.end < subscription.start {
        add("/contract/end", .order, "the contract ends before it begins", allowed: "“start” or a later day")
      }
      if let renewal = contract.renewal { count(of: renewal, "/contract/renewal/every") }
    }
  }

  private mutating func count(of cycle: Cycle, _ pointer: @autoclosure () -> String) {
    if case .every(let count, _) = cycle, !Cycle.allowedCounts.contains(count) {
      add(pointer(), .range, "out of range: \(count)", allowed: "an integer from 1 to 1000")
    }
  }

  mutating func checkTerms(of subscription: Subscription) {
    let terms = subscription.formerTerms
    limit(terms.count, pointer: "/formerTerms")
    for (index, term) in terms.enumerated() {
      count(of: term.cycle, "/formerTerms/\(index)/cycle/every")
      day(term.anchor, "/formerTerms/\(index)/anchor")
      day(term.until, "/formerTerms/\(index)/until")
      if term.until <= (index > 0 ? terms[index - 1].until : subscription.start) {
        add("/formerTerms/\(index)/until", .order, "terms are not in order", allowed: "a day after the term has begun")
      }
    }
  }

  mutating func checkPauses(_ pauses: [Pause]) {
    limit(pauses.count, pointer: "/pauses")
    for (index, pause) in pauses.enumerated() {
      day(pause.from, "/pauses/\(index)/from")
      day(pause.until, "/pauses/\(index)/until")
      if let until = pause.until, until <= pause.from {
        add("/pauses/\(index)/until", .order, "the pause ends before it begins", allowed: "a day after “from”")
      }
      guard index > 0 else { continue }
      guard let before = pauses[index - 1].until else {
        add(
          "/pauses/\(index - 1)/until", .missing, "the pause before another has no end", allowed: "its last day and one"
        )
        continue
      }
      if pause.from < before {
        add("/pauses/\(index)/from", .order, "pauses overlap", allowed: "the end of the pause before, or a later day")
      }
    }
  }

  mutating func checkMarks(of subscription: Subscription) {
    let marks = subscription.marks
    if marks.count > SubscriptionLimits.marks {
      add("/marks", .length, "there are \(marks.count)", allowed: "at most \(SubscriptionLimits.marks)")
    }
    for (index, mark) in marks.enumerated() {
      day(mark.occurrence, "/marks/\(index)/occurrence")
      day(mark.payment?.day, "/marks/\(index)/payment/day")
      if index > 0, mark.occurrence <= marks[index - 1].occurrence {
        let isSame = mark.occurrence == marks[index - 1].occurrence
        add(
          "/marks/\(index)/occurrence", isSame ? .repeated : .order, "marks are not in order",
          allowed: "ascending days, each once")
      }
      if let amount = mark.payment?.amount {
        check(SubscriptionProblem.amount(amount, mayBeZero: true, pointer: "/marks/\(index)/payment/amount"))
      }
      check(mark, after: index > 0 ? marks[index - 1] : nil, of: subscription, pointer: "/marks/\(index)")
    }
  }

  /// That nothing was paid for what was skipped, and that a shift stays between the neighbours, so that charges keep their
  /// order. A mark on a day that is no longer one of the cycle is kept, and says nothing.
  private mutating func check(
    _ mark: ChargeMark, after previous: ChargeMark?, of subscription: Subscription, pointer: @autoclosure () -> String
  ) {
    switch mark.kind {
    case .kept: return
    case .skipped:
      if mark.payment != nil {
        add("\(pointer())/payment", .conflict, "a charge that was skipped cannot be paid", allowed: "no payment")
      }
    case .shifted(let target):
      day(target, "\(pointer())/shiftedTo")
      let schedule = subscription.term(on: mark.occurrence)
      guard schedule.contains(mark.occurrence) else { return }
      var before = schedule.last(onOrBefore: mark.occurrence.advanced(by: -1))
      // The charge before it may have been shifted towards it.
      if let previous, previous.occurrence == before, let day = previous.day { before = before.map { max($0, day) } }
      let after = schedule.first(onOrAfter: mark.occurrence.advanced(by: 1))
      if before.map({ target <= $0 }) ?? false || after.map({ target >= $0 }) ?? false {
        add(
          "\(pointer())/shiftedTo", .range, "the day is not between the charges before and after it",
          allowed: "a day \(before.map { "after \($0)" } ?? "of any time")\(after.map { " and before \($0)" } ?? "")")
      }
    }
  }
}
