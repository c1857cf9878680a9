import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import Values

extension Session {
  var store: FileStore? { folder.store }

  /// Whose changes they are that this process makes.
  var author: String { folder.author }

  /// The store, opened if it is not yet. A folder that cannot be used now is tried again next time.
  func openStore() throws(RPCError) -> FileStore {
    if let store { return store }
    let configuration = sessionConfiguration
    _ = restorePending(configuration)
    let opened = try stored { () throws(StoreError) in try FileStore.open(configuration) }
    folder.store = opened
    return opened
  }

  /// How the session's own store is opened.
  private var sessionConfiguration: FileStore.Configuration {
    var configuration = folderConfiguration
    configuration.onDurable = { [traffic] in traffic.open(upTo: $0) }
    configuration.onCommitFailure = { [weak self] error in
      // Off the commit thread: the session decides what becomes of the requests.
      self?.enqueue { $0.commitFailed(error) }
    }
    configuration.checkpoints = host.checkpoints
    return configuration
  }

  /// The same, for a store that is not read yet; nil when there is none, or it was.
  var storeConfiguration: FileStore.Configuration? {
    guard let store, store.knownRevision == nil else { return nil }
    return sessionConfiguration
  }

  /// Everything stored, as it is now.
  func snapshot() throws(RPCError) -> Snapshot {
    let store = try openStore()
    let snapshot = try stored { () throws(StoreError) in try store.snapshot }
    begin(at: snapshot.revision)
    return snapshot
  }

  /// The revision of the latest change known.
  func revision() throws(RPCError) -> Int {
    let store = try openStore()
    let revision = try stored { () throws(StoreError) in try store.revision }
    begin(at: revision)
    return revision
  }

  /// Takes note of the revision first seen: from there on the client is told of what changes.
  func begin(at revision: Int) {
    guard folder.announcedRevision == nil else { return }
    folder.announcedRevision = revision
    folder.seenRevision = revision
    folder.latestRevision = revision
    // The preview has done its part.
    clock.forgetDays()
    traffic.begin(at: revision)
    guard options.followsFolder, let store else { return }
    host.follower.start(at: store.watchedPaths) { [weak self] isDone in
      self?.enqueue { isDone($0.lookAround()) }
    }
  }

  /// Reads what the single records that a start asks for are found in.
  func beginPreviews() throws(RPCError) {
    let store = try openStore()
    try stored { () throws(StoreError) in try store.beginPreviews() }
  }

  /// The same without reading everything that makes it up, for a start that need not wait for that.
  func latestRevisionOnDisk() throws(RPCError) -> Int {
    let store = try openStore()
    return try stored { () throws(StoreError) in try store.latestRevision }
  }

  /// This client's latest change by a method that fits, if there is one to take back.
  func undoEntry(matching: (String) -> Bool) throws(RPCError) -> UndoEntry? {
    let store = try openStore()
    return try stored { () throws(StoreError) in try store.undoEntry(author: folder.author, matching: matching) }
  }

  /// A particular change, if it is this client's.
  func undoEntry(revision: Int) throws(RPCError) -> UndoEntry? {
    let store = try openStore()
    return try stored { () throws(StoreError) in try store.undoEntry(revision: revision, author: folder.author) }
  }

  /// What a large change is worked out on, away from the session.
  func draft() throws(RPCError) -> Draft {
    let store = try openStore()
    return try stored { () throws(StoreError) in try store.draft() }
  }

  /// Does something with the store; its errors become the client's.
  private func stored<Value>(_ body: () throws(StoreError) -> Value) throws(RPCError) -> Value {
    do throws(StoreError) { return try body() } catch { throw RPCError(error) }
  }

  /// Makes changes and returns the revision they have, or the present one when there are none. In memory they are made
  /// at once; the answer waits for the disk. With `ofNewRecords` each of them puts a record whose id was made just now.
  func commit(
    _ operations: [Operation], undoing undone: Int? = nil, ofNewRecords: Bool = false, _ call: inout Call
  ) throws(RPCError) -> Int {
    let before = try self.revision()
    guard !operations.isEmpty else { return before }
    call.daysBefore = call.daysBefore ?? days
    let revision = try folder.commit(
      operations, label: call.method.name, transaction: call.transaction, at: now(), undoing: undone,
      ofNewRecords: ofNewRecords)
    call.revision = revision
    forget()
    return revision
  }

  /// Makes a change that was worked out before; nil when the store has changed since.
  func commit(_ prepared: PreparedTransaction, _ call: inout Call) throws(RPCError) -> Int? {
    _ = try revision()
    call.daysBefore = call.daysBefore ?? days
    guard let revision = try folder.commit(prepared, awaitsResult: call.transaction != nil) else { return nil }
    call.revision = revision
    forget()
    return revision
  }

  /// Drops what was remembered of what may have changed.
  func forget() {
    preview.knownOnboarding = nil
    clock.forgetDays()
  }

  /// Drops everything that was remembered of the store, as revisions may stand for something else now.
  func forgetEverything() {
    forget()
    folder.forgetEverything()
  }

  /// Changes could not be made durable: takes them back, and answers again what was built on them.
  func commitFailed(_ error: StoreError) {
    store?.rollBack()
    forgetEverything()
    folder.latestRevision = store?.durableRevision ?? 0
    folder.seenRevision = min(folder.seenRevision, folder.latestRevision)
    folder.announcedRevision = folder.announcedRevision.map { min($0, folder.latestRevision) }
    folder.ownRevisions.remove(after: folder.latestRevision)
    // Of a route that it led to nobody was told.
    if start.hasBootstrapped { told.route = route }
    traffic.begin(at: folder.latestRevision)
    told.onboarding = hasCompletedOnboarding
    log.error(.store, "a change could not be stored: \(public: error)")
    tell(.error, "a change could not be stored: \(error.message)")
    writing.refusal = RPCError(error)
    defer { writing.refusal = nil }
    traffic.takeBack { reply in
      if reply.isRepeatable {
        _ = reply.message.withUnsafeBytes { receive($0) }
      } else {
        var reply = reply
        // Right although the change is lost; a note it may still wait for.
        reply.revision = folder.latestRevision
        reply.start = nil
        if !traffic.hold(reply, at: now()) { channel.send(reply.output) }
      }
      flush()
    }
    // What was told meanwhile may have rested on them.
    planReminders()
  }
}
