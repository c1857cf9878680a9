import DaybookProtocol

extension PlannedExercise {
  /// The first rule that stored exercises violate; nil for none. Pointers lead into the array.
  static func problem(of exercises: [PlannedExercise]) -> Refusal? {
    let refusal =
      Refusal.tooMany(exercises.count, "exercises", most: SetRules.mostExercises) ?? .repeatedID(exercises.map(\.id))
    if let refusal { return refusal }
    for (place, exercise) in exercises.enumerated() {
      let refusal =
        exercise.traits.refusal?.inside("/traits") ?? SetGroup.problem(of: exercise.groups)?.inside("/groups")
      if let refusal { return refusal.inside("/\(place)") }
    }
    let supersets = exercises.cleanedSupersets
    return exercises.indices.first { exercises[$0].supersetId != supersets[$0] }.map { place in
      Refusal("/\(place)/supersetId", .conflict, "a superset has at least two exercises")
    }
  }
}

/// A plan that contains exercises.
package protocol ExercisePlan: Equatable {
  var exercises: [PlannedExercise] { get set }
  var updatedAt: Instant { get set }
  /// The first violated rule; nil for none.
  var refusal: Refusal? { get }
}

extension Module: ExercisePlan {
  /// The first violated rule; nil for none.
  package var refusal: Refusal? {
    if let refusal = Refusal.name(name) { return refusal }
    return PlannedExercise.problem(of: exercises)?.inside("/exercises")
  }

  /// A copy with new ids, derived from those of the module.
  package func copy(named name: String?, at instant: Instant, _ newID: (EntityID) -> EntityID) -> Module {
    var copy = self
    copy.id = newID(id)
    copy.name = name ?? self.name
    copy.exercises = exercises.copies(at: instant, newID)
    (copy.archived, copy.createdAt, copy.updatedAt) = (nil, instant, instant)
    return copy
  }
}

extension Workout: ExercisePlan {
  /// The most modules of a workout.
  static let mostModules = 50

  /// The first violated rule; nil for none.
  package var refusal: Refusal? {
    let refusal = Refusal.name(name) ?? .tooMany(modules.count, "modules", most: Workout.mostModules, "/modules")
    if let refusal { return refusal }
    if let place = modules.firstIndex(where: { $0.id == nil }) {
      return Refusal("/modules/\(place)/id", .missing, "a stored reference has an id")
    }
    return PlannedExercise.problem(of: exercises)?.inside("/exercises")
  }

  /// A copy with new ids, derived from those of the workout. Its module references are mapped by `modules`.
  package func copy(
    named name: String?, at instant: Instant, modules: (EntityID) -> EntityID, _ newID: (EntityID) -> EntityID
  ) -> Workout {
    var copy = self
    copy.id = newID(id)
    copy.name = name ?? self.name
    copy.modules = self.modules.renamed(newID).map { reference in
      var renamed = reference
      renamed.moduleId = modules(reference.moduleId)
      return renamed
    }
    copy.exercises = exercises.copies(at: instant, newID)
    (copy.archived, copy.createdAt, copy.updatedAt) = (nil, instant, instant)
    return copy
  }
}

extension [PlannedExercise] {
  /// Copies with new ids.
  func copies(at instant: Instant, _ newID: (EntityID) -> EntityID) -> [PlannedExercise] {
    map { exercise in
      var copy = exercise
      copy.id = newID(exercise.id)
      copy.groups = exercise.groups.renamed(newID)
      copy.supersetId = exercise.supersetId.map(newID)
      copy.updatedAt = instant
      return copy
    }
  }

  /// The number of sets; two sides count as one.
  package var sets: Int { reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.sets } } }

  /// The estimated duration in seconds: 40 per set plus its rest; intervals and limits count exactly.
  package func seconds(rest: Int) -> Int {
    reduce(0) { sum, exercise in
      sum
        + exercise.groups.reduce(0) { sum, group in
          if group.mode == .interval {
            let (work, pause) = (group.workSeconds ?? SetRules.work, group.breakSeconds ?? SetRules.pause)
            return sum + group.sets * work + (group.sets - 1) * pause
          }
          return sum + group.sets * ((group.limitSeconds ?? 40) + (group.restSeconds ?? rest))
        }
    }
  }
}

/// Turns a finished session into a plan.
package enum SessionPlan {
  /// The done exercises, with their done sets as targets. Consecutive equal sets form one group.
  ///
  /// - Parameter id: The new id for a part of the session.
  package static func exercises(
    of session: WorkoutSession, at now: Instant, id: (EntityID) -> EntityID
  ) -> [PlannedExercise] {
    var exercises = session.countedExercises.compactMap { exercise -> PlannedExercise? in
      let groups = exercise.groups.flatMap { self.groups(of: $0, id) }
      guard !groups.isEmpty else { return nil }
      return PlannedExercise(
        id: id(exercise.id), exerciseId: exercise.exerciseId, traits: exercise.traits,
        groups: groups.count <= SetRules.mostGroups
          ? groups : exercise.groups.compactMap { self.groups(of: $0, id, asOne: true).first },
        supersetId: exercise.supersetId.map(id), note: exercise.note, updatedAt: now)
    }
    for (place, superset) in exercises.cleanedSupersets.enumerated() {
      exercises[place].supersetId = superset
    }
    return exercises
  }

  /// - Parameter asOne: Whether all sets are treated like the first.
  private static func groups(
    of group: SessionGroup, _ id: (EntityID) -> EntityID, asOne: Bool = false
  ) -> [SetGroup] {
    var groups: [SetGroup] = []
    let sets = group.sets.filter { $0.done == true }
    for (set, isSecond) in zip(sets, sets.areSecondSides) where !isSecond {
      let (target, kind) = (set.actual?.asTarget, set.kind ?? group.kind)
      if let last = groups.indices.last, asOne || (groups[last].target == target && groups[last].kind == kind),
        groups[last].sets < 50
      {
        groups[last].sets += 1
        continue
      }
      groups.append(
        SetGroup(
          id: id(set.id), sets: 1, kind: kind, mode: group.mode, target: target, restSeconds: group.restSeconds,
          workSeconds: group.workSeconds, breakSeconds: group.breakSeconds, limitSeconds: group.limitSeconds,
          note: group.note))
    }
    return groups
  }
}

/// A canonical text of plans: equal for equal content.
package enum PlanContent {
  /// Members that are not content: own ids and instants.
  private static let left: Set<String> = ["id", "createdAt", "updatedAt"]

  /// Members with free text. Other strings that read as a number are numbers.
  private static let free: Set<String> = [
    "name", "originalName", "programName", "note", "text", "aliases", "unit", "importedFrom",
  ]

  /// The canonical text of an entity.
  package static func text(of plan: some JSONEncodable) -> [UInt8] {
    text(of: JSONValue(encoding: plan))
  }

  /// The canonical text of a value.
  static func text(of value: JSONValue) -> [UInt8] {
    var supersets: [String] = []
    return canonical(value, "", &supersets).json
  }

  /// The value with sorted members, without members that are not content, and with normalized decimals; supersets are
  /// numbered in order of appearance.
  private static func canonical(_ value: JSONValue, _ name: String, _ supersets: inout [String]) -> JSONValue {
    switch value {
    case .array(let elements):
      var kept: [JSONValue] = []
      for element in elements { kept.append(canonical(element, name, &supersets)) }
      return .array(kept)
    case .object(let object) where name != "extra":
      var members: [JSONObject.Member] = []
      for member in object.members.sorted(by: { $0.name < $1.name }) where !left.contains(member.name) {
        members.append((member.name, canonical(member.value, member.name, &supersets)))
      }
      return .object(JSONObject(members))
    case .object(let extra): return .object(JSONObject(extra.members.sorted { $0.name < $1.name }))
    case .string(let superset) where name == "supersetId":
      if !supersets.contains(superset) { supersets.append(superset) }
      return .string("\(supersets.firstIndex(of: superset) ?? 0)")
    case .string(let text) where !free.contains(name):
      return .string(Decimal(text).map { "\($0.normalized)" } ?? text)
    default: return value
    }
  }
}

extension JSONValue {
  /// The value that an entity is encoded as.
  init(encoding entity: some JSONEncodable) { self = (try? JSONValue(json: entity.json)) ?? .null }
}
