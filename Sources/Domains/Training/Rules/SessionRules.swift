import DaybookProtocol
import Values

/// What a finished session can be.
package enum SessionRules {
  /// The most modules of a session.
  package static let mostModules = 50
  /// The most sets of a group.
  package static let mostSets = 1000
  /// The longest that a session can be, seconds: more than a hundred days.
  package static let mostSeconds = 10_000_000
  /// The most factors of a proposal: one for each signal.
  package static let mostFactors = 5
}

extension WorkoutSession {
  /// The same with kilograms beside its weights.
  ///
  /// - Throws: What is wrong with it; pointers lead into it.
  package func normalized() throws(Refusal) -> WorkoutSession {
    guard name.isVisible else { throw Refusal("/name", .missing, "the name cannot be seen", allowed: "a name") }
    guard startedAt <= endedAt else {
      throw Refusal("/endedAt", .order, "it ends before it begins", allowed: "\(startedAt) or later")
    }
    guard (0...SessionRules.mostSeconds).contains(seconds) else {
      throw Refusal(
        "/seconds", .range, "it is too long: \(seconds) seconds", allowed: "0 to \(SessionRules.mostSeconds) seconds")
    }
    guard modules.count <= SessionRules.mostModules else {
      throw Refusal(
        "/modules", .length, "there are \(modules.count) modules", allowed: "at most \(SessionRules.mostModules)")
    }
    var session = self
    var seen: Set<EntityID> = []
    for place in modules.indices {
      do throws(Refusal) { session.modules[place] = try modules[place].normalized(&seen) } catch {
        throw error.inside("/modules/\(place)")
      }
    }
    return session
  }
}

extension WorkoutSession {
  /// What in it no session can come to by being done, and a correction is not to bring: a superset of one exercise, and sides of an
  /// exercise that has none.
  package var misfit: Refusal? {
    for (m, module) in modules.enumerated() {
      let supersets = Supersets.cleaned(module.exercises.map(\.supersetId))
      for (e, exercise) in module.exercises.enumerated() {
        let place = "/modules/\(m)/exercises/\(e)"
        if exercise.supersetId != supersets[e] {
          return Refusal(
            place + "/supersetId", .conflict, "a superset has two exercises at least", allowed: "nothing here")
        }
        for (g, group) in exercise.groups.enumerated() where exercise.traits.unilateral != true {
          guard let s = group.sets.firstIndex(where: { $0.side != nil }) else { continue }
          return Refusal(
            "\(place)/groups/\(g)/sets/\(s)/side", .conflict, "the exercise has no sides",
            allowed: "nothing here, or “unilateral” in the traits")
        }
      }
    }
    return nil
  }
}

extension SessionModule {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SessionModule {
    try check(id, "", &seen)
    guard name.isVisible else { throw Refusal("/name", .missing, "the name cannot be seen", allowed: "a name") }
    try check(exercises.count, "/exercises", SetRules.mostExercises)
    var module = self
    for place in exercises.indices {
      do throws(Refusal) { module.exercises[place] = try exercises[place].normalized(&seen) } catch {
        throw error.inside("/exercises/\(place)")
      }
    }
    return module
  }
}

extension SessionExercise {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SessionExercise {
    try check(id, "", &seen)
    if let refusal = traits.refusal { throw refusal.inside("/traits") }
    try check(groups.count, "/groups", SetRules.mostGroups)
    try check(proposal?.factors?.count ?? 0, "/proposal/factors", SessionRules.mostFactors)
    var exercise = self
    for place in groups.indices {
      do throws(Refusal) {
        let group = groups[place]
        try check(group.id, "", &seen)
        try check(group.sets.count, "/sets", SessionRules.mostSets)
        for index in group.sets.indices {
          do throws(Refusal) { exercise.groups[place].sets[index] = try group.sets[index].normalized(&seen) } catch {
            throw error.inside("/sets/\(index)")
          }
        }
      } catch { throw error.inside("/groups/\(place)") }
    }
    return exercise
  }
}

extension SetRecord {
  fileprivate func normalized(_ seen: inout Set<EntityID>) throws(Refusal) -> SetRecord {
    try check(id, "", &seen)
    var record = self
    if let target {
      do throws(Refusal) { record.target = try target.normalized() } catch { throw error.inside("/target") }
    }
    if let actual {
      do throws(Refusal) { record.actual = try actual.normalized() } catch { throw error.inside("/actual") }
    }
    return record
  }
}

private func check(_ id: EntityID, _ place: String, _ seen: inout Set<EntityID>) throws(Refusal) {
  guard seen.insert(id).inserted else {
    throw Refusal("\(place)/id", .repeated, "the id is there twice", allowed: "each id once")
  }
}

private func check(_ count: Int, _ pointer: String, _ most: Int) throws(Refusal) {
  guard count <= most else { throw Refusal(pointer, .length, "there are \(count)", allowed: "at most \(most)") }
}
