/// Permanently removes everything stored in a data folder. It first writes a marker of what to remove; from then on,
/// each process that opens the folder completes the erasure before reading anything.
package struct Erasure {
  /// What to remove besides the store itself and a pending restore.
  package enum Part: String, Sendable, CaseIterable {
    case backups
    case quarantine
    case logs
    // Small files, by their names.
    case secrets, flags, premium, reminders, estimator
  }

  package typealias Parts = Set<Part>

  package struct Counts: Sendable, Equatable {
    package var journals = 0
    package var segments = 0
    package var manifests = 0
    package var backups = 0
    package var quarantined = 0
    package var logs = 0
    /// Small files, the identity, the reserve, restore requests, and leftovers of any of these.
    package var others = 0
  }

  static let logFolder = "logs"

  let folder: StoreFolder
  let root: Descriptor
  let parts: Parts
  var counts = Counts()

  /// Runs an erasure under all locks; the caller holds the lock of the backups.
  ///
  /// - Throws: `storeBusy` when others held the locks for too long; write errors. Once the marker is durable, the next
  ///   opening continues.
  static func run(_ configuration: FileStore.Configuration, _ parts: Parts) throws(StoreError) -> Counts {
    let timeout = configuration.isInline ? 0 : configuration.lockTimeout
    return try withAllLocks(configuration.folder, configuration.fileSystem, timeout) {
      folder, root throws(StoreError) in
      let marker = ErasureMarker(store: folder.storedIdentity?.store, parts: parts)
      try marker.put(in: folder, root)
      var erasure = Erasure(folder: folder, root: root, parts: parts)
      try erasure.remove()
      return erasure.counts
    }
  }

  /// Completes the erasure of a dead process, or waits until a live one has finished.
  ///
  /// - Throws: As `run`.
  static func finish(_ path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    try withAllLocks(path, fileSystem, ErasureMarker.timeout) { folder, root throws(StoreError) in
      guard let marker = folder.erasure else { return }
      var erasure = Erasure(folder: folder, root: root, parts: marker.parts)
      try erasure.remove()
    }
  }

  /// Runs `body` while nobody writes to the store, folds it, or replaces a small file. It takes all locks or none,
  /// since the holder of one may be waiting for another.
  private static func withAllLocks<Value>(
    _ path: String, _ fileSystem: any FileSystem, _ timeout: Int,
    _ body: (StoreFolder, Descriptor) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    var folder = try StoreFolder(rootOf: path, fileSystem)
    defer { folder.close() }
    guard let root = folder.root else { throw StoreError(.nothingStored, "There is no data folder.", path: path) }
    try folder.checkWritable()
    var waited = 0
    while true {
      if try folder.acquireLock() {
        defer { folder.unlock() }
        if let lock = try Checkpoint.tryLock(in: folder) {
          defer { fileSystem.close(lock) }
          if try StoreError.writing(fileSystem.lock(root, .exclusive)) {
            return try body(folder, root)
          }
        }
      }
      guard waited < timeout, fileSystem.pause() else {
        throw StoreError(
          .storeBusy, "Another process is using the store (last writer: \(folder.holder)).", path: path,
          details: ["holder": folder.holder])
      }
      waited += 1
    }
  }
}
