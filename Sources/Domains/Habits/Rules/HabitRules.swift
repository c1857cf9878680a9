import DaybookProtocol

/// The rules for valid habits.
package enum HabitRules {
  package static let maxReminders = 24
  package static let maxTags = 20
  package static let tagLength = 1...50
  package static let defaultColour = "#2DA9E3"

  /// What is wrong with a habit; nil when it is valid. Pointers are relative to the habit.
  package static func refusal(of habit: Habit) -> Refusal? {
    if !habit.name.isVisible {
      return Refusal(
        "/name", .missing, "the name is blank", allowed: "1 to 200 characters, at least one of them visible")
    }
    if !isColour(habit.colour) {
      return Refusal("/colour", .form, "it is not a colour", allowed: "# and six hexadecimal digits")
    }
    return amount(habit) ?? schedule(habit.schedule) ?? days(habit) ?? words(habit) ?? reminders(habit) ?? place(habit)
      ?? source(habit)
  }

  private static func isColour(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 7 && bytes[0] == UInt8(ascii: "#")
      && bytes.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static func amount(_ habit: Habit) -> Refusal? {
    if habit.inclusive != nil, habit.kind != .bad || habit.measure == .binary {
      return Refusal(
        "/inclusive", .conflict, "only a numeric “bad” habit has an inclusive target", allowed: "nothing here")
    }
    let isInclusive = habit.inclusive == true
    guard habit.target > .zero || isInclusive && habit.target == .zero else {
      return Refusal("/target", .range, "the target is not positive", allowed: "a decimal above 0, at most 1000000")
    }
    if habit.kind == .bad, !isInclusive, habit.target < Decimal(1) {
      return Refusal(
        "/target", .range, "the target of a “bad” habit is below 1", allowed: "a decimal from 1 to 1000000")
    }
    if let refusal = targetDays(habit) { return refusal }
    guard habit.measure == .binary else { return nil }
    if habit.unit != nil {
      return Refusal("/unit", .conflict, "a binary habit has no unit", allowed: "a unit with “numeric”")
    }
    return habit.target == Decimal(1)
      ? nil : Refusal("/target", .conflict, "the target of a binary habit is 1", allowed: "1, or “numeric”")
  }

  private static func targetDays(_ habit: Habit) -> Refusal? {
    guard let days = habit.targetDays else { return nil }
    if !(2...400).contains(days) {
      return Refusal(
        "/targetDays", .range, "the days of the target are out of range", allowed: "an integer from 2 to 400")
    }
    if habit.measure == .binary {
      return Refusal(
        "/targetDays", .conflict, "a binary habit has no target over several days",
        allowed: "“numeric”, or nothing here")
    }
    switch habit.schedule.kind {
    case .perWeek, .perMonth, .perDays:
      return Refusal(
        "/targetDays", .conflict, "a target over several days and a schedule per period exclude each other",
        allowed: "“daily”, “weekdays” or “everyDays”, or nothing here")
    case .daily, .weekdays, .everyDays, .unknown: return nil
    }
  }

  /// What is wrong with a schedule.
  package static func schedule(_ schedule: HabitSchedule) -> Refusal? {
    func misplaced(_ member: String, _ isThere: Bool) -> Refusal? {
      isThere
        ? Refusal(
          "/schedule/\(member)", .conflict, "“\(schedule.kind.rawValue)” has no \(member)", allowed: "nothing here")
        : nil
    }
    func times(_ most: Int) -> Refusal? {
      (schedule.times.map { (1...most).contains($0) } ?? false)
        ? nil
        : Refusal(
          "/schedule/times", .range, "how often it is due is out of range", allowed: "an integer from 1 to \(most)")
    }
    func interval() -> Refusal? {
      (schedule.days.map { (1...400).contains($0) } ?? false)
        ? nil
        : Refusal(
          "/schedule/days", .range, "the length of the interval is out of range", allowed: "an integer from 1 to 400")
    }
    let noTimes = misplaced("times", schedule.times != nil)
    let noDays = misplaced("days", schedule.days != nil)
    let noWeekdays = misplaced("weekdays", schedule.weekdays != nil)
    switch schedule.kind {
    case .daily: return noTimes ?? noDays ?? noWeekdays
    case .weekdays: return noTimes ?? noDays ?? weekdays(schedule.weekdays ?? [], "/schedule/weekdays")
    case .perWeek: return noDays ?? noWeekdays ?? times(7)
    case .perMonth: return noDays ?? noWeekdays ?? times(31)
    case .everyDays: return noTimes ?? noWeekdays ?? interval()
    case .perDays: return noWeekdays ?? interval() ?? times(schedule.days ?? 1)
    case .unknown: return nil
    }
  }

  private static func weekdays(_ days: [Weekday], _ pointer: String) -> Refusal? {
    guard !days.isEmpty else {
      return Refusal(pointer, .missing, "no day is given", allowed: "1 to 7 days of the week")
    }
    let places = days.map { Weekday.known.firstIndex(of: $0) ?? 0 }
    for (index, place) in places.enumerated().dropFirst() where place <= places[index - 1] {
      return Refusal(
        "\(pointer)/\(index)", .order, "the days are out of order or repeated",
        allowed: "Monday first, each once")
    }
    return nil
  }

  private static func days(_ habit: Habit) -> Refusal? {
    if let end = habit.endDay, end < habit.startDay {
      return Refusal("/endDay", .order, "it ends before it begins", allowed: "a day from \(habit.startDay) on")
    }
    var last: CivilDay?
    let pauses = habit.pauses ?? []
    for (index, pause) in pauses.enumerated() {
      let place = "/pauses/\(index)"
      if let to = pause.to, to < pause.from {
        return Refusal(place + "/to", .order, "the pause ends before it begins", allowed: "a day from \(pause.from) on")
      }
      if let last, pause.from <= last {
        return Refusal(place + "/from", .order, "pauses overlap or are out of order", allowed: "a day after \(last)")
      }
      if pause.to == nil, index < pauses.count - 1 {
        return Refusal(place + "/to", .missing, "only the last pause may be open", allowed: "a day")
      }
      last = pause.to
    }
    return nil
  }

  private static func words(_ habit: Habit) -> Refusal? {
    let tags = habit.tags ?? []
    if tags.count > maxTags {
      return Refusal("/tags", .length, "there are \(tags.count) tags", allowed: "at most \(maxTags)")
    }
    var seen: Set<String> = []
    for (index, tag) in tags.enumerated() {
      if !tag.isVisible || !tagLength.contains(tag.unicodeScalars.count) {
        return Refusal("/tags/\(index)", .length, "a tag is empty or too long", allowed: "1 to 50 characters")
      }
      if !seen.insert(tag.lowercased()).inserted {
        return Refusal("/tags/\(index)", .repeated, "the tag is repeated", allowed: "each tag once")
      }
    }
    return nil
  }

  private static func reminders(_ habit: Habit) -> Refusal? {
    let reminders = habit.reminders ?? []
    if reminders.count > maxReminders {
      return Refusal(
        "/reminders", .length, "there are \(reminders.count) reminders", allowed: "at most \(maxReminders)")
    }
    for (index, reminder) in reminders.enumerated() {
      if let days = reminder.weekdays, let refusal = weekdays(days, "/reminders/\(index)/weekdays") { return refusal }
      if reminders[..<index].contains(where: { $0.time == reminder.time }) {
        return Refusal(
          "/reminders/\(index)/time", .repeated, "two reminders have the same time", allowed: "each time once")
      }
    }
    return nil
  }

  private static func place(_ habit: Habit) -> Refusal? {
    guard let place = habit.place, place.cooldownMinutes != nil, place.frequency != .everyTime else { return nil }
    return Refusal(
      "/place/cooldownMinutes", .conflict, "a place that reminds once a day has no cooldown",
      allowed: "nothing, or “everyTime”")
  }

  /// Rejects the habit measures, which would make habits depend on themselves.
  private static func source(_ habit: Habit) -> Refusal? {
    guard let source = habit.source, source == .habitsDue || source == .habitsDone else { return nil }
    return Refusal(
      "/source", .conflict, "habits cannot be the source of a habit", allowed: "a day measure of another domain")
  }

  /// A key for names; active habits must have different ones.
  package static func nameKey(_ habit: Habit) -> String {
    let name = habit.name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    return "\(name)\u{1F}\(habit.categoryId.map { "\($0)" } ?? "")\u{1F}\(habit.unit?.lowercased() ?? "")"
  }
}

/// The rules for valid logs.
package enum HabitLogRules {
  /// What is wrong with a log; nil when it is valid.
  package static func refusal(of log: HabitLog) -> Refusal? {
    if log.skipped == true, log.value != nil {
      return Refusal("/value", .conflict, "a skip has no value", allowed: "a value, or “skipped”")
    }
    if log.value == nil, log.skipped != true, log.note == nil {
      return Refusal("/value", .missing, "the log is empty", allowed: "a value, “skipped”, or a note")
    }
    return nil
  }
}
