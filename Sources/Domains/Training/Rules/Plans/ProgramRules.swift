import CivilTime
import DaybookProtocol
import Values

/// What a program may be.
package enum ProgramRules {
  /// The most slots, exercises with a rule of their own, and days with something that a program can have.
  package static let (mostSlots, mostExercises, mostEntries) = (500, 200, 5000)
}

extension Program {
  /// What is wrong with it; nil when nothing is.
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
        "/weeks", .length, "that is \(entries) days with something", allowed: "at most \(ProgramRules.mostEntries)")
    }
    return progression?.refusal?.inside("/progression")
  }

  /// What is wrong with what an edit makes of it, or with a new one; nil when nothing is.
  package func refusal(since old: Program?) -> Refusal? {
    refusal
      ?? .firstNew(progression?.profileProblems ?? [], since: old?.progression?.profileProblems ?? [])?
      .inside("/progression")
  }
}

extension ProgramSlot {
  /// What is wrong with it; nil when nothing is. Pointers lead into it.
  fileprivate func refusal(in program: Program) -> Refusal? {
    if !SlotKind.known.contains(kind) {
      return Refusal("/kind", .form, "this version does not know it", allowed: "“weekly”, “week” or “day”")
    }
    if weekday == nil, kind != .day { return Refusal("/weekday", .missing, "on which day?", allowed: "a weekday") }
    if let weekday, kind == .day || !Weekday.known.contains(weekday) {
      return Refusal("/weekday", .conflict, "a weekday is for “weekly” and “week”", allowed: "“monday” to “sunday”")
    }
    if (week == nil) == (kind == .week) {
      return Refusal("/week", .conflict, "“week” has a week, and nothing else", allowed: "1 to \(program.weeks)")
    }
    if let week, week > program.weeks {
      return Refusal("/week", .range, "the program is shorter", allowed: "1 to \(program.weeks)")
    }
    if (day == nil) == (kind == .day) {
      return Refusal("/day", .conflict, "“day” has a day, and nothing else", allowed: "0 to \(program.weeks * 7 - 1)")
    }
    if let day, day >= program.weeks * 7 {
      return Refusal("/day", .range, "the program is shorter", allowed: "0 to \(program.weeks * 7 - 1)")
    }
    if replaces == true, kind == .weekly {
      return Refusal("/replaces", .conflict, "a weekly slot replaces nothing", allowed: "for “week” and “day”")
    }
    if workoutId != nil, moduleId != nil {
      return Refusal("/moduleId", .conflict, "it is a workout already", allowed: "one of both")
    }
    if workoutId == program.id { return Refusal("/workoutId", .conflict, "a program cannot contain itself") }
    if moduleId == program.id { return Refusal("/moduleId", .conflict, "a program cannot contain itself") }
    return nil
  }
}

extension ProgramProgression {
  /// What is wrong with it; nil when nothing is. Pointers lead into it.
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

  /// What an edit is not to bring, and a program that an earlier version stored may have: profiles by which no signal counts, and a floor
  /// above the ceiling. Pointers lead into it.
  package var profileProblems: [Refusal] {
    var problems = ProgramProgression.problems(profile, rule, "", isOwn: (true, true))
    for (place, exercise) in (exercises ?? []).enumerated() {
      problems += ProgramProgression.problems(
        exercise.profile ?? profile, exercise.rule ?? rule, "/exercises/\(place)",
        isOwn: (exercise.profile != nil, exercise.rule != nil))
    }
    return problems
  }

  /// What is wrong with a profile beside a rule; `isOwn` says which of both is at the place. Inherited ones are checked where they are.
  private static func problems(
    _ profile: ProgressionProfile?, _ rule: ProgressionRule?, _ place: String, isOwn: (profile: Bool, rule: Bool)
  ) -> [Refusal] {
    var problems: [Refusal] = []
    if isOwn.profile, let profile, ResolvedProfile(profile, .strength).weights.allSatisfy({ $0 == 0 }) {
      problems.append(
        Refusal(
          place + "/profile/weights", .range, "no signal counts", allowed: "a weight above 0 for one at least"))
    }
    // A ceiling is of the rule's own metric.
    guard let profile, let floor = profile.floor, let ceiling = rule?.ceiling, floor > ceiling,
      profile.metric == nil || profile.metric == rule?.metric
    else { return problems }
    if isOwn.profile {
      problems.append(
        Refusal(
          place + "/profile/floor", .order, "the rule has its ceiling below it", allowed: "at most \(ceiling)"))
    } else if isOwn.rule {
      problems.append(
        Refusal(
          place + "/rule/ceiling", .order, "the profile has its floor above it", allowed: "at least \(floor)"))
    }
    return problems
  }
}

extension ProgressionProfile {
  /// What is wrong with it; nil when nothing is.
  fileprivate var refusal: Refusal? {
    guard let progressAt, let regressAt, regressAt >= progressAt else { return nil }
    return Refusal("/regressAt", .order, "it would go both ways at once", allowed: "less than \(progressAt)")
  }
}
