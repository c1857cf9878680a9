import Values

/// Removes everything that was stored in a data folder, for good. A marker says first what is to go; from then on each process that opens the
/// folder brings it to its end before anything is read.
package struct Erasure {
  /// What goes beside the store itself and a restore that waits.
  package enum Part: String, Sendable, CaseIterable {
    case backups
    /// What was set aside as damaged.
    case quarantine
    case logs
    // Small files, by their names.
    case secrets, flags, premium, reminders, estimator
  }

  package typealias Parts = Set<Part>

  /// How many files were removed.
  package struct Counts: Sendable, Equatable {
    package var journals = 0
    package var segments = 0
    package var manifests = 0
    /// Whole backups.
    package var backups = 0
    package var quarantined = 0
    package var logs = 0
    /// Small files, the identity, the reserve, requests of restores, and what was left over of any of these.
    package var others = 0

    package init() {}
  }

  /// The folder's name within the data folder in which logs are.
  static let logFolder = "logs"

  let folder: StoreFolder
  let root: Descriptor
  let parts: Parts
  var counts = Counts()

  private init(_ folder: StoreFolder, _ root: Descriptor, _ parts: Parts) {
    self.folder = folder
    self.root = root
    self.parts = parts
  }

  /// Does it, with all locks; the lock of the backups is the caller's business.
  ///
  /// - Throws: `storeBusy` when others had the locks for too long; what writing threw. If the marker was on the medium by then, the
  ///   next opening goes on.
  static func run(_ configuration: FileStore.Configuration, _ parts: Parts) throws(StoreError) -> Counts {
    let patience = configuration.isInline ? 0 : configuration.lockTimeout
    return try alone(configuration.folder, configuration.fileSystem, patience) { folder, root throws(StoreError) in
      let marker = ErasureMarker(store: folder.storedIdentity?.store, parts: parts)
      try marker.put(in: folder, root)
      var erasure = Erasure(folder, root, parts)
      try erasure.remove()
      return erasure.counts
    }
  }

  /// Brings to its end what a process has begun that is gone by now, or waits until one that is at it is done.
  ///
  /// - Throws: As `run`.
  static func finish(_ path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    try alone(path, fileSystem, ErasureMarker.patience) { folder, root throws(StoreError) in
      guard let marker = folder.erasure else { return }
      var erasure = Erasure(folder, root, marker.parts)
      try erasure.remove()
    }
  }

  /// Does something while nobody writes to the store, folds it, or replaces a small file. All locks or none: who has one of them may
  /// be waiting for another.
  private static func alone<Value>(
    _ path: String, _ fileSystem: any FileSystem, _ patience: Int,
    _ body: (StoreFolder, Descriptor) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    var folder = try StoreFolder(rootOf: path, fileSystem)
    defer { folder.close() }
    guard let root = folder.root else { throw StoreError(.nothingStored, "There is no data folder.", path: path) }
    try folder.checkWritable()
    var waited = 0
    while true {
      if try folder.takeLock() {
        defer { folder.unlock() }
        if let turn = try Checkpoint.takeTurn(in: folder) {
          defer { fileSystem.close(turn) }
          if try StoreError.writing(fileSystem.lock(root, .exclusive)) {
            return try body(folder, root)
          }
        }
      }
      guard waited < patience, fileSystem.pause() else {
        throw StoreError(
          .storeBusy, "Another process is at work on the store (last writer: \(folder.holder)).", path: path,
          details: ["holder": folder.holder])
      }
      waited += 1
    }
  }
}
