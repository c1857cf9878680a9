import DomainKit
import Platform

extension Session {
  var store: FileStore? { folder.store }

  /// The author of this process's changes.
  var author: String { folder.author }

  /// The store, opened on first use. A folder that cannot be used now is tried again next time.
  func openStore() throws(RPCError) -> FileStore {
    if let store { return store }
    let configuration = sessionConfiguration
    _ = restorePending(configuration)
    do throws(StoreError) {
      let opened = try FileStore.open(configuration)
      folder.opened = .success(opened)
      return opened
    } catch { throw RPCError(error) }
  }

  /// How to open the session's own store.
  private var sessionConfiguration: FileStore.Configuration {
    var configuration = folderConfiguration
    configuration.onDurable = { [traffic] in traffic.open(upTo: $0) }
    configuration.onCommitFailure = { [weak self] error in
      // Off the commit thread: the session answers the requests again.
      self?.enqueue { $0.commitFailed(error) }
    }
    configuration.checkpoints = host.checkpoints
    return configuration
  }

  /// The same, for a store that has not been read yet; nil when there is none, or it was read.
  var storeConfiguration: FileStore.Configuration? {
    guard let store, store.knownRevision == nil else { return nil }
    return sessionConfiguration
  }

  /// Everything stored at present.
  func snapshot() throws(RPCError) -> Snapshot {
    let snapshot = try withStore { store throws(StoreError) in try store.snapshot }
    begin(at: snapshot.revision)
    return snapshot
  }

  /// The latest known revision.
  func revision() throws(RPCError) -> Int {
    let revision = try withStore { store throws(StoreError) in try store.revision }
    begin(at: revision)
    return revision
  }

  /// Sets the revision of the first read; later changes are announced to the client.
  func begin(at revision: Int) {
    guard folder.announcedRevision == nil else { return }
    folder.announcedRevision = revision
    folder.seenRevision = revision
    folder.latestRevision = revision
    // The preview is no longer used.
    clock.forgetDays()
    traffic.begin(at: revision)
    guard options.followsFolder, let store else { return }
    host.follower.start(at: store.watchedPaths) { [weak self] isDone in
      self?.enqueue { isDone($0.pollFolder()) }
    }
  }

  /// Reads where to find the single records that a start needs.
  func beginPreviews() throws(RPCError) {
    try withStore { store throws(StoreError) in try store.beginPreviews() }
  }

  /// The latest revision without reading the store, for a start that need not wait for that.
  func latestRevisionOnDisk() throws(RPCError) -> Int {
    try withStore { store throws(StoreError) in try store.latestRevision }
  }

  /// The latest change by this client that matches, if it can be undone.
  func undoEntry(matching: (String) -> Bool) throws(RPCError) -> UndoEntry? {
    try withStore { store throws(StoreError) in try store.undoEntry(author: folder.author, matching: matching) }
  }

  /// The change with this revision, if this client made it.
  func undoEntry(revision: Int) throws(RPCError) -> UndoEntry? {
    try withStore { store throws(StoreError) in try store.undoEntry(revision: revision, author: folder.author) }
  }

  /// The state on which a large change is computed off the session.
  func draft() throws(RPCError) -> Draft {
    try withStore { store throws(StoreError) in try store.draft() }
  }

  /// Runs an operation of the store, which is opened on first use; its errors become the client's.
  func withStore<Value>(_ body: (FileStore) throws(StoreError) -> Value) throws(RPCError) -> Value {
    let store = try openStore()
    do throws(StoreError) { return try body(store) } catch { throw RPCError(error) }
  }

  /// Commits operations and returns their revision, or the present one when there are none. They apply in memory at
  /// once; the reply waits for the disk. With `ofNewRecords`, each puts a record with a new id.
  func commit(
    _ operations: [Operation], undoing undone: Int? = nil, ofNewRecords: Bool = false, _ call: inout Call
  ) throws(RPCError) -> Int {
    let before = try self.revision()
    guard !operations.isEmpty else { return before }
    call.daysBefore = call.daysBefore ?? days
    let revision = try folder.commit(
      operations, label: call.method.name, transaction: call.transaction, at: now(), undoing: undone,
      ofNewRecords: ofNewRecords, &call.turn)
    call.revision = revision
    forget()
    return revision
  }

  /// Commits a change that was computed in advance; nil when the store has changed since.
  func commit(_ prepared: PreparedTransaction, _ call: inout Call) throws(RPCError) -> Int? {
    _ = try revision()
    call.daysBefore = call.daysBefore ?? days
    guard let revision = try folder.commit(prepared, awaitsResult: call.transaction != nil, &call.turn) else {
      return nil
    }
    call.revision = revision
    forget()
    return revision
  }

  /// Drops cached values that a change may affect.
  func forget() {
    preview.knownOnboarding = nil
    clock.forgetDays()
  }

  /// Drops everything cached from the store, because revisions may have been reused.
  func forgetEverything() {
    forget()
    folder.invalidateCaches()
    onboarding.flagsMayHaveChanged()
  }

  /// Rolls back changes that could not be made durable, and answers again the requests that depend on them.
  func commitFailed(_ error: StoreError) {
    store?.rollBack()
    forgetEverything()
    folder.latestRevision = store?.durableRevision ?? 0
    folder.seenRevision = min(folder.seenRevision, folder.latestRevision)
    folder.announcedRevision = folder.announcedRevision.map { min($0, folder.latestRevision) }
    folder.ownRevisions.remove(after: folder.latestRevision)
    // The client was not told of a route that the changes led to.
    if start.hasBootstrapped { announced.route = route }
    traffic.begin(at: folder.latestRevision)
    announced.onboarding = hasCompletedOnboarding
    log.error(.store, "a change could not be stored: \(public: error)")
    tell(.error, "a change could not be stored: \(error.message)")
    writing.refusal = RPCError(error)
    defer { writing.refusal = nil }
    traffic.withdraw { reply in
      if reply.isRepeatable {
        _ = reply.message.withUnsafeBytes { receive($0) }
      } else {
        var reply = reply
        // Valid although the change is lost; it may still wait for a note.
        reply.revision = folder.latestRevision
        reply.start = nil
        if !traffic.hold(reply, at: now()) { channel.send(reply.output) }
      }
      flush()
    }
    // The last announced plan may depend on the lost changes.
    planReminders()
  }
}
