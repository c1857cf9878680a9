import DaybookProtocol

/// The limits of a program.
package enum ProgramRules {
  /// The most slots, exercises with their own rule, and scheduled entries of a program.
  package static let (mostSlots, mostExercises, mostEntries) = (500, 200, 5000)
}

extension Program {
  /// The first violated rule; nil for none.
  package var refusal: Refusal? {
    let refusal = Refusal.name(name) ?? .tooMany(slots.count, "slots", most: ProgramRules.mostSlots, "/slots")
    if let refusal { return refusal }
    for (place, slot) in slots.enumerated() {
      let refusal = slot.id == nil ? Refusal("/id", .missing, "a stored slot has an id") : slot.refusal(in: self)
      if let refusal { return refusal.inside("/slots/\(place)") }
    }
    let entries = slots.reduce(0) { $0 + ($1.kind == .weekly ? weeks : 1) }
    if entries > ProgramRules.mostEntries {
      return Refusal(
        "/weeks", .length, "it would schedule \(entries) entries", allowed: "at most \(ProgramRules.mostEntries)")
    }
    return progression?.refusal?.inside("/progression")
  }

  /// The first rule that an edited or new program violates; nil for none.
  package func refusal(since old: Program?) -> Refusal? {
    refusal
      ?? .firstNew(progression?.profileProblems ?? [], since: old?.progression?.profileProblems ?? [])?
      .inside("/progression")
  }
}

extension ProgramSlot {
  /// The first violated rule; nil for none. Pointers lead into it.
  fileprivate func refusal(in program: Program) -> Refusal? {
    if !SlotKind.known.contains(kind) {
      return Refusal("/kind", .form, "this version does not know it", allowed: "“weekly”, “week” or “day”")
    }
    if weekday == nil, kind != .day {
      return Refusal("/weekday", .missing, "the weekday is missing", allowed: "a weekday")
    }
    if let weekday, kind == .day || !Weekday.known.contains(weekday) {
      return Refusal("/weekday", .conflict, "a weekday is for “weekly” and “week”", allowed: "“monday” to “sunday”")
    }
    if (week == nil) == (kind == .week) {
      return Refusal("/week", .conflict, "“week” belongs to the kind “week”", allowed: "1 to \(program.weeks)")
    }
    if let week, week > program.weeks {
      return Refusal("/week", .range, "it is after the end of the program", allowed: "1 to \(program.weeks)")
    }
    if (day == nil) == (kind == .day) {
      return Refusal("/day", .conflict, "“day” belongs to the kind “day”", allowed: "0 to \(program.weeks * 7 - 1)")
    }
    if let day, day >= program.weeks * 7 {
      return Refusal("/day", .range, "it is after the end of the program", allowed: "0 to \(program.weeks * 7 - 1)")
    }
    if replaces == true, kind == .weekly {
      return Refusal("/replaces", .conflict, "a weekly slot cannot replace others", allowed: "for “week” and “day”")
    }
    if workoutId != nil, moduleId != nil {
      return Refusal("/moduleId", .conflict, "it has a workout already", allowed: "one of them")
    }
    if workoutId == program.id { return Refusal("/workoutId", .conflict, "a program cannot contain itself") }
    if moduleId == program.id { return Refusal("/moduleId", .conflict, "a program cannot contain itself") }
    return nil
  }
}

extension ProgramProgression {
  /// The first violated rule; nil for none. Pointers lead into it.
  package var refusal: Refusal? {
    if !ProgressionPolicy.known.contains(policy) {
      return Refusal("/policy", .form, "this version does not know it", allowed: "“off”, “linear” or “adaptive”")
    }
    let exercises = exercises ?? []
    let refusal =
      profile?.refusal?.inside("/profile")
      ?? .tooMany(exercises.count, most: ProgramRules.mostExercises, "/exercises")
      ?? .repeated(exercises.map(\.exerciseId), "/exerciseId", in: "/exercises")
    if let refusal { return refusal }
    for (place, exercise) in exercises.enumerated() {
      if let refusal = exercise.profile?.refusal { return refusal.inside("/exercises/\(place)/profile") }
    }
    return nil
  }

  /// Problems that an edit must not add, but that programs stored by earlier versions may have: profiles in which no
  /// signal has a weight, and a floor above the ceiling. Pointers lead into it.
  package var profileProblems: [Refusal] {
    var problems = ProgramProgression.problems(profile, rule, "", isOwn: (true, true))
    for (place, exercise) in (exercises ?? []).enumerated() {
      problems += ProgramProgression.problems(
        exercise.profile ?? profile, exercise.rule ?? rule, "/exercises/\(place)",
        isOwn: (exercise.profile != nil, exercise.rule != nil))
    }
    return problems
  }

  /// The problems of a profile combined with a rule; `isOwn` says which of them is set here rather than inherited.
  /// Inherited ones are checked where they are set.
  private static func problems(
    _ profile: ProgressionProfile?, _ rule: ProgressionRule?, _ place: String, isOwn: (profile: Bool, rule: Bool)
  ) -> [Refusal] {
    var problems: [Refusal] = []
    if isOwn.profile, let profile, ResolvedProfile(profile, .strength).weights.allSatisfy({ $0 == 0 }) {
      problems.append(
        Refusal(
          place + "/profile/weights", .range, "no signal counts", allowed: "a weight above 0 for at least one signal"))
    }
    // A ceiling is a value of the rule's own metric.
    guard let profile, let floor = profile.floor, let ceiling = rule?.ceiling, floor > ceiling,
      profile.metric == nil || profile.metric == rule?.metric
    else { return problems }
    if isOwn.profile {
      problems.append(
        Refusal(
          place + "/profile/floor", .order, "it is above the ceiling of the rule", allowed: "at most \(ceiling)"))
    } else if isOwn.rule {
      problems.append(
        Refusal(
          place + "/rule/ceiling", .order, "it is below the floor of the profile", allowed: "at least \(floor)"))
    }
    return problems
  }
}

extension ProgressionProfile {
  /// The first violated rule; nil for none.
  fileprivate var refusal: Refusal? {
    guard let progressAt, let regressAt, regressAt >= progressAt else { return nil }
    return Refusal("/regressAt", .order, "the thresholds overlap", allowed: "less than \(progressAt)")
  }
}

/// The days of a program. Week 1 is the calendar week of the first day, however short; earlier days of it are left out.
package struct ProgramDays: Sendable {
  /// A slot of a program on a day.
  package struct Entry: Equatable, Sendable {
    package let slot: ProgramSlot
    package let day: CivilDay
    /// From 1.
    package let week: Int
  }

  /// The first day to the end of the last week.
  package let days: ClosedRange<CivilDay>
  private let firstWeek: CivilDay
  private let slots: [ProgramSlot]

  /// - Parameter firstWeekday: The first day of the week, 0…6 from Monday.
  package init(_ slots: [ProgramSlot], weeks: Int, from start: CivilDay, firstWeekday: Int) {
    firstWeek = start.week(from: firstWeekday).lowerBound
    days = start...max(start, firstWeek.advanced(by: weeks * 7 - 1))
    self.slots = slots
  }

  /// The entries, by day and then in the order of the slots. On a day with a slot that replaces, the weekly slots are
  /// left out.
  package var entries: [Entry] {
    var weekly = [[Int]](repeating: [], count: 7)
    var single: [CivilDay: [Int]] = [:]
    for (place, slot) in slots.enumerated() {
      switch slot.kind {
      case .weekly: if let index = slot.weekdayIndex { weekly[index].append(place) }
      case .week:
        guard let index = slot.weekdayIndex, let week = slot.week else { continue }
        let offset = (index - firstWeek.weekdayIndex + 7) % 7
        single[firstWeek.advanced(by: (week - 1) * 7 + offset), default: []].append(place)
      case .day: if let day = slot.day { single[days.lowerBound.advanced(by: day), default: []].append(place) }
      case .unknown: continue
      }
    }
    return days.days.flatMap { day in
      let own = single[day] ?? []
      let isReplaced = own.contains { slots[$0].replaces == true }
      let places = isReplaced ? own : (own + weekly[day.weekdayIndex]).sorted()
      let week = (Int(day.daysSinceEpoch) - Int(firstWeek.daysSinceEpoch)) / 7 + 1
      return places.map { Entry(slot: slots[$0], day: day, week: week) }
    }
  }
}

extension ProgramSlot {
  /// 0 for Monday to 6 for Sunday.
  fileprivate var weekdayIndex: Int? { weekday.flatMap { Weekday.known.firstIndex(of: $0) } }
}
