import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("Differences between a session and its plan")
struct StructuralChangesTests {
  /// The plan of a drawn session.
  private func plans(_ workout: RunningWorkout, _ ids: Ids) -> StructuralChanges.Plans {
    Dictionary(
      uniqueKeysWithValues: zip(workout.session.modules, workout.modules).map { module, list in
        (
          module.id,
          list.map { exercise in
            var planned = exercise.planned(at: noon, ids.new)
            planned.id = exercise.plannedId ?? planned.id
            return planned
          }
        )
      })
  }

  private func drawn(_ plan: [PlannedExercise]) -> String {
    plan.map { "\($0.traits.name)\($0.groups.reduce(0) { $0 + $1.sets })" }.joined(separator: " ")
  }

  @Test("A session as planned has no differences, also when partly done")
  func same() throws {
    let ids = Ids()
    var workout = RunningWorkout("A3 B2*|C12", ids: ids)
    let plans = plans(workout, ids)
    _ = try workout.log(nil, SetValues(reps: 5), kind: nil, prefill: nil, advances: true, at: noon)
    #expect(StructuralChanges.all(workout, plans).isEmpty)
  }

  @Test("Differences are applied one by one, and the others stay out of the plan")
  func kinds() throws {
    let ids = Ids()
    var workout = RunningWorkout("A3 B2 C1 D2", ids: ids)
    let plans = plans(workout, ids)
    let module = workout.session.modules[0].id
    let plan = try #require(plans[module])
    let list = workout.all
    _ = try workout.addSet(to: list[0].id, target: nil, kind: nil, ids.new)
    try workout.delete(list[1].id)
    try workout.edit(
      list[2].id, traits: TrainingTraits(name: "X", kind: .strength), groups: nil, library: ids.new(), ids.new)
    try workout.reorder(module, [list[3].id, list[0].id, list[2].id])
    try workout.add(
      SessionBuilder(ids.new).exercise(TrainingTraits(name: "N", kind: .strength), nil, [SetGroup(sets: 2)]),
      to: module,
      ids.new)
    let changes = StructuralChanges.all(workout, plans)
    #expect(
      Set(changes.map(\.kind)) == [
        .setCountChanged, .exerciseRemoved, .exerciseSubstituted, .exerciseReordered, .exerciseAdded,
      ])
    #expect(changes.map(\.number) == Array(changes.indices))
    let all = StructuralChanges.applied(changes, to: plan, workout, at: noon, ids.new)
    #expect(drawn(all) == "D2 A4 X1 N2")
    let one = StructuralChanges.applied(
      changes.filter { $0.kind == .setCountChanged }, to: plan, workout, at: noon, ids.new)
    #expect(drawn(one) == "A4 B2 C1 D2")
    #expect(StructuralChanges.applied([], to: plan, workout, at: noon, ids.new) == plan)
  }

  @Test("With all differences applied, a session of the new plan equals the old session", arguments: 0..<40)
  func converges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ids = Ids()
    var workout = RunningWorkout("A3 B2 C1 D2 E11", ids: ids)
    let plans = plans(workout, ids)
    let module = workout.session.modules[0].id
    for _ in 0..<6 {
      let exercise = workout.all[random.below(workout.all.count)]
      switch random.below(4) {
      case 0: _ = try workout.addSet(to: exercise.id, target: nil, kind: nil, ids.new)
      case 1: try? workout.delete(exercise.id)
      case 2: try workout.reorder(module, workout.all.map(\.id).shuffled(using: &random))
      default:
        try workout.add(
          SessionBuilder(ids.new).exercise(TrainingTraits(name: "N", kind: .strength), nil, []), to: module, ids.new)
      }
    }
    let changes = StructuralChanges.all(workout, plans)
    let plan = StructuralChanges.applied(changes, to: try #require(plans[module]), workout, at: noon, ids.new)
    #expect(drawn(plan) == workout.all.map { "\($0.traits.name)\($0.logicalSets.count)" }.joined(separator: " "))
  }

  @Test("Exercises deleted from the plan, and sessions without a plan, have no differences")
  func gone() throws {
    let ids = Ids()
    var workout = RunningWorkout("A3 B2", ids: ids)
    var plans = plans(workout, ids)
    _ = try workout.addSet(to: workout.all[0].id, target: nil, kind: nil, ids.new)
    plans[workout.session.modules[0].id]?.removeFirst()
    #expect(StructuralChanges.all(workout, plans).filter { $0.kind != .exerciseAdded }.isEmpty)
    workout.session.modules[0].plannedIds = nil
    #expect(StructuralChanges.all(workout, plans).isEmpty)
  }
}
