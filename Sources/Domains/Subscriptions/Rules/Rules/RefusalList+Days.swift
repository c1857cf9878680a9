import DaybookProtocol

/// Checks of days: terms, pauses, marks.
extension RefusalList {
  mutating func checkDays(of subscription: Subscription) {
    count(of: subscription.cycle, "/cycle/every")
    day(subscription.anchor, "/anchor")
    day(subscription.start, "/start")
    day(subscription.trialEnd, "/trialEnd")
    day(subscription.end, "/end")
    day(subscription.cancelBy, "/cancelBy")
    if subscription.replacedById == subscription.id {
      add("/replacedById", .conflict, "a subscription cannot replace itself", allowed: "the id of another subscription")
    }
    if !subscription.cycle.isRecurring { checkOnlyCharge(of: subscription) }
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
    }
  }

  /// Checks that a single charge is on a day that can have charges.
  private mutating func checkOnlyCharge(of subscription: Subscription) {
    if subscription.anchor < subscription.start {
      add("/anchor", .order, "its only charge is before the start", allowed: "“start” or a later day")
    } else if let trialEnd = subscription.trialEnd, subscription.anchor < trialEnd {
      add("/anchor", .order, "its only charge is during the trial", allowed: "“trialEnd” or a later day")
    } else if let first = subscription.formerTermList.last?.until, subscription.anchor < first {
      add("/anchor", .order, "its only charge is before the cycle begins", allowed: "\(first) or a later day")
    }
  }

  private mutating func count(of cycle: BillingCycle, _ pointer: @autoclosure () -> String) {
    if cycle.isRecurring, let count = cycle.every, !BillingCycle.allowedCounts.contains(count) {
      add(pointer(), .range, "out of range: \(count)", allowed: "an integer from 1 to 1000")
    }
  }

  mutating func checkTerms(of subscription: Subscription) {
    let terms = subscription.formerTermList
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

  mutating func checkPauses(_ pauses: [SubscriptionPause]) {
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
          "/pauses/\(index - 1)/until", .missing, "the pause before another has no end",
          allowed: "the day after its last"
        )
        continue
      }
      if pause.from < before {
        add("/pauses/\(index)/from", .order, "pauses overlap", allowed: "the end of the pause before, or a later day")
      }
    }
  }

  mutating func checkMarks(of subscription: Subscription) {
    let marks = subscription.markList
    if marks.count > SubscriptionLimits.marks {
      add("/marks", .length, "there are \(marks.count) marks", allowed: "at most \(SubscriptionLimits.marks)")
    }
    var last: CivilDay?
    for (index, mark) in marks.enumerated() {
      day(mark.occurrence, "/marks/\(index)/occurrence")
      day(mark.paidOn, "/marks/\(index)/paidOn")
      if let amount = mark.paidAmount {
        check(SubscriptionRules.refusal(ofAmount: amount, mayBeZero: true, pointer: "/marks/\(index)/paidAmount"))
      }
      if let last, mark.occurrence <= last {
        add(
          "/marks/\(index)/occurrence", mark.occurrence == last ? .repeated : .order, "marks are not in order",
          allowed: "ascending days, each once")
        continue
      }
      last = mark.occurrence
      check(mark, at: index, of: subscription, pointer: "/marks/\(index)")
    }
  }

  /// Checks that a skipped charge is not paid, and that a shifted one stays between its neighbours, so that charges
  /// keep their order. A mark whose occurrence no longer exists is kept without effect.
  private mutating func check(
    _ mark: ChargeMark, at place: Int, of subscription: Subscription, pointer: @autoclosure () -> String
  ) {
    if mark.kind == .skipped {
      if mark.paidOn != nil {
        add("\(pointer())/paidOn", .conflict, "a charge that was skipped cannot be paid", allowed: "no payment")
      }
    } else if mark.kind == .shifted, let target = mark.shiftedTo {
      day(target, "\(pointer())/shiftedTo")
      guard subscription.isShiftedTooFar(at: place) else { return }
      let (before, after) = subscription.room(forMarkAt: place)
      let last = after.map { " and before \($0)" } ?? ""
      add(
        "\(pointer())/shiftedTo", .range,
        "the charge of \(mark.occurrence) cannot come on \(target), which is not between the charges before and after it",
        allowed: "a day after \(before)\(last)")
    }
  }
}

extension Subscription {
  /// Whether a charge is shifted past its neighbours; false for a mark whose occurrence no longer exists.
  func isShiftedTooFar(at place: Int) -> Bool {
    let mark = markList[place]
    guard mark.kind == .shifted, let target = mark.shiftedTo,
      term(on: mark.occurrence).contains(mark.occurrence) || Occurrences(self).occurrence(mark.occurrence) != nil
    else { return false }
    let (before, after) = room(forMarkAt: place)
    return target <= before || after.map { target >= $0 } ?? false
  }

  /// The exclusive bounds between which a charge can be shifted: the days of its neighbours, which may be shifted too.
  /// The first one is bounded by the start, the last one unbounded.
  func room(forMarkAt place: Int) -> (after: CivilDay, before: CivilDay?) {
    let marks = markList
    let occurrence = marks[place].occurrence
    var first = lastOccurrence(before: occurrence)
    if place > 0, marks[place - 1].occurrence == first, let day = marks[place - 1].day {
      first = first.map { max($0, day) }
    }
    var last = term(on: occurrence).first(onOrAfter: occurrence.advanced(by: 1))
    if place + 1 < marks.count, marks[place + 1].occurrence == last, let day = marks[place + 1].day {
      last = last.map { min($0, day) }
    }
    return (first ?? start.advanced(by: -1), last)
  }

  /// The last occurrence before a day, in its own term or an earlier one, back to the start.
  private func lastOccurrence(before day: CivilDay) -> CivilDay? {
    var last = day.advanced(by: -1)
    let formerTerms = formerTermList
    for place in (0...formerTerms.index(on: last)).reversed() {
      let first = place > 0 ? formerTerms[place - 1].until : start
      guard first <= last else { continue }
      if let found = term(on: last).lastMoved(onOrBefore: last), found.due >= first { return found.day }
      last = first.advanced(by: -1)
    }
    return nil
  }
}
