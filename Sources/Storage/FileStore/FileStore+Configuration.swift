import CivilTime
import Values

extension FileStore {
  /// Where a store is, and what it uses.
  package struct Configuration: Sendable {
    /// The path of the data folder.
    package var folder: String
    package var fileSystem: any FileSystem
    /// Makes the ids of a new store.
    package var newID: @Sendable () -> EntityID
    /// Tells the time, for people: nothing depends on it.
    package var now: @Sendable () -> Instant
    /// Called on the commit thread with the revision up to which everything is safe on disk.
    package var onDurable: @Sendable (Int) -> Void
    /// Called on the commit thread when a write failed; nothing is written until `rollBack` was called.
    package var onCommitFailure: @Sendable (StoreError) -> Void
    /// Called on the thread of a checkpoint when it is over, with what kept it from being made, if anything did.
    package var onCheckpoint: @Sendable (StoreError?) -> Void = { _ in }
    /// Whether it is only to be read.
    package var isReader: Bool
    /// The longest line, in bytes.
    package var lineSizeLimit = 64 << 20
    /// A journal file that has grown to this many bytes is sealed.
    package var journalSizeLimit = 16 << 20
    /// The length in bytes of the file that is synchronized in the place of the journal; 0 for none.
    package var aheadSize = 128 << 10
    /// After so many syncs of journals it is made; and after a failure used again.
    package var aheadThreshold = 16
    /// Whether everything is done on the owner's thread, and writing when `waitUntilDurable` is called: for simulations, which
    /// have to come out the same each time.
    package var isInline = false
    /// Bytes of segments that are kept in memory.
    package var segmentCacheLimit = 3 << 20
    /// A checkpoint is due when the journals behind the segments have so many bytes or transactions.
    package var checkpointBytes = 256 << 10
    package var checkpointTransactions = 500
    /// What the domains want to know of months without reading their records.
    package var digests: @Sendable () -> [Digest] = { [] }
    /// The checkpoints that are made when they are due.
    package var checkpoints = CheckpointState()
    /// Bytes of journals that are kept, beyond those that older manifests need, for undo and the changes feed.
    package var historyLimit = 4 << 20
    /// Bytes kept back for the day when the disk is full, so that deletions and checkpoints can be written then.
    package var reserveSize = 128 << 10
    /// How long a commit by itself waits for the lock, in milliseconds.
    package var lockTimeout = 5000
    /// How many transactions of one author can be taken back.
    package var undoDepth = 100
    /// How many changes of records are kept for `changes(since:)`, at least.
    package var retainedChanges = 65_536
    /// How many transactions' ids are kept to recognise a repeated one, at least.
    package var recentTransactions = 4096
    /// An import of more changes becomes segments at once, in the place of one line of the journal.
    package var journaledImportLimit = 1000
    /// The same for the bytes of the records.
    package var journaledImportBytes = 1 << 20
    /// Of a few collections, the body that a record of an import or a backup gets here, given the record that has its place now; nil
    /// for its own.
    package var adopting:
      [(collection: CollectionName, body: @Sendable (_ foreign: borrowing Record, _ present: Record?) -> [UInt8]?)] = []
    /// An import that is under way in this process, for the store that follows it.
    package var followed = FollowedImport()
    /// What a small import is labelled as in the journal.
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

    /// A writer of the journal for a process's changes.
    var journalWriter: JournalWriter {
      JournalWriter(
        fileSystem, sizeLimit: journalSizeLimit, ahead: AheadWriter(size: aheadSize, threshold: aheadThreshold))
    }

    /// Replaces a small file of the data folder, which is open.
    func replace(_ name: String, in folder: StoreFolder, with bytes: [UInt8]) throws(StoreError) {
      guard let root = folder.root else { throw StoreError(.nothingStored, "There is no data folder.") }
      try StoreError.writing(folder.replace(name, in: root, with: bytes, temporaryName: temporaryName(of: name)))
    }

    /// A name for a file that is to take the place of another.
    func temporaryName(of name: String) -> String { "\(name).\(fileSystem.processID).\(newID())" }
  }
}
