import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("The order of the sets of a session")
struct SessionOrderTests {
  @Test(
    "The order of drawn sessions",
    arguments: [
      ("A3", "A1 A2 A3"), ("A21", "A1 A2 A3"), ("A1 B2", "A1 B1 B2"), ("A1|B1", "A1 B1"),
      ("A3~1 B3~1 C1", "A1 B1 A2 B2 A3 B3 C1"), ("A1~1 B3~1", "A1 B1 B2 B3"), ("A3~1 B1~1 C2", "A1 B1 A2 A3 C1 C2"),
      ("A2~1 B2 C2~1", "A1 C1 A2 C2 B1 B2"), ("A12~1 B21~1", "A1 B1 A2 B2 A3 B3"), ("A2*", "A1l A1r A2l A2r"),
      ("A2*~1 B2~1", "A1l A1r B1 A2l A2r B2"), ("A1~1|B1~1", "A1 B1"),
    ])
  func drawn(drawing: String, expected: String) {
    #expect(RunningWorkout(drawing).drawnOrder == expected)
  }

  @Test(
    "The navigator visits every set once, for any shape, forward and backward, with changes in between",
    arguments: 0..<60)
  func everySetOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ids = Ids()
    var workout = RunningWorkout.random(&random, ids: ids)
    for _ in 0..<12 {
      try checkWalk(&workout)
      change(&workout, &random, ids)
      try checkShape(workout)
    }
  }

  /// Moves through all sets and back.
  private func checkWalk(_ workout: inout RunningWorkout) throws {
    let places = SessionOrder(workout).places
    let open = zip(workout.session.modules, workout.modules).filter { $0.0.skipped != true }.flatMap(\.1)
    let sets = open.flatMap(\.groups).flatMap(\.sets).map(\.id)
    #expect(places.count == sets.count)
    #expect(Set(places.map(\.set)) == Set(sets))
    guard let first = places.first else { return }
    try workout.go(toSet: first.set)
    var seen = [first.set]
    for _ in places.dropFirst() {
      workout.go(.nextSet)
      seen.append(try #require(workout.current).set.id)
    }
    #expect(seen == places.map(\.set))
    workout.go(.nextSet)
    #expect(workout.current?.set.id == places.last?.set)
    for place in places.reversed() {
      #expect(workout.current?.set.id == place.set)
      workout.go(.previousSet)
    }
  }

  /// Checks the invariants of a session.
  private func checkShape(_ workout: RunningWorkout) throws {
    let all = workout.all
    #expect(all.count == workout.exercises.count)
    for exercise in all {
      #expect(!exercise.groups.isEmpty && exercise.groups.allSatisfy { !$0.sets.isEmpty })
      #expect(exercise.logicalSets.map { $0[0].number } == Array(1...exercise.logicalSets.count))
      let sides = exercise.groups.flatMap(\.sets).map(\.side)
      if exercise.traits.unilateral == true {
        #expect(sides == sides.indices.map { $0 % 2 == 0 ? .left : .right })
      } else {
        #expect(sides.allSatisfy { $0 == nil })
      }
    }
    #expect((workout.session.position == nil) == all.isEmpty)
    #expect(all.isEmpty || workout.current != nil)
  }

  private func change(_ workout: inout RunningWorkout, _ random: inout SeededGenerator, _ ids: Ids) {
    let all = workout.all
    guard !all.isEmpty else { return }
    let exercise = all[random.below(all.count)]
    let sets = exercise.groups.flatMap(\.sets)
    let module = workout.session.modules[random.below(workout.session.modules.count)]
    switch random.below(9) {
    case 0: _ = try? workout.addSet(to: exercise.id, target: nil, kind: nil, ids.new)
    case 1: _ = try? workout.deleteSet(sets[random.below(sets.count)].id)
    case 2: try? workout.delete(exercise.id)
    case 3:
      var ids = module.exerciseIds
      ids.shuffle(using: &random)
      try? workout.reorder(module.id, ids)
    case 4: try? workout.skip(module.id, random.once(in: 2))
    case 5:
      var traits = exercise.traits
      traits.unilateral = traits.unilateral == true ? nil : true
      try? workout.edit(exercise.id, traits: traits, groups: nil, library: nil, ids.new)
    case 6:
      let groups = (0..<random.below(2) + 1).map { _ in SetGroup(id: ids.new(), sets: random.below(4) + 1) }
      try? workout.edit(exercise.id, traits: nil, groups: groups, library: nil, ids.new)
    case 7:
      let made = SessionBuilder(ids.new).exercise(exercise.traits, nil, [SetGroup(sets: random.below(3) + 1)])
      try? workout.add(made, to: module.id, ids.new)
    default:
      _ = try? workout.log(
        nil, SetValues(reps: 5), kind: nil, prefill: nil, advances: random.once(in: 2), at: noon)
    }
  }

  @Test("Logging everything ends with everything done, for any shape", arguments: 0..<40)
  func logsAll(seed: UInt64) throws {
    var random = SeededGenerator(seed: 1000 + seed)
    var workout = RunningWorkout.random(&random, ids: Ids())
    workout.go(.next)
    for _ in SessionOrder(workout).places {
      #expect(workout.current?.set.done != true)
      _ = try workout.log(nil, SetValues(reps: 1), kind: nil, prefill: nil, advances: true, at: noon)
    }
    #expect(workout.progress.done == workout.progress.sets)
    #expect(workout.exercises.values.allSatisfy { $0.groups.allSatisfy { $0.sets.allSatisfy { $0.done == true } } })
  }

  @Test("There is no rest within a round of a superset, but after it")
  func rests() {
    let order = SessionOrder(RunningWorkout("A2~1 B2~1 C1"))
    #expect(order.places.indices.map(order.continuesRound) == [true, false, true, false, false])
  }
}
