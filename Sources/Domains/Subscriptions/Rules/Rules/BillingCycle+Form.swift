import DaybookProtocol

/// What a cycle may say of days, weekdays and weekends.
extension BillingCycle {
  /// The first member that only what is charged again has; nil when there is none.
  var repeating: String? {
    let said = [
      ("every", every != nil), ("unit", unit != nil), ("days", days != nil), ("weekday", weekday != nil),
      ("week", week != nil), ("weekend", weekend != nil), ("times", times != nil),
    ]
    return said.first { $0.1 }?.0
  }

  /// Refuses days that a unit has not, that are there twice, or that would come together.
  func checkDays(_ unit: CycleUnit, _ pointer: String) throws(Refusal) {
    try checkWeekday(unit, pointer)
    if let weekend {
      if case .unknown = weekend {
        throw Refusal("\(pointer)/weekend", .form, "this rule is not known", allowed: "before or after")
      }
      if unit == .day {
        throw Refusal(
          "\(pointer)/weekend", .conflict, "what is counted in days comes on weekends too",
          allowed: "nothing, or another “unit”")
      }
    }
    if let times, !BillingCycle.allowedCounts.contains(times) {
      throw Refusal("\(pointer)/times", .range, "out of range: \(times)", allowed: "an integer from 1 to 1000")
    }
    guard let days, !days.isEmpty else { return }
    guard unit == .month else {
      throw Refusal("\(pointer)/days", .conflict, "only months have days", allowed: "nothing, or the unit month")
    }
    for (place, day) in days.enumerated() {
      guard (1...28).contains(day) || day == 31 else {
        throw Refusal(
          "\(pointer)/days/\(place)", .range, "no day of every month: \(day)",
          allowed: "an integer from 1 to 28, or 31 for the last")
      }
    }
    // What comes next, as in the shortest of months; of the last day the first of those after it.
    let least = weekend == nil ? 1 : 3
    for (place, day) in days.enumerated() {
      let next = place + 1 < days.count ? min(days[place + 1], 28) : days[0] + 28
      guard days.count == 1 || next - min(day, 28) >= least else {
        throw Refusal(
          "\(pointer)/days/\((place + 1) % days.count)", .order, "two days are too near to each other, or not in order",
          allowed: weekend == nil
            ? "ascending days, each once, and not both 28 and 31" : "ascending days, at least 3 apart beside “weekend”")
      }
    }
  }

  private func checkWeekday(_ unit: CycleUnit, _ pointer: String) throws(Refusal) {
    guard weekday != nil || week != nil else { return }
    guard unit == .month || unit == .year else {
      throw Refusal(
        "\(pointer)/\(weekday != nil ? "weekday" : "week")", .conflict, "only months and years have such a day",
        allowed: "nothing, or the unit month or year")
    }
    guard let week, week != 0, (-1...4).contains(week) else {
      throw Refusal(
        "\(pointer)/week", week == nil ? .missing : .range, "it is not said which weekday of the month",
        allowed: "an integer from 1 to 4, or -1 for the last")
    }
    guard weekday != nil else {
      throw Refusal("\(pointer)/weekday", .missing, "there is no weekday", allowed: "monday to sunday beside “week”")
    }
    guard (days ?? []).isEmpty else {
      throw Refusal(
        "\(pointer)/days", .conflict, "a weekday is in place of days of the month", allowed: "“days” or “weekday”")
    }
  }
}
