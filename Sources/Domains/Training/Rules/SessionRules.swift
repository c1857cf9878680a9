import DaybookProtocol

/// The limits of a finished session.
package enum SessionRules {
  /// The most modules of a session.
  package static let mostModules = 50
  /// The most sets of a group.
  package static let mostSets = 1000
  /// The most seconds of a session: more than a hundred days.
  package static let mostSeconds = 10_000_000
  /// The most factors of a proposal, one per signal.
  package static let mostFactors = 5
}

extension WorkoutSession {
  /// The session with the kilograms of its weights filled in.
  ///
  /// - Throws: The first violated rule; pointers lead into it.
  package func normalized() throws(Refusal) -> WorkoutSession {
    try Refusal.check(.name(name))
    try Refusal.check(
      startedAt <= endedAt, "/endedAt", .order, "it ends before it begins", allowed: "\(startedAt) or later")
    try Refusal.check(
      (0...SessionRules.mostSeconds).contains(seconds), "/seconds", .range, "it is too long: \(seconds) seconds",
      allowed: "0 to \(SessionRules.mostSeconds) seconds")
    try Refusal.check(.tooMany(modules.count, "modules", most: SessionRules.mostModules, "/modules"))
    var session = self
    var seen: Set<EntityID> = []
    session.modules = try modules.mapped(inside: "/modules") { module throws(Refusal) in try module.normalized(&seen) }
    return session
  }
}

extension WorkoutSession {
  /// Contradictions that a live session cannot produce and a correction must not add: a superset of one exercise,
  /// sides of an exercise without sides, and a side without the other.
  package var structuralProblems: [Refusal] {
    var problems: [Refusal] = []
    for (m, module) in modules.enumerated() {
      let supersets = module.exercises.cleanedSupersets
      for (e, exercise) in module.exercises.enumerated() {
        let place = "/modules/\(m)/exercises/\(e)"
        if exercise.supersetId != supersets[e] {
          problems.append(
            Refusal(
              place + "/supersetId", .conflict, "a superset has at least two exercises", allowed: "nothing here"))
        }
        for (g, group) in exercise.groups.enumerated() {
          problems += group.sideProblems(exercise.traits).map { $0.inside("\(place)/groups/\(g)") }
        }
      }
    }
    return problems
  }
}

extension SessionGroup {
  fileprivate func sideProblems(_ traits: TrainingTraits) -> [Refusal] {
    guard traits.unilateral == true else {
      return sets.indices.filter { sets[$0].side != nil }.map { set in
        Refusal(
          "/sets/\(set)/side", .conflict, "the exercise has no sides",
          allowed: "nothing here, or “unilateral” in the traits")
      }
    }
    var index = 0
    return logicalSets.compactMap { sides in
      defer { index += sides.count }
      guard sides.count == 1, let side = sides[0].side else { return nil }
      return Refusal(
        "/sets/\(index)/side", .conflict, "the \(side.rawValue) side has no other side",
        allowed: "both sides directly after each other, with the same number")
    }
  }
}

extension SessionModule {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SessionModule {
    try check(id, &seen)
    try Refusal.check(.name(name) ?? .tooMany(exercises.count, most: SetRules.mostExercises, "/exercises"))
    var module = self
    module.exercises = try exercises.mapped(inside: "/exercises") { exercise throws(Refusal) in
      try exercise.normalized(&seen)
    }
    return module
  }
}

extension SessionExercise {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SessionExercise {
    try check(id, &seen)
    try Refusal.check(
      traits.refusal?.inside("/traits") ?? .tooMany(groups.count, most: SetRules.mostGroups, "/groups")
        ?? .tooMany(proposal?.factors?.count, most: SessionRules.mostFactors, "/proposal/factors"))
    var exercise = self
    exercise.groups = try groups.mapped(inside: "/groups") { group throws(Refusal) in
      try check(group.id, &seen)
      try Refusal.check(.tooMany(group.sets.count, most: SessionRules.mostSets, "/sets"))
      var normalized = group
      normalized.sets = try group.sets.mapped(inside: "/sets") { set throws(Refusal) in try set.normalized(&seen) }
      return normalized
    }
    return exercise
  }
}

extension SetRecord {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SetRecord {
    try check(id, &seen)
    var record = self
    record.target = try target?.normalized(at: "/target")
    record.actual = try actual?.normalized(at: "/actual")
    return record
  }
}

private func check(_ id: EntityID, _ seen: inout Set<EntityID>) throws(Refusal) {
  guard seen.insert(id).inserted else {
    throw Refusal("/id", .repeated, "the id occurs twice", allowed: "each id once")
  }
}
