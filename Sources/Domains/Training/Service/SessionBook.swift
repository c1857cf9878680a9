import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// All finished sessions, as far as numbers need them, at one revision.
struct SessionBook {
  private(set) var revision: Int
  private var shelf = SessionShelf()

  /// In order.
  var sessions: [SessionFacts] { shelf.sessions }
  var identities: [ExerciseIdentity] { shelf.identities }

  /// Everything that is stored.
  init(_ snapshot: Snapshot, _ context: Context) {
    revision = snapshot.revision
    guard let span = snapshot.span(of: WorkoutSession.collection) else { return }
    let migrations = context.folder.migrations
    // Whole months, so that their digests serve.
    let days = span.lowerBound.month.lowerBound...span.upperBound.month.upperBound
    snapshot.digests(SessionShelf.digest(migrations)).visit(
      WorkoutSession.collection, days, digest: { _, bytes in shelf.add(digest: bytes) },
      rest: { days in read(days, snapshot, context) })
  }

  /// Goes over to a later revision by the sessions that changed since.
  mutating func follow(to snapshot: Snapshot, _ changes: [ChangedRecord], _ context: Context) {
    revision = snapshot.revision
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

/// What is remembered of finished sessions.
struct SessionMemory {
  fileprivate var book: SessionBook?
  fileprivate var epoch = 0
  /// Sessions that were read whole, with the revisions of their records.
  var read: [(revision: Int, session: WorkoutSession)] = []
  var readEpoch = 0
}

extension TrainingService {
  /// The digests that the store keeps of this domain's collections.
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [SessionShelf.digest(migrations)] }

  package static var ownCollections: [CollectionName] { [RunningModules.collection] }

  /// After more changes than these everything is read again.
  private static let followedChanges = 256

  /// All finished sessions of the present.
  func book(_ context: Context) throws(RPCError) -> SessionBook {
    let snapshot = try context.snapshot()
    if let known = sessionMemory.book, sessionMemory.epoch == context.folder.epoch {
      if known.revision == snapshot.revision { return known }
      if known.revision < snapshot.revision,
        let changes = context.changes(
          since: known.revision, of: [WorkoutSession.collection], atMost: TrainingService.followedChanges)
      {
        sessionMemory.book?.follow(to: snapshot, changes, context)
        if let book = sessionMemory.book { return book }
      }
    }
    let book = SessionBook(snapshot, context)
    (sessionMemory.book, sessionMemory.epoch) = (book, context.folder.epoch)
    return book
  }

  /// What all sessions come to.
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
