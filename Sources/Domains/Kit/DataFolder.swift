import DaybookProtocol
import FileStore
import JSONRPC

/// The data folder as this process sees it: the store, what the client knows of it, and whether it can be written now.
@usableFromInline package final class DataFolder {
  package let newID: @Sendable () -> EntityID
  /// Whether generated ids are unique, so that a new id needs no existence check.
  package let newIDsAreUnique: Bool
  package let migrations: RecordMigrations
  /// The settings in force, from those that are stored, if any are.
  private let settingsFromStored: @Sendable (Settings?) -> Settings
  /// Logs an internal defect and returns the error to send to the client.
  package let defect: @Sendable (String) -> RPCError
  /// Logs a warning. The text may contain user data.
  package let warn: @Sendable (String) -> Void
  /// The author of the changes made by this process.
  package var author: String

  /// The store, or why it could not be opened; nil before it was first needed.
  package var opened: Result<FileStore, RPCError>?
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
  /// What is gathered for one transaction; nil while each commit is one.
  var gathering: Gathering?
  private var settingsMemory = RevisionCache<SettingsInForce>()

  /// The settings in force, shared by reference: copying them takes longer than most requests.
  package final class SettingsInForce: Sendable {
    package let value: Settings

    package init(_ value: Settings) { self.value = value }
  }

  package init(
    newID: @escaping @Sendable () -> EntityID, newIDsAreUnique: Bool, migrations: RecordMigrations, author: String,
    settings: @escaping @Sendable (Settings?) -> Settings, warn: @escaping @Sendable (String) -> Void,
    defect: @escaping @Sendable (String) -> RPCError
  ) {
    self.newID = newID
    self.newIDsAreUnique = newIDsAreUnique
    self.migrations = migrations
    self.author = author
    settingsFromStored = settings
    self.warn = warn
    self.defect = defect
  }

  /// The open store, if it is open.
  package var store: FileStore? { if case .success(let store)? = opened { store } else { nil } }

  /// The open store.
  package func openStore() throws(RPCError) -> FileStore {
    switch opened {
    case .success(let store): return store
    case .failure(let error): throw error
    case nil: throw defect("the store is used before it is open")
    }
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
    let stored: Settings? = if let record { try migrations.decode(Settings.self, record) } else { nil }
    let inForce = SettingsInForce(settingsFromStored(stored))
    settingsMemory[self] = inForce
    return inForce
  }

  /// Invalidates all caches, as revisions may mean something else now.
  package func invalidateCaches() { epoch &+= 1 }

  /// Commits operations and returns their revision. They take effect in memory at once; the answer waits for the disk.
  ///
  /// - Parameters:
  ///   - transaction: The caller's id for the change, if any.
  ///   - ofNewRecords: Whether each operation puts a record with a freshly generated id.
  ///   - turn: The message that makes the change.
  package func commit(
    _ operations: [Operation], label: StaticString, transaction id: EntityID?, at now: Instant,
    undoing undone: Int? = nil, ofNewRecords: Bool = false, _ turn: inout MessageTurn
  ) throws(RPCError) -> Int {
    guard !operations.isEmpty else { return try revision() }
    var transaction = Transaction(
      id: id ?? newID(), at: now, author: author, label: "\(label)", undoes: undone, operations: operations)
    transaction.isOfNewRecords = ofNewRecords
    if gathering != nil {
      if let writeRefusal = turn.writeRefusal { throw writeRefusal }
      return try gather(transaction)
    }
    let changesSettings = operations.contains { $0.collection == Settings.collection }
    let made = try commit(&turn, changesSettings: changesSettings) { store throws(StoreError) in
      try store.commit(transaction, awaitsResult: id != nil)
    }
    guard let made else { throw defect("a commit returned no revision") }
    return made
  }

  /// Commits a prepared transaction and returns its revision; nil when the store has changed since it was prepared.
  package func commit(
    _ prepared: PreparedTransaction, awaitsResult: Bool, _ turn: inout MessageTurn
  ) throws(RPCError) -> Int? {
    try commit(&turn, changesSettings: prepared.touches(Settings.collection)) { store throws(StoreError) in
      try store.commit(prepared, awaitsResult: awaitsResult)
    }
  }

  private func commit(
    _ turn: inout MessageTurn, changesSettings: Bool, _ body: (FileStore) throws(StoreError) -> Int?
  ) throws(RPCError) -> Int? {
    let store = try openStore()
    let before = try revision()
    if let writeRefusal = turn.writeRefusal { throw writeRefusal }
    let settings = changesSettings ? try settings() : nil
    let unchanged = changesSettings || seenRevision != before ? nil : settingsMemory[self]
    let made: Int?
    do throws(StoreError) {
      // Another process may have created the store since this was checked.
      if !turn.holdsWriteLock, try !store.beginWriting() {
        turn.missedWriteLock = true
        throw store.busy
      }
      defer { if !turn.holdsWriteLock { store.endWriting() } }
      guard try store.revision == before else {
        turn.missedWriteLock = !turn.holdsWriteLock
        throw store.busy
      }
      made = try body(store)
    } catch { throw error.code == .invalidTransaction ? defect(error.message) : RPCError(error) }
    guard let revision = made else { return nil }
    // A repeated id would mean a repeated request, which this is not.
    guard revision > before else { throw defect("a new transaction has an id that was used before") }
    latestRevision = revision
    announcedRevision = revision
    seenRevision = revision
    if let unchanged { settingsMemory[self] = unchanged }
    ownRevisions.insert(revision)
    turn.note(settings, since: before)
    return revision
  }
}
