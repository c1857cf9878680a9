import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Training
import Values

/// Sessions as far as numbers need them, put together out of records and digests.
struct SessionShelf {
  /// In the order they were added.
  var sessions: [SessionFacts] = []
  private(set) var identities: [ExerciseIdentity] = []
  private var places: [ExerciseIdentity: Int] = [:]

  private mutating func place(of identity: ExerciseIdentity) -> Int {
    if let known = places[identity] { return known }
    places[identity] = identities.count
    identities.append(identity)
    return identities.count - 1
  }

  /// Facts of a session, with identities of this shelf.
  mutating func facts(of session: WorkoutSession) -> SessionFacts { SessionFacts(session) { place(of: $0) } }

  /// Adds the sessions of some records, in order.
  ///
  /// - Throws: The problem of a record that cannot be read; the others are added.
  mutating func add(_ records: Digest.Records, _ migrations: RecordMigrations) throws(RPCError) {
    var problem: RPCError?
    var added: [SessionFacts] = []
    records { record in
      do throws(RPCError) {
        added.append(facts(of: try migrations.read(WorkoutSession.self, record, in: WorkoutSession.collection)))
      } catch { problem = error }
      return true
    }
    added.sort(by: SessionFacts.isBefore)
    sessions += added
    if let problem { throw problem }
  }
}

// MARK: the digest of a month

extension SessionShelf {
  /// The digest of the sessions of a month.
  static func digest(_ migrations: RecordMigrations) -> Digest {
    // Muscles are told by their places, which another list of them changes.
    let version = "1.\(migrations.schema(of: WorkoutSession.collection)).\(MuscleGroup.known.count)"
    return Digest("training", version: version, of: [WorkoutSession.collection]) { _, records in
      var shelf = SessionShelf()
      guard (try? shelf.add(records, migrations)) != nil else { return nil }
      return shelf.packed
    }
  }

  private var packed: [UInt8] {
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

  /// Adds what a digest says; false, with no session added, when it is none.
  mutating func add(digest bytes: ArraySlice<UInt8>) -> Bool {
    let before = sessions.count
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      guard let count = reader.number(), count >= 0, count <= bytes.count else { return false }
      var own: [Int] = []
      for _ in 0..<count {
        guard let identity = reader.identity() else { return false }
        own.append(place(of: identity))
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
    write(Int(bests.lifts.lowerBound))
    write(bests.lifts.count)
  }
}

extension PackedReader {
  /// Nil for anything but an id or none.
  private mutating func id() -> EntityID?? {
    guard let isThere = number() else { return nil }
    guard isThere == 1 else { return .some(nil) }
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

  /// - Parameter places: Where the identities of the digest are.
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
        let distance = number(), let all = bests(session.lifts.count)
      else { return nil }
      var exercise = ExerciseFacts(identity: places[packed >> 2])
      exercise.sets = sets
      exercise.volume = Int64(volume)
      exercise.distance = Int64(distance)
      exercise.isLoadKnown = packed & 2 == 2
      (exercise.all, exercise.normal) = (all, all)
      if packed & 1 == 0 {
        guard let normal = bests(session.lifts.count) else { return nil }
        exercise.normal = normal
      }
      session.exercises.append(exercise)
    }
    return session
  }

  private mutating func bests(_ lifts: Int) -> SetBests? {
    guard let weight = small(), let reps = small(), let seconds = small(), let distance = number(), let first = small(),
      let count = small(), first >= 0, count >= 0, Int(first) + Int(count) <= lifts
    else { return nil }
    var bests = SetBests()
    (bests.weight, bests.reps, bests.seconds) = (weight, reps, seconds)
    (bests.distance, bests.lifts) = (Int64(distance), first..<(first + count))
    return bests
  }
}
