import CivilTime
import Platform

extension StoreError.Code {
  /// A line of an import is unusable; `details` has its `line` and the `pointer` to the invalid value.
  package static let importInvalid = Self("importInvalid")
}

package enum ImportSource: Sendable {
  case file(String)
  /// The text of such a file.
  case text([UInt8])
  /// Lines without a header and a footer, in slices of whole lines.
  case lines([ArraySlice<UInt8>])
}

/// What an import did, or would do.
package struct ImportSummary: Sendable, Equatable {
  /// Ordered by name.
  package var collections: [StoreImportCounts] = []
  /// The number of unusable lines, and the problems of the first ones.
  package var refused = 0
  package var problems: [StoreImportProblem] = []
  package var revision = 0
  /// Whether anything was changed, and whether that can be undone.
  package var isChanged = false
  package var isUndoable = false
  /// The backup of the previous state.
  package var backup: BackupID?
}

extension FileStore {
  /// The maximum size of a file that is read, in bytes.
  package static let longestImport = 4 << 30

  /// Imports records in one transaction, through a separate opening of the folder. A small import goes into the
  /// journal and can be undone; a large one becomes segments directly. A backup is made first unless the store is
  /// empty. Importing the same file again changes nothing.
  ///
  /// - Throws: `importInvalid` or `recordTooLarge` for an unusable line (a preview lists them instead),
  ///   `fileUnusable`, `storeBusy` when another process keeps the lock, `cancelled`, or I/O errors; then nothing is
  ///   changed.
  package static func importRecords(
    _ source: ImportSource, _ mode: StoreImportMode, _ configuration: Configuration, author: String,
    check: ImportCheck? = nil, _ monitor: WorkMonitor = WorkMonitor()
  ) throws(StoreError) -> ImportSummary {
    var content: ImportContent
    switch source {
    case .file(let path):
      let bytes = try OutsideFile(path, configuration).contents(limit: longestImport)
      content = try ImportReader.read([bytes[...]], isFramed: true, check: check, monitor.part(0...40))
    case .text(let bytes):
      content = try ImportReader.read([bytes[...]], isFramed: true, check: check, monitor.part(0...40))
    case .lines(let parts):
      content = try ImportReader.read(parts, isFramed: false, check: check, monitor.part(0...40))
    }
    if mode != .preview, let problem = content.problems.first { throw problem.error(content.refused) }
    var (plan, isEmpty) = try initialPlan(&content, mode, configuration, monitor)
    if mode == .preview || plan.isEmpty {
      if mode != .preview, !isEmpty { try prove(configuration, monitor) }
      return ImportSummary(plan, content)
    }
    let backup = isEmpty ? nil : try Backups(configuration).create(.beforeImport, monitor.part(40...60)).id
    var revision: Int?
    if plan.isSmall(configuration) {
      do throws(StoreError) { revision = try commit(&content, &plan, mode, configuration, author, monitor) } catch
        where error.code == .recordTooLarge
      {
        // Its line also contains the versions it replaces, which may not fit.
      }
    }
    let isUndoable = revision != nil
    if revision == nil { revision = try commitBulk(&content, &plan, mode, configuration, author, monitor) }
    // The commit may have made a new plan.
    var summary = ImportSummary(plan, content)
    summary.revision = revision ?? plan.revision
    (summary.isUndoable, summary.backup, summary.isChanged) = (isUndoable, backup, true)
    return summary
  }

  /// Plans the import for the present state; also returns whether the store is empty.
  private static func initialPlan(
    _ content: inout ImportContent, _ mode: StoreImportMode, _ configuration: Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> (ImportPlan, isEmpty: Bool) {
    let reading = try StoreReading(configuration, isEmptyAllowed: true)
    return (
      try plan(&content, reading.snapshot, mode, configuration, monitor), reading.snapshot.revision == 0
    )
  }

  private static func plan(
    _ content: inout ImportContent, _ snapshot: Snapshot, _ mode: StoreImportMode, _ configuration: Configuration,
    _ monitor: WorkMonitor
  ) throws(StoreError) -> ImportPlan {
    content.adopt(into: snapshot, configuration)
    return try ImportPlan(
      content, snapshot, mode, leavingOut: configuration.participants.ownCollections, monitor)
  }

  /// Commits the import as one line of the journal.
  private static func commit(
    _ content: inout ImportContent, _ plan: inout ImportPlan, _ mode: StoreImportMode, _ configuration: Configuration,
    _ author: String, _ monitor: WorkMonitor
  ) throws(StoreError) -> Int {
    let store = try opened(configuration, monitor)
    defer { store.close() }
    let outcome: Result<Int, StoreError>
    do throws(StoreError) {
      let snapshot = try store.snapshot
      if snapshot.revision != plan.revision {
        plan = try self.plan(&content, snapshot, mode, configuration, monitor)
      }
      var transaction = Transaction(
        id: configuration.newID(), at: configuration.now(), author: author, label: configuration.importLabel,
        operations: plan.operations(content))
      transaction.isReplacement = mode == .replace
      outcome = .success(plan.isEmpty ? snapshot.revision : try store.commit(transaction, isLast: true))
    } catch { outcome = .failure(error) }
    store.endWriting()
    let revision = try outcome.get()
    try store.settle()
    return revision
  }

  /// Proves that the stored data which makes the import a no-op is durable.
  private static func prove(_ configuration: Configuration, _ monitor: WorkMonitor) throws(StoreError) {
    let store = try opened(configuration, monitor)
    defer { store.close() }
    store.endWriting()
    try store.settle()
  }

  /// A separate opening of the store, inside its write window.
  private static func opened(_ configuration: Configuration, _ monitor: WorkMonitor) throws(StoreError) -> FileStore {
    let store = try silent(configuration)
    do throws(StoreError) {
      try wait(configuration, monitor) { () throws(StoreError) in try store.beginWriting() }
    } catch {
      store.close()
      throw error
    }
    return store
  }

  /// A separate opening that does not call the configuration's callbacks.
  private static func silent(_ configuration: Configuration) throws(StoreError) -> FileStore {
    var own = configuration
    own.onDurable = { _ in }
    own.onCommitFailure = { _ in }
    return try FileStore.open(own)
  }

  /// Commits the import as segments.
  private static func commitBulk(
    _ content: inout ImportContent, _ plan: inout ImportPlan, _ mode: StoreImportMode, _ configuration: Configuration,
    _ author: String, _ monitor: WorkMonitor
  ) throws(StoreError) -> Int {
    let store = try silent(configuration)
    defer { store.close() }
    try store.folder.prepareRoot()
    // From here on no checkpoint replaces the manifest.
    var checkpointLock: Descriptor?
    try wait(configuration, monitor) { () throws(StoreError) in
      checkpointLock = try Checkpoint.tryLock(in: store.folder)
      return checkpointLock != nil
    }
    defer { if let checkpointLock { configuration.fileSystem.close(checkpointLock) } }
    try wait(configuration, monitor) { () throws(StoreError) in try store.beginWriting() }
    let snapshot = try store.snapshot
    if snapshot.revision != plan.revision {
      plan = try self.plan(&content, snapshot, mode, configuration, monitor)
    }
    for participant in configuration.participants {
      let change = PendingChange(
        plan, content, mode, at: configuration.now(), author: author, label: configuration.importLabel, in: snapshot)
      plan.add(try participant.additions(to: change), to: &content, snapshot)
    }
    return try BulkCommit(store: store, content: content, monitor: monitor.part(60...100)).run(plan)
  }

  /// Waits for others.
  ///
  /// - Throws: `storeBusy` when that takes too long.
  private static func wait(
    _ configuration: Configuration, _ monitor: WorkMonitor, _ isReady: () throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard try monitor.wait(configuration, until: isReady) else {
      throw StoreError(.storeBusy, "Another process is writing to the store.", path: configuration.folder)
    }
  }
}

extension ImportSummary {
  fileprivate init(_ plan: ImportPlan, _ content: ImportContent) {
    collections = plan.counts.values.sorted { $0.collection.rawValue < $1.collection.rawValue }
    refused = content.refused
    problems = content.problems
    revision = plan.revision
  }
}

extension StoreImportProblem {
  fileprivate func error(_ count: Int) -> StoreError {
    let more = count > 1 ? " (and \(count - 1) more)" : ""
    return StoreError(
      isTooLarge ? .recordTooLarge : .importInvalid, "Line \(line) cannot be used: \(reason)\(more).",
      details: ["line": String(line), "pointer": pointer])
  }
}
