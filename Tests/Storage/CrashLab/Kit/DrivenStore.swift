import CivilTime
import FileStore
import FileStoreTesting
import Values

/// Adapts a `FileStore` to the lab.
final class DrivenStore: LabStore {
  /// The names of the collections.
  static let names = ["meals", "weights", "habits", "sessions"]
  static let collections = names.map { CollectionName($0) }
  /// The digests of its months.
  static let listing = Digest.listing(of: collections)

  /// Nil once closed: it would keep the store's segment loader open.
  private var opened: FileStore?
  private let configuration: FileStore.Configuration
  private let failures: CommitFailures
  private let now: @Sendable () -> Int64
  /// The view of the last look.
  private var content: DrivenContent?
  /// The checkpoint that runs step by step.
  private var checkpoint: Checkpoint?

  init(
    _ configuration: FileStore.Configuration, _ failures: CommitFailures, _ now: @escaping @Sendable () -> Int64
  ) throws(StoreError) {
    opened = try FileStore.open(configuration)
    self.configuration = configuration
    self.failures = failures
    self.now = now
  }

  var findings: [LabFinding] {
    guard let store = opened else { return [] }
    return store.recoveryReport.findings.map { finding in
      LabFinding(
        file: finding.file, range: finding.offset..<(finding.offset + finding.length), kind: finding.kind.rawValue,
        isLossPossible: finding.kind.isLossPossible)
    }
  }

  var isCheckpointing: Bool { checkpoint != nil }

  var revision: Int { content?.revision ?? 0 }

  func revision(of number: Int) -> Int? { try? opened?.known(DrivenStore.id(number))?.revision }

  func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void) {
    content?.forEachRecord(in: collection, body)
  }

  func refresh() -> String? {
    do throws(StoreError) {
      let snapshot = try store.snapshot
      content = DrivenContent(snapshot)
      let wrong = snapshot.examine(DrivenStore.listing).wrong
      guard wrong.isEmpty else { return "the digests of \(wrong) are not what the records say" }
      let problem = LabParticipant.problem(in: snapshot, witnesses: DrivenStore.collections[LabKey.witnesses])
      return findings.contains(where: \.isLossPossible) ? nil : problem
    } catch { return error.description }
  }

  private var store: FileStore {
    get throws(StoreError) {
      guard let opened else { throw StoreError(.storeClosed, "The lab has closed the store.") }
      return opened
    }
  }

  func hold() -> (any LabContent)? { content }

  func close() {
    // They keep files open that may still be read.
    content = nil
    checkpoint = nil
    opened?.close()
    opened = nil
  }

  // MARK: writing

  func commit(_ transactions: [LabTransaction]) -> [LabAnswer] {
    guard let store = opened else { return transactions.map { _ in .refused("it is closed") } }
    var answers: [LabAnswer] = []
    var revisions: [(index: Int, revision: Int)] = []
    let at = Instant(milliseconds: now())
    for transaction in transactions {
      do throws(StoreError) {
        let revision = try DrivenStore.commit(
          DrivenStore.transaction(transaction, at: at), mayRepeat: transaction.mayRepeat, to: store)
        revisions.append((answers.count, revision))
        answers.append(.acknowledged(revision))
      } catch {
        answers.append(error.code == .storeBusy ? .busy(error.description) : .refused(error.description))
      }
    }
    store.waitUntilDurable()
    let failure = failures.take()
    for (index, revision) in revisions where store.provenRevision < revision {
      guard let failure else {
        answers[index] = .unknown("no reason was given")
        continue
      }
      // Everything else happens before the first byte of a line is written, or leaves a torn line.
      let isUnknown = failure.code == .storeReadOnly
      answers[index] = isUnknown ? .unknown(failure.description) : .refused(failure.description)
    }
    store.rollBack()
    _ = refresh()
    return answers
  }

  /// Commits one operation directly, and several as a prepared transaction. Like the service, it looks for a possible
  /// retry in all journals, inside the write window.
  private static func commit(_ transaction: Transaction, mayRepeat: Bool, to store: FileStore) throws(StoreError)
    -> Int
  {
    let isSmall = transaction.operations.count == 1
    if isSmall, !mayRepeat { return try store.commit(transaction) }
    if try !store.beginWriting() {
      store.waitUntilDurable()
      guard try store.beginWriting() else { throw store.busy }
    }
    defer { store.endWriting() }
    if mayRepeat, let revision = try store.known(transaction.id)?.revision { return revision }
    if isSmall { return try store.commit(transaction) }
    // The first attempt may load the history, which changes the state.
    for _ in 0..<2 {
      if let revision = try store.commit(try store.draft().prepare(transaction)) { return revision }
    }
    throw StoreError(.storeChanged, "The store changed in the window of its only writer.")
  }

  func enter() -> LabEntrance {
    do throws(StoreError) { return try store.beginWriting() ? .entered : .busy } catch {
      return .failed(error.description)
    }
  }

  func leave() {
    opened?.endWriting()
    do throws(StoreError) { try opened?.settle() } catch { _ = failures.take() }
  }

  var isSettled: Bool {
    guard let store = opened else { return true }
    return !store.isSettling && store.knownRevision ?? 0 <= store.durableRevision
  }

  // MARK: further actions

  func perform(_ verb: LabVerb) -> String? {
    do throws(StoreError) {
      switch verb {
      case .checkpoint: try store.checkpoint()
      case .checkpointStep: try advance()
      case .follow: try store.follow()
      case .poll: try store.poll()
      case .backup: _ = try Backups(configuration).create(.manual)
      case .restore, .export, .import: return "the lab cannot do that yet: \(verb)"
      }
      return refresh()
    } catch {
      // An empty store has no backup, and only one is made at a time.
      return error.code == .nothingStored || error.code == .backupBusy ? nil : error.description
    }
  }

  private func advance() throws(StoreError) {
    if checkpoint == nil {
      checkpoint = try Checkpoint(configuration)
      return
    }
    do throws(StoreError) {
      if case .done? = try checkpoint?.advance() { checkpoint = nil }
    } catch {
      checkpoint = nil
      throw error
    }
  }

  func planUndo(of revision: Int) -> LabUndo {
    do throws(StoreError) {
      switch try store.undoEntry(revision: revision).plan(in: store.snapshot) {
      case .nothing: return .nothing
      case .alreadyUndone: return .alreadyUndone
      case .conflict: return .conflict
      case .ready(_, _, let operations):
        var records: [LabKey: LabContents?] = [:]
        for operation in operations {
          switch operation {
          case .put(let collection, let id, let day, _, _, _, let body):
            records[DrivenStore.key(collection, id)] = LabContents(day: day?.daysSinceEpoch, body: body)
          case .delete(let collection, let id): records[DrivenStore.key(collection, id)] = .some(nil)
          }
        }
        return .ready(records)
      }
    } catch { return .failed(error.description) }
  }

  func changes(since revision: Int) -> LabFeed {
    do throws(StoreError) {
      let changes = DrivenStore.changes(try store.changes(since: revision))
      // Paging must lead to the same records.
      var rest = changes
      var since = revision
      while true {
        let page = try store.changes(since: since, limit: 3)
        for (key, changed) in DrivenStore.changes(page) {
          guard rest.removeValue(forKey: key)?.revision == changed.revision else {
            return .failed("page by page \(key) is told otherwise")
          }
        }
        if page.isComplete { break }
        guard page.revision > since else { return .failed("the changes since \(since) do not go on") }
        since = page.revision
      }
      return rest.isEmpty ? .changes(changes) : .failed("page by page \(rest.keys) are not told")
    } catch {
      guard error.code == .revisionTooOld else { return .failed(error.description) }
      return .tooOld(error.details["oldest"].flatMap { Int($0) } ?? .max)
    }
  }

  private static func changes(_ page: ChangePage) -> [LabKey: LabChanged] {
    var changes: [LabKey: LabChanged] = [:]
    for record in page.records {
      changes[key(record.collection, record.id)] = LabChanged(
        revision: record.revision, day: record.day?.daysSinceEpoch, previousDay: record.previousDay?.daysSinceEpoch,
        lastDay: record.lastDay?.daysSinceEpoch, isNew: record.isNew, isDeleted: record.isDeleted)
    }
    return changes
  }

  // MARK: ids

  private static func id(_ number: Int) -> EntityID { EntityID(high: 8, low: UInt64(truncatingIfNeeded: number)) }

  private static func key(_ collection: CollectionName, _ id: EntityID) -> LabKey {
    LabKey(collection: collections.firstIndex(of: collection) ?? -1, record: Int(truncatingIfNeeded: id.low))
  }

  private static func transaction(_ transaction: LabTransaction, at: Instant) -> Transaction {
    var operations = zip(transaction.changes, transaction.bodies).map { change, body in
      let collection = collections[change.key.collection % LabKey.collections]
      let id = EntityID(high: 7, low: UInt64(truncatingIfNeeded: change.key.record))
      guard change.padding != nil else { return Operation.delete(collection, id: id) }
      return Operation.put(
        collection, id: id, day: change.day.map { CivilDay(daysSinceEpoch: $0) }, schema: 1, createdAt: at,
        updatedAt: at, body: body)
    }
    let number = transaction.number
    operations.append(
      .put(
        collections[LabKey.witnesses], id: EntityID(high: 9, low: UInt64(truncatingIfNeeded: number)), day: nil,
        schema: 1, createdAt: at, updatedAt: at, body: Array("{\"by\":\(number)}".utf8)))
    return Transaction(
      id: id(number), at: at, author: "lab", label: "lab/change", undoes: transaction.undoes, operations: operations)
  }
}

/// Adapts a snapshot to the lab.
private final class DrivenContent: LabContent {
  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  var revision: Int { snapshot.revision }

  func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void) {
    snapshot.forEachRecord(in: DrivenStore.collections[collection]) { record in
      let (number, revision) = (Int(truncatingIfNeeded: record.id.low), record.revision)
      let day = record.day?.daysSinceEpoch
      record.body.withUnsafeBytes { body(number, day, revision, $0) }
      return true
    }
  }
}
