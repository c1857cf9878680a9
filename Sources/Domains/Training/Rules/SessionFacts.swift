import DaybookProtocol

/// What tells the exercises of sessions apart in statistics.
package struct ExerciseIdentity: Hashable, Sendable {
  package var exerciseId: EntityID?
  package var name: String
  var kind: TrainingKind
  var muscles: MuscleSet
  /// The secondary muscles, without those in `muscles`.
  var helping: MuscleSet
}

extension ExerciseIdentity {
  init(_ exercise: SessionExercise) {
    let muscles = MuscleSet(exercise.traits.muscles ?? [])
    self.init(
      exerciseId: exercise.exerciseId, name: exercise.traits.name, kind: exercise.traits.kind, muscles: muscles,
      helping: MuscleSet(exercise.traits.secondaryMuscles ?? []).subtracting(muscles))
  }
}

/// A set of muscles: bit n is `MuscleGroup.known[n]`.
struct MuscleSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt16
}

extension MuscleSet {
  /// Nil when a bit stands for no known muscle.
  init?(stored number: Int) {
    guard let bits = UInt16(exactly: number), Int(bits) >> MuscleGroup.known.count == 0 else { return nil }
    self.init(rawValue: bits)
  }

  init(_ muscles: [MuscleGroup]) {
    self.init(
      rawValue: muscles.reduce(0) { bits, muscle in
        bits | (MuscleGroup.known.firstIndex(of: muscle).map { 1 << UInt16($0) } ?? 0)
      })
  }

  /// Calls `body` with the index of each muscle in `MuscleGroup.known`.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }
}

/// A load, in ten-thousandths of a kilogram, and its repetitions.
struct Lift: Hashable, Sendable {
  let load: Int32
  let reps: Int32
}

/// The maxima over some sets; zero where no set has a value.
struct SetBests: Equatable, Sendable {
  /// Ten-thousandths of a kilogram.
  var weight: Int32 = 0
  var reps: Int32 = 0
  var seconds: Int32 = 0
  /// Millimetres.
  var distance: Int64 = 0
  /// The least assistance in ten-thousandths of a kilogram; nil for none.
  var help: Int32?
  /// The candidates for the best estimated 1RM, as a range of the session's lifts.
  var lifts: Range<Int32> = 0..<0
}

/// An exercise of a session, reduced to what statistics need.
package struct ExerciseFacts: Equatable, Sendable {
  /// The index of its identity.
  package var identity: Int
  /// Counted sets; the two sides of a unilateral set count once.
  package var sets: Int32 = 0
  /// Load times repetitions, in ten-thousandths of a kilogram.
  package var volume: Int64 = 0
  /// The sum over all counted sets, in millimetres.
  var distance: Int64 = 0
  /// False for a bodyweight exercise without a known body weight: its loads cannot be compared.
  var isLoadKnown = true
  /// The bests of the counted sets.
  var all = SetBests()
  /// The bests of the sets that may be records.
  var normal = SetBests()
}

/// A session, reduced to what statistics need.
package struct SessionFacts: Equatable, Sendable {
  package var id: EntityID
  package var day: CivilDay
  var startedAt: Instant
  var seconds: Int
  var kcal: Int
  package var workoutId: EntityID?
  /// The exercises with a counted set, in order.
  package var exercises: [ExerciseFacts] = []
  var lifts: [Lift] = []
}

extension SessionFacts {
  /// - Parameter place: The index of an identity.
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
      let help = traits.assisted == true ? values.load.map { Int32(clamping: $0) } : nil
      facts.all.add(lift, values.seconds ?? 0, distance, help: help)
      if lift.load > 0, reps > 0 { counted.append(lift) }
      guard kind.countsInRecords else { return }
      facts.normal.add(lift, values.seconds ?? 0, distance, help: help)
      if lift.load > 0, reps > 0 { normal.append(lift) }
    }
    guard hasSets else { return }
    facts.identity = place(ExerciseIdentity(exercise))
    facts.all.lifts = append(Lift.best(of: counted))
    facts.normal.lifts = counted.count == normal.count ? facts.all.lifts : append(Lift.best(of: normal))
    exercises.append(facts)
  }

  private mutating func append(_ best: [Lift]) -> Range<Int32> {
    let start = Int32(clamping: lifts.count)
    lifts += best
    return start..<Int32(clamping: lifts.count)
  }

  /// The moved load: the weight itself; for a bodyweight exercise the body weight plus it, or minus it when it assists.
  /// Without a known body weight, the weight alone, and zero when it assists.
  static func load(_ weight: Int64?, _ traits: TrainingTraits, _ body: Int64?) -> Int64 {
    let weight = weight ?? 0
    guard traits.bodyweight == true else { return weight }
    guard let body else { return traits.assisted == true ? 0 : weight }
    return traits.assisted == true ? max(0, body - weight) : body + weight
  }

  /// The order of sessions: by day, start and id.
  package static func isBefore(_ left: SessionFacts, _ right: SessionFacts) -> Bool {
    if left.day != right.day { return left.day < right.day }
    return left.startedAt != right.startedAt ? left.startedAt < right.startedAt : left.id < right.id
  }

  /// Whether they are of a session that comes before another in this order.
  package func isBefore(_ session: WorkoutSession) -> Bool {
    (day, startedAt, id) < (session.day, session.startedAt, session.id)
  }
}

extension SetBests {
  fileprivate mutating func add(_ lift: Lift, _ seconds: Int, _ distance: Int64, help: Int32?) {
    if let help { self.help = min(help, self.help ?? help) }
    weight = max(weight, lift.load)
    reps = max(reps, lift.reps)
    self.seconds = max(self.seconds, Int32(clamping: seconds))
    self.distance = max(self.distance, distance)
  }
}

extension Lift {
  /// The lifts that may have the best estimated 1RM under some formula: those that no other exceeds in both load and
  /// repetitions, separately up to 12 repetitions (the range of Brzycki) and from 13 to 30.
  static func best(of lifts: [Lift]) -> [Lift] {
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
