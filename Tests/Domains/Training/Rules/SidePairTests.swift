import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("Left and right of a set")
struct SidePairTests {
  @Test("The sides of a set stay a pair under random edits, and no done set is lost", arguments: 0..<60)
  func edits(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let ids = Ids()
    var workout = RunningWorkout.random(&random, ids: ids)
    for step in 0..<40 {
      let before = workout
      let canLoseSets = edit(&workout, &random, ids)
      for exercise in workout.all { check(exercise, "seed \(seed), step \(step)") }
      guard !canLoseSets else { continue }
      let lost = before.done.subtracting(workout.done)
      #expect(lost.isEmpty, "seed \(seed), step \(step)")
    }
    let finished = workout.finished(at: noon, now: noon)
    #expect(finished.structuralProblems.allSatisfy { !$0.pointer.hasSuffix("side") }, "seed \(seed)")
    for exercise in workout.all {
      // As a plan, and from that a session again.
      let planned = exercise.planned(at: noon, ids.new)
      #expect(planned.groups.reduce(0) { $0 + $1.sets } == exercise.logicalSets.count)
      let again = SessionBuilder(ids.new).exercise(planned)
      check(again, "seed \(seed)")
      #expect(again.logicalSets.count == exercise.logicalSets.count)
    }
  }

  /// Makes a random change, or none. Returns whether it may remove done sets.
  private func edit(_ workout: inout RunningWorkout, _ random: inout SeededGenerator, _ ids: Ids) -> Bool {
    guard let exercise = workout.all.isEmpty ? nil : workout.all[random.below(workout.all.count)] else { return false }
    let sets = exercise.groups.flatMap(\.sets)
    let set = sets[random.below(sets.count)]
    do throws(RunningRefusal) {
      switch random.below(10) {
      case 0...3:
        _ = try workout.log(
          set.id, SetValues(reps: random.below(12)), kind: random.once(in: 4) ? .warmup : nil, prefill: nil,
          advances: true, at: noon)
      case 4:
        _ = try workout.uncheck(set.id)
        return true
      case 5: _ = try workout.addSet(to: exercise.id, target: nil, kind: random.once(in: 2) ? .drop : nil, ids.new)
      case 6:
        _ = try workout.deleteSet(set.id)
        return true
      case 7:
        let groups = (0..<random.below(3)).map { _ in
          SetGroup(id: ids.new(), sets: random.below(4) + 1, kind: random.once(in: 3) ? .warmup : nil)
        }
        var traits = exercise.traits
        if random.once(in: 3) { traits.unilateral = random.once(in: 2) ? true : nil }
        let changesSides = traits.unilateral != exercise.traits.unilateral
        try workout.edit(
          exercise.id, traits: random.once(in: 2) || changesSides ? traits : nil, groups: groups, library: nil, ids.new)
        return changesSides
      case 8:
        var traits = exercise.traits
        traits.unilateral = traits.unilateral == true ? nil : true
        try workout.edit(exercise.id, traits: traits, groups: nil, library: ids.new(), ids.new)
        return true
      default:
        let module = workout.module(of: exercise.id).map { workout.session.modules[$0] }
        try workout.reorder(module?.id ?? ids.new(), (module?.exerciseIds ?? []).reversed())
      }
    } catch { return false }
    return false
  }

  /// Sets are numbered from 1; each set of a unilateral exercise has a left and then a right side.
  private func check(_ exercise: SessionExercise, _ place: String) {
    let sets = exercise.logicalSets
    #expect(sets.map { $0[0].number } == Array(1...sets.count), "\(place)")
    let sides: [SetSide?] = exercise.traits.unilateral == true ? [.left, .right] : [nil]
    for set in sets {
      #expect(set.map(\.side) == sides, "\(place)")
      #expect(Set(set.map(\.number)).count == 1, "\(place)")
    }
  }
}

extension RunningWorkout {
  /// The ids of the done sets.
  fileprivate var done: Set<EntityID> {
    Set(all.flatMap(\.groups).flatMap(\.sets).filter { $0.done == true }.map(\.id))
  }
}
