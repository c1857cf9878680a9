import DaybookProtocol

/// The text form of schedules: `daily`, `monday friday`, `3 per week`, `10 per month`, `every 3 days`, `2 in 7 days`.
enum ScheduleText {
  static let allowed = "such as daily, monday friday, 3 per week, 10 per month, every 3 days, or 2 in 7 days"

  static func text(_ schedule: HabitSchedule) -> String {
    let (times, days) = (schedule.times ?? 1, schedule.days ?? 1)
    return switch schedule.kind {
    case .daily: "daily"
    case .weekdays: WeekdaysText.text(schedule.weekdays ?? [])
    case .perWeek: "\(times) per week"
    case .perMonth: "\(times) per month"
    case .everyDays: "every \(days) days"
    case .perDays: "\(times) in \(days) days"
    case .unknown(let name): name
    }
  }

  static func schedule(_ text: String) -> HabitSchedule? {
    let words = text.split(separator: " ").map { $0.lowercased() }
    switch words.count {
    case 1 where words[0] == "daily": return HabitSchedule(kind: .daily)
    case 3 where words[1] == "per" && (words[2] == "week" || words[2] == "month"):
      return Int(words[0]).map { HabitSchedule(kind: words[2] == "week" ? .perWeek : .perMonth, times: $0) }
    case 3 where words[0] == "every" && words[2] == "days":
      return Int(words[1]).map { HabitSchedule(kind: .everyDays, days: $0) }
    case 4 where words[1] == "in" && words[3] == "days":
      guard let times = Int(words[0]), let days = Int(words[2]) else { return nil }
      return HabitSchedule(kind: .perDays, times: times, days: days)
    default: return WeekdaysText.weekdays(words).map { HabitSchedule(kind: .weekdays, weekdays: $0) }
    }
  }
}

/// The text form of weekdays, separated by spaces.
enum WeekdaysText {
  static func text(_ days: [Weekday]) -> String { days.map(\.rawValue).joined(separator: " ") }

  /// Parses weekdays; nil when there are none or a word is not one.
  static func weekdays(_ words: [String]) -> [Weekday]? {
    let days = words.compactMap { word in Weekday.known.first { $0.rawValue == word } }
    return days.isEmpty || days.count < words.count ? nil : days
  }
}

/// The text form of pauses: `2026-01-01 to 2026-01-14; 2026-03-01`.
enum HabitPausesText {
  static let allowed = "such as 2026-01-01 to 2026-01-14; 2026-03-01"

  static func text(_ pauses: [HabitPause]) -> String {
    pauses.map { pause in "\(pause.from)\(pause.to.map { " to \($0)" } ?? "")" }.joined(separator: "; ")
  }

  static func pauses(_ text: String) -> [HabitPause]? {
    ItemsText.items(text) { words in
      guard let from = words.first.flatMap({ CivilDay($0) }) else { return nil }
      if words.count == 1 { return HabitPause(from: from) }
      guard words.count == 3, words[1] == "to", let to = CivilDay(words[2]) else { return nil }
      return HabitPause(from: from, to: to)
    }
  }
}

/// The text form of reminders: `08:00; 20:30 monday friday always`.
enum HabitRemindersText {
  static let allowed = "such as 08:00; 20:30 monday friday always"

  static func text(_ reminders: [HabitReminder]) -> String {
    reminders.map { reminder in
      var words = ["\(reminder.time)"]
      if let days = reminder.weekdays { words.append(WeekdaysText.text(days)) }
      if let always = reminder.always { words.append(always ? "always" : "undone") }
      return words.joined(separator: " ")
    }.joined(separator: "; ")
  }

  static func reminders(_ text: String) -> [HabitReminder]? {
    ItemsText.items(text) { words in
      guard let time = words.first.flatMap({ WallTime($0) }) else { return nil }
      var reminder = HabitReminder(time: time)
      var days = words.dropFirst()
      if days.last == "always" || days.last == "undone" { reminder.always = days.removeLast() == "always" }
      guard !days.isEmpty else { return reminder }
      guard let weekdays = WeekdaysText.weekdays(Array(days)) else { return nil }
      reminder.weekdays = weekdays
      return reminder
    }
  }
}

/// The text form of lists: items separated by semicolons.
private enum ItemsText {
  /// The maximum number of items parsed; the rules allow fewer.
  private static let most = 1000

  /// Parses the items; nil when one is invalid.
  static func items<Item>(_ text: String, _ item: ([String]) -> Item?) -> [Item]? {
    let parts = text.split(separator: ";", maxSplits: most, omittingEmptySubsequences: false)
    let items = parts.compactMap { part in item(part.split(separator: " ").map { $0.lowercased() }) }
    return items.count == parts.count && parts.count <= most ? items : nil
  }
}
