import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// All finished sessions, as far as numbers need them.
struct SessionBook {
  private var shelf = SessionShelf()

  /// In order.
  var sessions: [SessionFacts] { shelf.sessions }
  var identities: [ExerciseIdentity] { shelf.identities }

  /// Everything that is stored.
  init(_ snapshot: Snapshot, _ context: Context) {
    guard let span = snapshot.span(of: WorkoutSession.collection) else { return }
    let migrations = context.folder.migrations
    // Whole months, so that their digests serve.
    let days = span.lowerBound.month.lowerBound...span.upperBound.month.upperBound
    snapshot.digests(SessionShelf.digest(migrations)).visit(
      WorkoutSession.collection, days, digest: { _, bytes in shelf.add(digest: bytes) },
      rest: { days in read(days, snapshot, context) })
  }

  /// Goes over to a later snapshot by the sessions that changed since.
  fileprivate mutating func follow(to snapshot: Snapshot, _ changes: [ChangedRecord], _ context: Context) {
    let days = Set(changes.flatMap { [$0.day, $0.previousDay, $0.lastDay].compactMap { $0 } })
    for day in days {
      let start = sessions.partitioningIndex { $0.day >= day }
      let rest = Array(sessions[start...].drop { $0.day == day })
      shelf.sessions.removeSubrange(start...)
      read(day...day, snapshot, context)
      shelf.sessions += rest
    }
  }

  /// Reads the sessions of some days, behind those that are there.
  private mutating func read(_ days: ClosedRange<CivilDay>, _ snapshot: Snapshot, _ context: Context) {
    do throws(RPCError) {
      try shelf.add(
        { snapshot.forEachRecord(in: WorkoutSession.collection, days: days, $0) }, context.folder.migrations)
    } catch { context.folder.warn("a session is left out: \(error.message)") }
  }

  /// All sessions with one in place of the one of its id, which need not be stored.
  func with(_ session: WorkoutSession) -> SessionBook {
    var book = self
    let facts = book.shelf.facts(of: session)
    book.shelf.sessions.removeAll { $0.id == session.id }
    book.shelf.sessions.insert(facts, at: book.sessions.partitioningIndex { SessionFacts.isBefore(facts, $0) })
    return book
  }
}

extension TrainingService {
  /// The digests that the store keeps of this domain's collections.
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [SessionShelf.digest(migrations)] }

  package static var internalEntities: [any CheckedEntity.Type] { [RunningModules.self] }

  /// After more changes than these everything is read again.
  private static let followedChanges = 256

  /// All finished sessions of the present.
  func book(_ context: Context) throws(RPCError) -> SessionBook {
    let snapshot = try context.snapshot()
    return try bookMemory.current(
      context, [WorkoutSession.collection], atMost: TrainingService.followedChanges,
      follow: { book, changes in book.follow(to: snapshot, changes, context) }, make: { SessionBook(snapshot, context) }
    )
  }

  /// The numbers of all sessions.
  func numbers(_ context: Context) throws(RPCError) -> TrainingNumbers {
    let sources = [WorkoutSession.collection, CustomExercise.collection, TrainingSettings.collection]
    return try numbersMemory.current(context, sources) { () throws(RPCError) in
      let book = try book(context)
      return TrainingNumbers(
        book.sessions, book.identities, formula: try trainingSettings(context).oneRepMax, try library(context))
    }
  }

  /// The records that a session sets, whether it is stored already or not.
  func newRecords(of session: WorkoutSession, _ context: Context) throws(RPCError) -> [TrainingRecord] {
    let library = try library(context)
    let book = try book(context).with(session)
    let numbers = TrainingNumbers(
      book.sessions, book.identities, formula: try trainingSettings(context).oneRepMax, library, only: session.id)
    return numbers.records(setBy: session.id) { library.exercise($0)?.traits.name }
  }
}
