import DaybookProtocol

/// The differences between a session and its plan, and their application to the plan. Exercises that had no plan when
/// the session began are ignored.
package enum StructuralChanges {
  /// The present planned exercises of each module of a session, by the id of that module; missing plans are left out.
  package typealias Plans = [EntityID: [PlannedExercise]]

  /// The differences in the order of the modules, numbered from 0.
  ///
  package static func all(_ workout: RunningWorkout, _ plans: Plans) -> [StructuralChange] {
    var changes: [StructuralChange] = []
    for (module, list) in zip(workout.session.modules, workout.modules) {
      guard let plan = plans[module.id], let plannedIds = module.plannedIds else { continue }
      let present = Set(plan.map(\.id)).intersection(plannedIds)
      let own = self.changes(module, list, plan.filter { present.contains($0.id) }, plannedIds.filter(present.contains))
      changes += own
    }
    for index in changes.indices { changes[index].number = index }
    return changes
  }

  private static func changes(
    _ module: RunningModule, _ list: [SessionExercise], _ plan: [PlannedExercise], _ plannedIds: [EntityID]
  ) -> [StructuralChange] {
    var changes: [StructuralChange] = []
    func add(
      _ kind: StructuralChangeKind, _ planned: EntityID?, _ exercise: SessionExercise?, _ name: String, _ text: String,
      sets: Int? = nil, to: Int? = nil
    ) {
      changes.append(
        StructuralChange(
          number: 0, kind: kind, moduleId: module.moduleId, plannedId: planned, exerciseId: exercise?.id, name: name,
          text: text, sets: sets, to: to))
    }
    let known = Set(plannedIds)
    let matched = list.filter { $0.plannedId.map(known.contains) ?? false }
    let matchedIds = matched.compactMap(\.plannedId)
    let expected = plannedIds.filter(Set(matchedIds).contains)
    for (place, exercise) in list.enumerated() {
      let name = exercise.traits.name
      guard let planned = exercise.plannedId, known.contains(planned) else {
        add(.exerciseAdded, nil, exercise, name, "\(name) was added", to: place)
        continue
      }
      if let old = exercise.originalName, old != name {
        add(.exerciseSubstituted, planned, exercise, name, "\(name) instead of \(old)")
      }
      let sets = exercise.logicalSets.count
      if let before = exercise.plannedSets, before != sets {
        add(
          .setCountChanged, planned, exercise, name,
          "\(name): \(sets) \(sets == 1 ? "set" : "sets") instead of \(before)",
          sets: sets)
      }
      if let rank = matchedIds.firstIndex(of: planned), expected[rank] != planned {
        add(.exerciseReordered, planned, exercise, name, "\(name) was moved", to: place)
      }
    }
    for planned in plan where !matchedIds.contains(planned.id) {
      add(.exerciseRemoved, planned.id, nil, planned.traits.name, "\(planned.traits.name) was removed")
    }
    return changes
  }

  /// The plan with differences applied.
  package static func applied(
    _ changes: [StructuralChange], to plan: [PlannedExercise], _ workout: RunningWorkout, at now: Instant,
    _ newID: () -> EntityID
  ) -> [PlannedExercise] {
    var plan = plan
    var moved: [StructuralChange] = []
    func edit(_ id: EntityID?, _ body: (inout PlannedExercise) -> Void) {
      guard let index = plan.firstIndex(where: { $0.id == id }) else { return }
      body(&plan[index])
    }
    for change in changes {
      let exercise = change.exerciseId.flatMap { workout.exercises[$0] }
      switch change.kind {
      case .setCountChanged:
        edit(change.plannedId) { $0.setCount(change.sets ?? 1, newID) }
      case .exerciseSubstituted:
        guard let exercise else { continue }
        edit(change.plannedId) { planned in
          planned.traits = exercise.traits
          planned.exerciseId = exercise.exerciseId
        }
      case .exerciseRemoved: plan.removeAll { $0.id == change.plannedId }
      case .exerciseAdded, .exerciseReordered: moved.append(change)
      case .unknown: break
      }
    }
    place(moved, in: &plan, workout, at: now, newID)
    return plan.with(plan.cleanedSupersets)
  }

  /// Inserts added and moved exercises, in the order of the session, each after its predecessor there, as far as the
  /// plan has one.
  private static func place(
    _ changes: [StructuralChange], in plan: inout [PlannedExercise], _ workout: RunningWorkout, at now: Instant,
    _ newID: () -> EntityID
  ) {
    let moved = Set(changes.compactMap(\.plannedId))
    var placed: [EntityID: EntityID] = [:]
    var taken = Dictionary(plan.filter { moved.contains($0.id) }.map { ($0.id, $0) }) { first, _ in first }
    plan.removeAll { moved.contains($0.id) }
    for change in changes {
      guard change.plannedId != nil || plan.count < SetRules.mostExercises, let id = change.exerciseId,
        let exercise = workout.exercises[id],
        let module = workout.module(of: id).map({ workout.session.modules[$0] })
      else { continue }
      guard let planned = change.plannedId.map({ taken.removeValue(forKey: $0) }) ?? exercise.planned(at: now, newID)
      else { continue }
      placed[id] = planned.id
      let before = module.exerciseIds.prefix { $0 != id }.reversed()
        .compactMap { placed[$0] ?? workout.exercises[$0]?.plannedId }
      let index = before.compactMap { id in plan.firstIndex { $0.id == id } }.first
      plan.insert(planned, at: index.map { $0 + 1 } ?? 0)
    }
  }
}

extension PlannedExercise {
  /// Changes the total number of sets, at the end.
  fileprivate mutating func setCount(_ count: Int, _ newID: () -> EntityID) {
    if groups.isEmpty { groups = [SetGroup(id: newID(), sets: 1)] }
    var rest = count - groups.reduce(0) { $0 + $1.sets }
    while rest < 0, let last = groups.last {
      if last.sets + rest >= 1 || groups.count == 1 {
        groups[groups.count - 1].sets = max(1, last.sets + rest)
        return
      }
      rest += last.sets
      groups.removeLast()
    }
    groups[groups.count - 1].sets = min(50, groups[groups.count - 1].sets + rest)
  }
}

extension SessionExercise {
  /// The exercise as a planned one, with the logged values, else the targets, as targets. Consecutive sets of one kind
  /// form a group, as far as there may be that many.
  package func planned(at now: Instant, _ newID: () -> EntityID) -> PlannedExercise {
    let runs = groups.map { $0.kindRuns }
    let isSplit = runs.reduce(0) { $0 + $1.count } <= SetRules.mostGroups
    return PlannedExercise(
      id: newID(), exerciseId: exerciseId, traits: traits,
      groups: zip(groups, runs).flatMap { group, runs in
        (isSplit ? runs : [(group.kind, group.logicalSets)]).map { group.planned($0, $1, newID()) }
      }, supersetId: nil, note: nil, updatedAt: now)
  }
}

extension SessionGroup {
  /// The sets, with both sides, in runs of one kind.
  fileprivate var kindRuns: [(kind: SetKind?, sets: [[SetRecord]])] {
    var runs: [(kind: SetKind?, sets: [[SetRecord]])] = []
    for set in logicalSets {
      let kind = set[0].kind ?? kind
      if let last = runs.last, last.kind ?? .normal == kind ?? .normal {
        runs[runs.count - 1].sets.append(set)
      } else {
        runs.append((kind, [set]))
      }
    }
    return runs.isEmpty ? [(kind, [])] : runs
  }

  /// A planned group for some of its sets, with the values of the first done one, else of the first.
  fileprivate func planned(_ kind: SetKind?, _ sets: [[SetRecord]], _ id: EntityID) -> SetGroup {
    let target = (sets.joined().first { $0.done == true } ?? sets.first?.first)?.doneOrTarget
    let isInterval = mode == .interval
    return SetGroup(
      id: id, sets: min(50, max(1, sets.count)), kind: kind, mode: mode, target: target,
      // The done repetitions may exceed the range.
      repsMax: repsMax.flatMap { $0 >= target?.reps ?? 1 ? $0 : nil }, restSeconds: restSeconds,
      workSeconds: isInterval ? workSeconds : nil, breakSeconds: isInterval ? breakSeconds : nil,
      limitSeconds: mode == .amrap ? limitSeconds : nil, note: note)
  }
}
