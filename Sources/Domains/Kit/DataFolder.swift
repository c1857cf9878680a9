import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

/// The data folder as this process sees it: its store, how far the client was told of it, and whether it may be written now.
@usableFromInline package final class DataFolder {
  package let newID: @Sendable () -> EntityID
  /// Whether no identity is ever made twice, so that nothing has to be looked for before one is used.
  package let newIDsAreUnique: Bool
  package let migrations: RecordMigrations
  /// What the settings are before they are stored.
  package let defaultSettings: Settings
  /// Notes a defect of ours in the log, and makes the client's error of it.
  package let defect: @Sendable (String) -> RPCError
  /// Writes a warning into the log. Its text may be the user's.
  package let warn: @Sendable (String) -> Void
  /// Whose changes they are that this process makes.
  package var author: String

  package var store: FileStore?
  /// The revision of the latest change made here, or of the present when there is none.
  package var latestRevision = 0
  /// The revision up to which the client was told of changes, or made them; nil before the store was first read.
  package var announcedRevision: Int?
  /// The revision up to which the present is known; what is remembered of the store is of it.
  @usableFromInline package var seenRevision = 0
  /// How often everything was forgotten, as revisions may stand for something else since.
  @usableFromInline package private(set) var epoch = 0
  /// The revisions made by this connection.
  package var ownRevisions = RevisionSet()
  /// Whether the message being worked on may write: the folder's lock is held for it.
  package var holdsWriteLock = false
  /// Whether the message was to write into a folder that another process has founded meanwhile: it has to wait for the lock.
  package var missedWriteLock = false
  /// Why the message being worked on cannot write.
  package var writeRefusal: RPCError?
  /// Why the store cannot be used by the message being worked on.
  package var storeFailure: RPCError?
  /// Whether the message being worked on may be begun again once something was made away from the session: it reads, and is alone.
  package var mayPrepare = false
  /// What has to be made for that.
  private var preparation: (@Sendable () -> Void)?
  /// What goes along with a change that makes the given operations; nil for nothing.
  package var companionOperation: (([Operation]) -> Operation?)?
  private var settingsMemory = RevisionCache<SettingsInForce>()
  private var firstCommit: Commit?

  /// What a request has committed. A reference, since every request asks for it and few have one.
  package final class Commit {
    /// The revision before it.
    package let since: Int
    /// The settings before it, if it changed them.
    package fileprivate(set) var settings: Settings?

    init(since: Int) { self.since = since }
  }

  /// The settings in force, shared by those who ask for one of them: a copy of all takes longer than most requests.
  package final class SettingsInForce: Sendable {
    /// All of them.
    package let value: Settings

    /// Those that somebody else has read.
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

  // MARK: reading

  /// The store, which was opened before.
  package func openStore() throws(RPCError) -> FileStore {
    if let store { return store }
    throw storeFailure ?? defect("the store is used before it is open")
  }

  /// Everything stored, as it is now.
  package func snapshot() throws(RPCError) -> Snapshot {
    let store = try openStore()
    do throws(StoreError) { return try store.snapshot } catch { throw RPCError(error) }
  }

  /// The revision of the latest change known.
  package func revision() throws(RPCError) -> Int {
    let store = try openStore()
    do throws(StoreError) { return try store.revision } catch { throw RPCError(error) }
  }

  /// The settings in force: those stored, else the defaults.
  package func settings() throws(RPCError) -> Settings { try settingsInForce().value }

  /// The settings as they were last asked for, which may be before the latest changes; nil before the first time, and after everything
  /// was forgotten.
  package var lastKnownSettings: SettingsInForce? { settingsMemory.latest(self) }

  /// The same, not copied.
  package func settingsInForce() throws(RPCError) -> SettingsInForce {
    if let known = settingsMemory[self] { return known }
    let record = try snapshot().record(Settings.singleID, in: Settings.collection)
    let settings =
      if let record { try migrations.decode(Settings.self, record) } else { defaultSettings }
    let inForce = SettingsInForce(settings)
    settingsMemory[self] = inForce
    return inForce
  }

  /// Has something made away from the session that the message being worked on rests on; the message is then begun again. What is
  /// returned is to be thrown. Only while `mayPrepare`.
  package func prepare(_ body: @escaping @Sendable () -> Void) -> RPCError {
    preparation = body
    return RPCError(.internalError, "the request goes on later")
  }

  /// What is to be made, once.
  package func takePreparation() -> (@Sendable () -> Void)? {
    defer { preparation = nil }
    return preparation
  }

  /// Drops everything that is remembered of the store, as revisions may stand for something else now.
  package func invalidateCaches() { epoch &+= 1 }

  // MARK: writing

  /// Makes changes and returns the revision they have. In memory they are made at once; the answer waits for the disk.
  ///
  /// - Parameter transaction: The id that the caller gave the change, if any.
  /// - Parameter ofNewRecords: Whether each operation puts a record whose id was made just now.
  package func commit(
    _ operations: [Operation], label: StaticString, transaction id: EntityID?, at now: Instant,
    undoing undone: Int? = nil,
    ofNewRecords: Bool = false
  ) throws(RPCError) -> Int {
    guard !operations.isEmpty else { return try revision() }
    var transaction = Transaction(
      id: id ?? newID(), at: now, author: author, label: "\(label)", undoes: undone, operations: operations)
    let companion = undone == nil ? companionOperation?(operations) : nil
    if let companion { transaction.operations.append(companion) }
    transaction.isOfNewRecords = ofNewRecords && companion == nil
    let changesSettings = operations.contains { $0.collection == Settings.collection }
    let made = try commit(changesSettings: changesSettings) { store throws(StoreError) in
      try store.commit(transaction, awaitsResult: id != nil)
    }
    guard let made else { throw defect("a change was not made") }
    return made
  }

  /// Makes a change that was worked out before, and returns its revision; nil when the store has changed since.
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
      // Another process may have founded the store since this was checked.
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
    // The store takes a repeated id for a repeated request, which this is not.
    guard revision > before else { throw defect("the id of a new transaction was used before") }
    latestRevision = revision
    announcedRevision = revision
    seenRevision = revision
    if let unchanged { settingsMemory[self] = unchanged }
    ownRevisions.insert(revision)
    firstCommit = firstCommit ?? Commit(since: before)
    if firstCommit?.settings == nil { firstCommit?.settings = settings }
    return revision
  }

  /// What was committed since this was asked last; nil for nothing.
  package func takeCommit() -> Commit? {
    defer { firstCommit = nil }
    return firstCommit
  }
}

extension Operation {
  /// The collection of the record that it changes.
  package var collection: CollectionName {
    switch self {
    case .put(let collection, _, _, _, _, _, _), .delete(let collection, _): collection
    }
  }
}
