import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("What a set is filled in with")
struct PrefillTests {
  @Test("Never with the values of a set of another kind or side", arguments: 0..<200)
  func kinds(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let ids = Ids()
    let kinds: [SetKind?] = [nil, .normal, .warmup, .drop, .failure, .myo, .partial]
    /// An exercise of random groups; the repetitions of a set tell its kind and side.
    func made() -> SessionExercise {
      let isUnilateral = random.once(in: 2)
      let groups = (0..<random.below(3) + 1).map { _ in
        SetGroup(id: ids.new(), sets: random.below(4) + 1, kind: kinds[random.below(kinds.count)])
      }
      var exercise = SessionBuilder(ids.new).exercise(
        TrainingTraits(name: "A", kind: .strength, unilateral: isUnilateral), nil, groups)
      for group in exercise.groups.indices {
        for set in exercise.groups[group].sets.indices {
          exercise.groups[group].sets[set].kind = random.once(in: 3) ? kinds[random.below(kinds.count)] : nil
          guard !random.once(in: 4) else { continue }
          let own = exercise.groups[group].sets[set]
          exercise.groups[group].sets[set].done = true
          exercise.groups[group].sets[set].actual = SetValues(
            reps: code(own.kind ?? exercise.groups[group].kind ?? .normal, own.side))
        }
      }
      return exercise
    }
    let (today, last) = (made(), made())
    var workout = RunningWorkout("", ids: ids)
    try workout.append(RunningModule(id: ids.new(), name: "M", kind: .strength, exerciseIds: []), [today])
    for set in today.groups.flatMap(\.sets) {
      let place = try workout.place(ofSet: set.id)
      let found = Prefill.values(place, from: last)?.reps
      let wanted = code(place.kind, set.side)
      #expect(found == nil || found == wanted)
      // There is one whenever there is a done set of the kind and side.
      let has = last.groups.flatMap(\.sets).contains { $0.actual?.reps == wanted }
      #expect((found != nil) == has)
    }
  }

  private func code(_ kind: SetKind, _ side: SetSide?) -> Int {
    (SetKind.known.firstIndex(of: kind) ?? 0) * 3 + (side == nil ? 1 : side == .left ? 2 : 3)
  }
}
