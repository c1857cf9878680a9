import CivilTime
import DaybookProtocol
import Values

/// What an exercise of a session was, as far as numbers need it.
package struct ExerciseIdentity: Hashable, Sendable {
  package var exerciseId: EntityID?
  package var name: String
  package var kind: TrainingKind
  package var muscles: MuscleSet
  /// Muscles that help, without those it is for.
  package var helping: MuscleSet

  package init(
    exerciseId: EntityID?, name: String, kind: TrainingKind, muscles: MuscleSet, helping: MuscleSet
  ) {
    (self.exerciseId, self.name, self.kind, self.muscles, self.helping) = (exerciseId, name, kind, muscles, helping)
  }

  package init(_ exercise: SessionExercise) {
    let muscles = MuscleSet(exercise.traits.muscles ?? [])
    self.init(
      exerciseId: exercise.exerciseId, name: exercise.traits.name, kind: exercise.traits.kind, muscles: muscles,
      helping: MuscleSet(exercise.traits.secondaryMuscles ?? []).subtracting(muscles))
  }
}

/// Muscles, in the order of `MuscleGroup`.
package struct MuscleSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// - Parameter number: A raw value from outside; nil where it has a muscle that is not known.
  package init?(stored number: Int) {
    guard let bits = UInt16(exactly: number), Int(bits) >> MuscleGroup.known.count == 0 else { return nil }
    self.init(rawValue: bits)
  }

  package init(_ muscles: [MuscleGroup]) {
    rawValue = muscles.reduce(0) { bits, muscle in
      bits | (MuscleGroup.known.firstIndex(of: muscle).map { 1 << UInt16($0) } ?? 0)
    }
  }

  /// Calls with the place of each in `MuscleGroup.known`.
  @inline(__always)
  package func forEach(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }
}

/// A weight, ten-thousandths of a kilogram, and how often it was moved.
package struct Lift: Hashable, Sendable {
  package let load: Int32
  package let reps: Int32

  package init(load: Int32, reps: Int32) { (self.load, self.reps) = (load, reps) }
}

/// The best of some sets; zero where none says anything.
package struct SetBests: Equatable, Sendable {
  /// Ten-thousandths of a kilogram.
  package var weight: Int32 = 0
  package var reps: Int32 = 0
  package var seconds: Int32 = 0
  /// Millimetres.
  package var distance: Int64 = 0
  /// Where those of the session's lifts are of which one is the best by any formula.
  package var lifts: Range<Int32> = 0..<0

  package init() {}
}

/// An exercise of a session, as far as numbers need it.
package struct ExerciseFacts: Equatable, Sendable {
  /// Its place among the identities.
  package var identity: Int
  /// Sets that count; both sides of one are one.
  package var sets: Int32 = 0
  /// Weight times repetitions, ten-thousandths of a kilogram.
  package var volume: Int64 = 0
  /// Of all sets, millimetres.
  package var distance: Int64 = 0
  /// Whether the body's own weight is known where it is moved; without it nothing is compared.
  package var isLoadKnown = true
  /// Of sets that count.
  package var all = SetBests()
  /// Of those that can be records.
  package var normal = SetBests()

  package init(identity: Int) { self.identity = identity }
}

/// A session, as far as numbers need it.
package struct SessionFacts: Equatable, Sendable {
  package var id: EntityID
  package var day: CivilDay
  package var startedAt: Instant
  package var seconds: Int
  package var kcal: Int
  package var workoutId: EntityID?
  /// Exercises with a set that counts, in order.
  package var exercises: [ExerciseFacts] = []
  package var lifts: [Lift] = []

  package init(
    id: EntityID, day: CivilDay, startedAt: Instant, seconds: Int, kcal: Int, workoutId: EntityID?
  ) {
    (self.id, self.day, self.startedAt, self.seconds) = (id, day, startedAt, seconds)
    (self.kcal, self.workoutId) = (kcal, workoutId)
  }

  /// Out of a session; identities get their places from `place`.
  package init(_ session: WorkoutSession, place: (ExerciseIdentity) -> Int) {
    self.init(
      id: session.id, day: session.day, startedAt: session.startedAt, seconds: session.seconds, kcal: session.kcal ?? 0,
      workoutId: session.workoutId)
    let body = session.bodyWeight?.rounded(toScale: 4)?.significand
    for module in session.modules where module.skipped != true {
      for exercise in module.exercises { add(exercise, body, place) }
    }
  }

  private mutating func add(_ exercise: SessionExercise, _ body: Int64?, _ place: (ExerciseIdentity) -> Int) {
    let traits = exercise.traits
    var facts = ExerciseFacts(identity: 0)
    facts.isLoadKnown = traits.bodyweight != true || body != nil
    var (counted, normal): ([Lift], [Lift]) = ([], [])
    var hasSets = false
    exercise.forEachCountedSet { group, index, kind, isFirstSide in
      hasSets = true
      if isFirstSide { facts.sets += 1 }
      guard let values = exercise.groups[group].sets[index].actual else { return }
      let load = SessionFacts.load(values.load, traits, body)
      let reps = Int32(clamping: values.reps ?? 0)
      let distance = values.millimetres(traits.distanceUnit) ?? 0
      facts.volume += load * Int64(reps)
      facts.distance += distance
      let lift = Lift(load: facts.isLoadKnown ? Int32(clamping: load) : 0, reps: reps)
      facts.all.add(lift, values.seconds ?? 0, distance)
      if lift.load > 0, reps > 0 { counted.append(lift) }
      guard kind.countsInRecords else { return }
      facts.normal.add(lift, values.seconds ?? 0, distance)
      if lift.load > 0, reps > 0 { normal.append(lift) }
    }
    guard hasSets else { return }
    facts.identity = place(ExerciseIdentity(exercise))
    facts.all.lifts = append(Lift.best(of: counted))
    facts.normal.lifts = counted.count == normal.count ? facts.all.lifts : append(Lift.best(of: normal))
    exercises.append(facts)
  }

  /// Adds lifts, and says where they are.
  package mutating func append(_ best: [Lift]) -> Range<Int32> {
    let start = Int32(clamping: lifts.count)
    lifts += best
    return start..<Int32(clamping: lifts.count)
  }

  /// What is moved by a weight: itself; the body's own and it; or the body's own without it, where it helps. Where the body's own is
  /// not known, the weight alone, and nothing where it helps.
  static func load(_ weight: Int64?, _ traits: TrainingTraits, _ body: Int64?) -> Int64 {
    let weight = weight ?? 0
    guard traits.bodyweight == true else { return weight }
    guard let body else { return traits.assisted == true ? 0 : weight }
    return traits.assisted == true ? max(0, body - weight) : body + weight
  }

  /// Whether it is before another one: by day, then by when it began.
  package static func isBefore(_ left: SessionFacts, _ right: SessionFacts) -> Bool {
    if left.day != right.day { return left.day < right.day }
    return left.startedAt != right.startedAt ? left.startedAt < right.startedAt : left.id < right.id
  }
}

extension SetBests {
  fileprivate mutating func add(_ lift: Lift, _ seconds: Int, _ distance: Int64) {
    weight = max(weight, lift.load)
    reps = max(reps, lift.reps)
    self.seconds = max(self.seconds, Int32(clamping: seconds))
    self.distance = max(self.distance, distance)
  }
}

extension Lift {
  /// Those of which one is the best by any formula: that no other one exceeds in both, among those of at most 12 repetitions, further than
  /// which one formula does not reach, and among those of more.
  package static func best(of lifts: [Lift]) -> [Lift] {
    lifts.count < 2
      ? lifts : highest(lifts.filter { $0.reps <= 12 }) + highest(lifts.filter { (13...30).contains($0.reps) })
  }

  private static func highest(_ lifts: [Lift]) -> [Lift] {
    var best: [Lift] = []
    for lift in lifts.sorted(by: { ($0.load, $0.reps) > ($1.load, $1.reps) }) where lift.reps > best.last?.reps ?? 0 {
      best.append(lift)
    }
    return best
  }
}
