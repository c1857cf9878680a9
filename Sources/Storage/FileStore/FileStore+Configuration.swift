import CivilTime
import Values

extension FileStore {
  /// Where a store is, and its dependencies and limits.
  package struct Configuration: Sendable {
    package var folder: String
    package var fileSystem: any FileSystem
    /// Makes the ids of a new store.
    package var newID: @Sendable () -> EntityID
    /// The clock, for display only: nothing depends on it.
    package var now: @Sendable () -> Instant
    /// Called on the commit thread with the revision up to which everything is durable.
    package var onDurable: @Sendable (Int) -> Void
    /// Called on the commit thread when a write fails; nothing more is written until `rollBack`.
    package var onCommitFailure: @Sendable (StoreError) -> Void
    /// Whether the store is opened read-only.
    package var isReader: Bool
    /// The most bytes of a line of the journal, and so of a transaction with what it replaces.
    package var lineSizeLimit = 256 << 20
    /// The size at which a journal file is sealed, in bytes.
    package var journalSizeLimit = 16 << 20
    /// The size in bytes of the ahead file, which is synced instead of the journal; 0 disables it.
    package var aheadSize = 128 << 10
    /// The number of journal syncs after which the ahead file is made, or used again after a failure.
    package var aheadThreshold = 16
    /// Whether everything runs on the owner's thread, with writes in `waitUntilDurable`, so that simulations are
    /// reproducible.
    package var isInline = false
    /// The segment cache's limit, in bytes.
    package var segmentCacheLimit = 3 << 20
    /// A checkpoint is due when the journals after the segments reach this many bytes or transactions.
    package var checkpointBytes = 256 << 10
    package var checkpointTransactions = 500
    /// After this many nanoseconds without a change, a sixteenth of either is enough.
    package var quietTime: UInt64 = 30_000_000_000
    /// The per-month digests that domains keep to avoid reading records.
    package var digests: @Sendable () -> [Digest] = { [] }
    /// The state of the automatic checkpoints.
    package var checkpoints = CheckpointState()
    /// Bytes of journals retained for undo and the changes feed, beyond those that older manifests need.
    package var historyLimit = 4 << 20
    /// Bytes reserved so that deletions and checkpoints can be written on a full disk.
    package var reserveSize = 128 << 10
    /// How long a commit without `beginWriting` waits for the lock, in milliseconds.
    package var lockTimeout = 5000
    package var undoDepth = 100
    /// The minimum number of record changes kept for `changes(since:)`.
    package var retainedChanges = 65_536
    /// The minimum number of transaction ids kept to detect retries.
    package var recentTransactions = 4096
    /// An import of more changes writes segments directly instead of one journal line.
    package var journaledImportLimit = 1000
    /// The same limit, in bytes of records.
    package var journaledImportBytes = 1 << 20
    /// For some collections, the body to store for an imported or restored record, given the present record; nil keeps
    /// its own.
    package var adopting:
      [(collection: CollectionName, body: @Sendable (_ foreign: borrowing Record, _ present: Record?) -> [UInt8]?)] = []
    /// Take part in every commit, in this order; each sees what those before it have added.
    package var participants: [any CommitParticipant] = []
    /// The import in progress in this process, for the store that follows it.
    package var followed = FollowedImport()
    /// The journal label of a small import.
    package var importLabel = "data/import"

    package init(
      folder: String, fileSystem: any FileSystem = PosixFileSystem(), newID: @escaping @Sendable () -> EntityID,
      now: @escaping @Sendable () -> Instant, onDurable: @escaping @Sendable (Int) -> Void,
      onCommitFailure: @escaping @Sendable (StoreError) -> Void, isReader: Bool = false
    ) {
      self.isReader = isReader
      self.folder = folder
      self.fileSystem = fileSystem
      self.newID = newID
      self.now = now
      self.onDurable = onDurable
      self.onCommitFailure = onCommitFailure
    }

    var journalWriter: JournalWriter {
      JournalWriter(
        fileSystem, sizeLimit: journalSizeLimit, ahead: AheadWriter(size: aheadSize, threshold: aheadThreshold))
    }

    /// Replaces a small file in the open data folder.
    func replace(_ name: String, in folder: StoreFolder, with bytes: [UInt8]) throws(StoreError) {
      guard let root = folder.root else { throw StoreError(.nothingStored, "There is no data folder.") }
      try StoreError.writing(folder.replace(name, in: root, with: bytes, temporaryName: temporaryName(of: name)))
    }

    /// A temporary name for the file that will replace `name`.
    func temporaryName(of name: String) -> String { "\(name).\(fileSystem.processID).\(newID())" }
  }
}
