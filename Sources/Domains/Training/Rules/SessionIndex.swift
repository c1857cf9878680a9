import DaybookProtocol

/// Finished sessions, reduced to what statistics need.
package struct SessionIndex: Sendable {
  /// In the order they were added.
  package var sessions: [SessionFacts] = []
  /// The distinct exercises; facts refer to them by index.
  package private(set) var identities: [ExerciseIdentity] = []
  private var places: [ExerciseIdentity: Int] = [:]

  package init() {}

  private mutating func index(of identity: ExerciseIdentity) -> Int {
    if let known = places[identity] { return known }
    places[identity] = identities.count
    identities.append(identity)
    return identities.count - 1
  }

  /// The facts of a session, with identities of this index.
  package mutating func facts(of session: WorkoutSession) -> SessionFacts { SessionFacts(session) { index(of: $0) } }

  /// The index with a session inserted at its place, instead of the one with its id.
  package func with(_ session: WorkoutSession) -> SessionIndex {
    var index = self
    let facts = index.facts(of: session)
    index.sessions.removeAll { $0.id == session.id }
    index.sessions.insert(facts, at: index.sessions.partitioningIndex { SessionFacts.isBefore(facts, $0) })
    return index
  }
}

// MARK: packed form

extension SessionIndex {
  /// The index in few bytes, as stored in digests.
  package var packed: [UInt8] {
    var writer = PackedWriter()
    writer.write(identities.count)
    for identity in identities {
      writer.write(identity.exerciseId)
      writer.write(identity.name.utf8)
      writer.write(identity.kind.rawValue.utf8)
      writer.write(Int(identity.muscles.rawValue))
      writer.write(Int(identity.helping.rawValue))
    }
    for session in sessions { writer.write(session) }
    return writer.bytes
  }

  /// Adds the sessions of a packed index; false, with none added, when the bytes are not one.
  package mutating func add(packed bytes: ArraySlice<UInt8>) -> Bool {
    let before = sessions.count
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      guard let count = reader.number(), count >= 0, count <= bytes.count else { return false }
      var own: [Int] = []
      for _ in 0..<count {
        guard let identity = reader.identity() else { return false }
        own.append(index(of: identity))
      }
      while !reader.isAtEnd {
        guard let session = reader.session(own) else { return false }
        sessions.append(session)
      }
      return true
    }
    if !isWhole { sessions.removeLast(sessions.count - before) }
    return isWhole
  }
}

extension PackedWriter {
  fileprivate mutating func write(_ id: EntityID?) {
    write(id == nil ? 0 : 1)
    guard let id else { return }
    write(Int(truncatingIfNeeded: id.high))
    write(Int(truncatingIfNeeded: id.low))
  }

  fileprivate mutating func write(_ session: SessionFacts) {
    write(session.id)
    write(Int(session.day.daysSinceEpoch))
    write(Int(session.startedAt.milliseconds))
    write(session.seconds)
    write(session.kcal)
    write(session.workoutId)
    write(session.lifts.count)
    for lift in session.lifts {
      write(Int(lift.load))
      write(Int(lift.reps))
    }
    write(session.exercises.count)
    for exercise in session.exercises {
      let isSame = exercise.normal == exercise.all
      write(exercise.identity << 2 | (exercise.isLoadKnown ? 2 : 0) | (isSame ? 1 : 0))
      write(Int(exercise.sets))
      write(Int(exercise.volume))
      write(Int(exercise.distance))
      write(exercise.all)
      if !isSame { write(exercise.normal) }
    }
  }

  private mutating func write(_ bests: SetBests) {
    write(Int(bests.weight))
    write(Int(bests.reps))
    write(Int(bests.seconds))
    write(Int(bests.distance))
    write(bests.help.map { Int($0) + 1 } ?? 0)
    write(Int(bests.lifts.lowerBound))
    write(bests.lifts.count)
  }
}

extension PackedReader {
  /// An id or none; nil when the bytes are neither.
  private mutating func id() -> EntityID?? {
    guard let isPresent = number() else { return nil }
    guard isPresent == 1 else { return .some(nil) }
    guard let high = number(), let low = number() else { return nil }
    return EntityID(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low)))
  }

  private mutating func small() -> Int32? { number().flatMap { Int32(exactly: $0) } }

  fileprivate mutating func identity() -> ExerciseIdentity? {
    guard let id = id(), let name = text(), let kind = text(), let muscles = number(), let helping = number(),
      let muscles = MuscleSet(stored: muscles), let helping = MuscleSet(stored: helping)
    else { return nil }
    let word = String(decoding: kind, as: UTF8.self)
    return ExerciseIdentity(
      exerciseId: id, name: String(decoding: name, as: UTF8.self),
      kind: TrainingKind.known.first { $0.rawValue == word } ?? .unknown(word), muscles: muscles, helping: helping)
  }

  /// - Parameter places: The index of each packed identity.
  fileprivate mutating func session(_ places: [Int]) -> SessionFacts? {
    guard let id = id(), let id, let day = small(), let startedAt = number(), let seconds = number(),
      let kcal = number(), let workoutId = self.id(), let lifts = number()
    else { return nil }
    var session = SessionFacts(
      id: id, day: CivilDay(daysSinceEpoch: day), startedAt: Instant(milliseconds: Int64(startedAt)), seconds: seconds,
      kcal: kcal, workoutId: workoutId)
    for _ in 0..<max(lifts, 0) {
      guard let load = small(), let reps = small() else { return nil }
      session.lifts.append(Lift(load: load, reps: reps))
    }
    guard let count = number() else { return nil }
    for _ in 0..<max(count, 0) {
      guard let packed = number(), places.indices.contains(packed >> 2), let sets = small(), let volume = number(),
        let distance = number(), let all = bests(session.lifts.count),
        let normal = packed & 1 == 1 ? all : bests(session.lifts.count)
      else { return nil }
      session.exercises.append(
        ExerciseFacts(
          identity: places[packed >> 2], sets: sets, volume: Int64(volume), distance: Int64(distance),
          isLoadKnown: packed & 2 == 2, all: all, normal: normal))
    }
    return session
  }

  private mutating func bests(_ lifts: Int) -> SetBests? {
    guard let weight = small(), let reps = small(), let seconds = small(), let distance = number(), let help = number(),
      let first = small(),
      let count = small(), first >= 0, count >= 0, Int(first) + Int(count) <= lifts
    else { return nil }
    return SetBests(
      weight: weight, reps: reps, seconds: seconds, distance: Int64(distance),
      help: help > 0 ? Int32(exactly: help - 1) : nil, lifts: first..<(first + count))
  }
}
