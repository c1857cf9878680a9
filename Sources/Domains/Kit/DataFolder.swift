import DaybookProtocol
import FileStore
import JSONRPC

/// The data folder as this process sees it: the store, what the client knows of it, and whether it can be written now.
@usableFromInline package final class DataFolder {
  package let newID: @Sendable () -> EntityID
  /// Whether generated ids are unique, so that a new id needs no existence check.
  package let newIDsAreUnique: Bool
  package let migrations: RecordMigrations
  /// The settings until some are stored.
  package let defaultSettings: Settings
  /// Logs an internal defect and returns the error to send to the client.
  package let defect: @Sendable (String) -> RPCError
  /// Logs a warning. The text may contain user data.
  package let warn: @Sendable (String) -> Void
  /// The author of the changes made by this process.
  package var author: String

  package var store: FileStore?
  /// The revision of the latest change made by this process; the current one before the first.
  package var latestRevision = 0
  /// The revision up to which the client made or was sent changes; nil until the store was first read.
  package var announcedRevision: Int?
  /// The revision that this process has read up to. Caches are valid for it.
  @usableFromInline package var seenRevision = 0
  /// Counts invalidations of all caches, after which a revision may mean something else.
  @usableFromInline package private(set) var epoch = 0
  /// The revisions committed by this connection.
  package var ownRevisions = RevisionSet()
  /// Whether the current message may write: it holds the folder's write lock.
  package var holdsWriteLock = false
  /// Whether another process created the store meanwhile, so that the message has to wait for the write lock.
  package var missedWriteLock = false
  /// Why the current message cannot write.
  package var writeRefusal: RPCError?
  /// Why the current message cannot use the store.
  package var storeFailure: RPCError?
  /// Whether the current message can be restarted after a preparation outside the session: it only reads, and it runs
  /// alone.
  package var mayPrepare = false
  /// Whether whatever can be prepared outside the session is, however little is stored; for tests.
  package var isSlowToRead = false
  /// The pending preparation.
  private var preparation: (@Sendable () -> Void)?
  private var settingsMemory = RevisionCache<SettingsInForce>()
  private var firstCommit: Commit?

  /// What a request has committed. A class, because every request asks for it and few have one.
  package final class Commit {
    /// The revision before the commit.
    package let since: Int
    /// The settings before the commit, if it changed them.
    package fileprivate(set) var settings: Settings?

    init(since: Int) { self.since = since }
  }

  /// The settings in force, shared by reference: copying them takes longer than most requests.
  package final class SettingsInForce: Sendable {
    package let value: Settings

    package init(_ value: Settings) { self.value = value }
  }

  package init(
    newID: @escaping @Sendable () -> EntityID, newIDsAreUnique: Bool, migrations: RecordMigrations, author: String,
    defaultSettings: Settings, warn: @escaping @Sendable (String) -> Void,
    defect: @escaping @Sendable (String) -> RPCError
  ) {
    self.newID = newID
    self.newIDsAreUnique = newIDsAreUnique
    self.migrations = migrations
    self.author = author
    self.defaultSettings = defaultSettings
    self.warn = warn
    self.defect = defect
  }

  /// The open store.
  package func openStore() throws(RPCError) -> FileStore {
    if let store { return store }
    throw storeFailure ?? defect("the store is used before it is open")
  }

  /// A snapshot of the store.
  package func snapshot() throws(RPCError) -> Snapshot {
    let store = try openStore()
    do throws(StoreError) { return try store.snapshot } catch { throw RPCError(error) }
  }

  /// The latest known revision.
  package func revision() throws(RPCError) -> Int {
    let store = try openStore()
    do throws(StoreError) { return try store.revision } catch { throw RPCError(error) }
  }

  /// The settings in force: those stored, else the defaults.
  package func settings() throws(RPCError) -> Settings { try settingsInForce().value }

  /// The settings as last read, possibly before the latest changes; nil before the first read and after an
  /// invalidation.
  package var lastKnownSettings: SettingsInForce? { settingsMemory.latest(self) }

  /// The settings in force, not copied.
  package func settingsInForce() throws(RPCError) -> SettingsInForce {
    if let known = settingsMemory[self] { return known }
    let record = try snapshot().record(Settings.singleID, in: Settings.collection)
    let settings =
      if let record { try migrations.decode(Settings.self, record) } else { defaultSettings }
    let inForce = SettingsInForce(settings)
    settingsMemory[self] = inForce
    return inForce
  }

  /// Has `body` run outside the session and the current message restarted afterwards. The caller throws the returned
  /// error. Requires `mayPrepare`.
  package func prepare(_ body: @escaping @Sendable () -> Void) -> RPCError {
    preparation = body
    return RPCError(.internalError, "the request continues outside the session")
  }

  /// Removes and returns the pending preparation.
  package func takePreparation() -> (@Sendable () -> Void)? {
    defer { preparation = nil }
    return preparation
  }

  /// Invalidates all caches, as revisions may mean something else now.
  package func invalidateCaches() { epoch &+= 1 }

  /// Commits operations and returns their revision. They take effect in memory at once; the answer waits for the disk.
  ///
  /// - Parameter transaction: The caller's id for the change, if any.
  /// - Parameter ofNewRecords: Whether each operation puts a record with a freshly generated id.
  package func commit(
    _ operations: [Operation], label: StaticString, transaction id: EntityID?, at now: Instant,
    undoing undone: Int? = nil,
    ofNewRecords: Bool = false
  ) throws(RPCError) -> Int {
    guard !operations.isEmpty else { return try revision() }
    var transaction = Transaction(
      id: id ?? newID(), at: now, author: author, label: "\(label)", undoes: undone, operations: operations)
    transaction.isOfNewRecords = ofNewRecords
    let changesSettings = operations.contains { $0.collection == Settings.collection }
    let made = try commit(changesSettings: changesSettings) { store throws(StoreError) in
      try store.commit(transaction, awaitsResult: id != nil)
    }
    guard let made else { throw defect("a commit returned no revision") }
    return made
  }

  /// Commits a prepared transaction and returns its revision; nil when the store has changed since it was prepared.
  package func commit(_ prepared: PreparedTransaction, awaitsResult: Bool) throws(RPCError) -> Int? {
    try commit(changesSettings: prepared.touches(Settings.collection)) { store throws(StoreError) in
      try store.commit(prepared, awaitsResult: awaitsResult)
    }
  }

  private func commit(
    changesSettings: Bool, _ body: (FileStore) throws(StoreError) -> Int?
  ) throws(RPCError) -> Int? {
    let store = try openStore()
    let before = try revision()
    if let writeRefusal { throw writeRefusal }
    let settings = changesSettings ? try settings() : nil
    let unchanged = changesSettings || seenRevision != before ? nil : settingsMemory[self]
    let made: Int?
    do throws(StoreError) {
      // Another process may have created the store since this was checked.
      if !holdsWriteLock, try !store.beginWriting() {
        missedWriteLock = true
        throw store.busy
      }
      defer { if !holdsWriteLock { store.endWriting() } }
      guard try store.revision == before else {
        missedWriteLock = !holdsWriteLock
        throw store.busy
      }
      made = try body(store)
    } catch { throw RPCError(error) }
    guard let revision = made else { return nil }
    // A repeated id would mean a repeated request, which this is not.
    guard revision > before else { throw defect("a new transaction has an id that was used before") }
    latestRevision = revision
    announcedRevision = revision
    seenRevision = revision
    if let unchanged { settingsMemory[self] = unchanged }
    ownRevisions.insert(revision)
    firstCommit = firstCommit ?? Commit(since: before)
    if firstCommit?.settings == nil { firstCommit?.settings = settings }
    return revision
  }

  /// Removes and returns what was committed since the last call.
  package func takeCommit() -> Commit? {
    defer { firstCommit = nil }
    return firstCommit
  }
}

extension Operation {
  package var collection: CollectionName {
    switch self {
    case .put(let collection, _, _, _, _, _, _), .delete(let collection, _): collection
    }
  }
}
