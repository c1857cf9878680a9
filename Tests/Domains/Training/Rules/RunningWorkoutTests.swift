import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("The running session")
struct RunningWorkoutTests {
  @Test(
    "Indices out of range are clamped",
    arguments: [(99, "D2"), (-1, "A1")])
  func clamps(number: Int, expected: String) {
    var workout = RunningWorkout("A1 B2|C3 D2")
    workout.session.position = SessionPosition(module: number, exercise: number, group: number, set: number)
    #expect(workout.current == nil)
    workout.clamp()
    #expect(workout.drawnPlace == expected)
  }

  @Test("Without modules there is no position and no progress")
  func empty() {
    var workout = RunningWorkout("")
    workout.clamp()
    workout.go(.next)
    workout.go(.previousExercise)
    #expect(workout.current == nil && workout.session.position == nil)
    #expect(workout.progress == (0, 0))
  }

  @Test(
    "Skipping the last module keeps the position; moving back from a module leads to the last exercise before it")
  func modules() throws {
    var workout = RunningWorkout("A1 B1|C1")
    try workout.go(toExercise: workout.modules[1][0].id)
    workout.go(.previousExercise)
    #expect(workout.drawnPlace == "B1")
    workout.go(.nextModule)
    #expect(workout.drawnPlace == "C1")
    workout.go(.nextModule)
    #expect(workout.drawnPlace == "C1")
    try workout.skip(nil, true)
    #expect(workout.drawnPlace == "B1")
    #expect(workout.progress == (0, 2))
    try workout.skip(workout.session.modules[1].id, false)
    #expect(workout.progress == (0, 3))
  }

  @Test("A second log keeps omitted values, but not the effort")
  func logs() throws {
    var workout = RunningWorkout("A2")
    let set = try #require(workout.current).set.id
    let first = SetValues(weight: Decimal(100), weightUnit: .lb, reps: 5, rpe: Decimal(8))
    _ = try workout.log(set, first, kind: nil, prefill: nil, advances: true, at: noon)
    #expect(workout.drawnPlace == "A2")
    _ = try workout.log(set, SetValues(reps: 6), kind: nil, prefill: nil, advances: false, at: noon)
    let logged = workout.all[0].groups[0].sets[0].actual
    #expect(logged?.weight == Decimal(100) && logged?.weightUnit == .lb && logged?.reps == 6 && logged?.rpe == nil)
    #expect(logged?.kg == Decimal("45.3592"))
    _ = try workout.uncheck(set)
    #expect(workout.all[0].groups[0].sets[0].actual == logged && workout.progress == (0, 2))
  }

  @Test(
    "Impossible weights are refused",
    arguments: [("-1", WeightUnit.kg), ("2000.001", .kg), ("4410", .lb), ("1", .st)])
  func weights(weight: String, unit: WeightUnit) throws {
    var workout = RunningWorkout("A1")
    let before = workout
    #expect(throws: RunningRefusal.self) {
      try workout.log(
        nil, SetValues(weight: Decimal(weight), weightUnit: unit), kind: nil, prefill: nil, advances: true, at: noon)
    }
    #expect(workout == before)
  }

  @Test("The last set of an exercise and the last exercise of a module cannot be deleted")
  func lastOnes() throws {
    var workout = RunningWorkout("A1|B1* C1")
    let before = workout
    #expect(throws: RunningRefusal.self) { try workout.deleteSet(workout.modules[0][0].groups[0].sets[0].id) }
    #expect(throws: RunningRefusal.self) { try workout.deleteSet(workout.modules[1][0].groups[0].sets[1].id) }
    #expect(throws: RunningRefusal.self) { try workout.delete(workout.modules[0][0].id) }
    #expect(workout == before)
    try workout.delete(workout.modules[1][0].id)
    #expect(workout.drawnOrder == "A1 C1")
  }

  @Test("Deleting the current exercise moves to the next; deleting an earlier one keeps the position")
  func deletes() throws {
    var workout = RunningWorkout("A1 B2 C1")
    try workout.go(toExercise: workout.all[1].id)
    try workout.delete(workout.all[0].id)
    #expect(workout.drawnPlace == "B1")
    try workout.delete(workout.all[0].id)
    #expect(workout.drawnPlace == "C1")
  }

  @Test("Made unilateral, done sets become left sides; made bilateral again, left sides stay")
  func sides() throws {
    let ids = Ids()
    var workout = RunningWorkout("A2", ids: ids)
    _ = try workout.log(nil, SetValues(reps: 5), kind: nil, prefill: nil, advances: true, at: noon)
    var traits = workout.all[0].traits
    traits.unilateral = true
    try workout.edit(workout.all[0].id, traits: traits, groups: nil, library: nil, ids.new)
    #expect(workout.drawnOrder == "A1l A1r A2l A2r")
    #expect(workout.all[0].groups[0].sets.map { $0.done == true } == [true, false, false, false])
    traits.unilateral = nil
    try workout.edit(workout.all[0].id, traits: traits, groups: nil, library: nil, ids.new)
    #expect(workout.drawnOrder == "A1 A2")
    #expect(workout.progress == (1, 2))
  }

  @Test("A substitute of another kind has no targets that it does not log")
  func exchanges() throws {
    let ids = Ids()
    var workout = RunningWorkout("A2", ids: ids)
    let id = workout.all[0].id
    let target = SetValues(weight: Decimal(60), kg: Decimal(60), reps: 8, seconds: 30)
    try workout.edit(id, traits: nil, groups: [SetGroup(sets: 2, target: target, repsMax: 10)], library: nil, ids.new)
    _ = try workout.log(nil, SetValues(reps: 5), kind: nil, prefill: nil, advances: true, at: noon)
    try workout.edit(
      id, traits: TrainingTraits(name: "B", kind: .strength), groups: nil, library: ids.new(), ids.new)
    #expect(workout.all[0].groups[0].sets.map(\.target) == [target, target])
    try workout.edit(
      id, traits: TrainingTraits(name: "Run", kind: .cardio), groups: nil, library: ids.new(), ids.new)
    #expect(workout.all[0].groups[0].sets.map(\.target) == [target, SetValues(seconds: 30)])
    #expect(workout.all[0].groups[0].repsMax == nil)
    try workout.edit(
      id, traits: TrainingTraits(name: "Jump", kind: .explosive), groups: nil, library: ids.new(), ids.new)
    #expect(workout.all[0].groups[0].sets[1].target == nil)
  }

  @Test("A done set keeps its kind when the plan of its exercise changes")
  func replans() throws {
    let ids = Ids()
    var workout = RunningWorkout("A1", ids: ids)
    let id = workout.all[0].id
    try workout.edit(
      id, traits: nil, groups: [SetGroup(id: ids.new(), sets: 1, kind: .warmup), SetGroup(id: ids.new(), sets: 1)],
      library: nil, ids.new)
    _ = try workout.log(nil, SetValues(reps: 5), kind: nil, prefill: nil, advances: true, at: noon)
    for kind in [SetKind.normal, .warmup, .drop] {
      try workout.edit(
        id, traits: nil, groups: [SetGroup(id: ids.new(), sets: 2, kind: kind)], library: nil, ids.new)
      let group = workout.all[0].groups[0]
      #expect(group.sets[0].done == true && group.sets[0].kind ?? group.kind == .warmup)
      #expect(group.sets[1].done != true && group.sets[1].kind == nil)
    }
  }

  @Test("The session time excludes pauses, and is not reduced by setting the clock back")
  func time() {
    var session = RunningWorkout("A1").session
    let minute: Int64 = 60_000
    session.pause(noon.advanced(by: minute))
    #expect(session.elapsedMs(noon.advanced(by: 10 * minute)) == minute)
    session.resume(noon.advanced(by: 5 * minute))
    #expect(session.elapsedMs(noon.advanced(by: 10 * minute)) == 6 * minute)
    #expect(session.elapsedMs(noon.advanced(by: -minute)) == 0)
  }
}
