import FileStore

/// What the lab needs from a store under test; only a driver knows the store's API.
package protocol StoreDriver: Sendable {
  var folder: String { get }
  /// The store's abilities besides opening, committing and closing.
  var verbs: [LabVerb] { get }

  /// Opens the store as a process with this file system.
  func open(_ fileSystem: any FileSystem, _ settings: LabSettings) -> LabOpening
  /// The number of the transaction in a line without its newline; nil if the line is no whole transaction.
  func transaction(inLine line: ArraySlice<UInt8>) -> Int?
  /// The record in a line of a file, without its newline; nil if the line is no record.
  func record(inLine line: ArraySlice<UInt8>, of file: String) -> LabKey?
  /// Whether changed bytes of a file mean the same, so that the change need not be noticed.
  func isEquivalent(_ changed: [UInt8], to original: [UInt8], in file: String) -> Bool
  /// The role of a file, given by its path in the data folder, depending on what the store has written.
  func role(of file: String, among files: [String: [UInt8]]) -> LabFileRole
}

/// The role of a file in a store, which determines the effect of damage.
package enum LabFileRole: Sendable {
  /// Text for display, or nothing: its content does not matter.
  case exempt
  /// A spare for another file: nothing is lost, and nothing need be reported.
  case spare
  /// Derivable from other files: nothing is lost, but the damage must be reported.
  case derived
  /// The only place of the transactions in its lines.
  case journal
  /// The only place of the transactions in its lines that no journal has; spare for the others.
  case copies
  /// The only place of the records in its lines.
  case segment
}

/// Optional abilities of a store; the lab uses those its driver names.
package enum LabVerb: String, Sendable, CaseIterable {
  /// Folds the journal's transactions into segments.
  case checkpoint
  /// One step of that, interleaved with others' steps.
  case checkpointStep
  /// Reads what other processes wrote, as before each request.
  case follow
  /// The same, checking everything.
  case poll
  case backup
  /// Requests that the latest backup is restored at the next start.
  case restore
  case export
  /// Imports the last export.
  case `import`
}

/// The settings of a store in the lab; the same for all processes of a history.
package struct LabSettings: Sendable {
  /// Makes ids that are the same in every run.
  package var seed: UInt64 = 0
  /// The size at which a journal is sealed, in bytes.
  package var journalSizeLimit = 16 << 20
  /// Bytes of older journals kept although nothing needs them.
  package var historyLimit = 4 << 20
  /// The segment cache's limit, in bytes.
  package var segmentCacheLimit = 24 << 20
  /// Bytes reserved for a full disk.
  package var reserveSize = 0
  /// The size of the ahead file, which is synced instead of journals; 0 for none.
  package var aheadSize = 0
  /// The number of journal syncs after which it is made.
  package var aheadThreshold = 0
  /// Whether it is opened read-only.
  package var isReader = false
  /// The time, in milliseconds since 1970.
  package var now: @Sendable () -> Int64 = { 1_767_614_400_000 }

  package init(seed: UInt64 = 0, journalSizeLimit: Int = 16 << 20, isReader: Bool = false) {
    self.seed = seed
    self.journalSizeLimit = journalSizeLimit
    self.isReader = isReader
  }
}

/// The outcome of opening.
package enum LabOpening {
  case opened(any LabStore)
  case failed(String)
}

/// The outcome of entering the write window.
package enum LabEntrance: Equatable {
  case entered
  /// Another process is in it.
  case busy
  case failed(String)
}

/// The outcome of a commit.
package enum LabAnswer: Equatable {
  /// It is durable, with this revision.
  case acknowledged(Int)
  /// It is not stored, and never will be.
  case refused(String)
  /// The same, because another process holds the lock.
  case busy(String)
  /// The outcome is unknown.
  case unknown(String)
}

/// How a transaction can be undone.
package enum LabUndo: Equatable {
  /// It is no longer known.
  case nothing
  case alreadyUndone
  case conflict
  /// The resulting content of each record; nil when deleted.
  case ready([LabKey: LabContents?])
  case failed(String)
}

/// The content of a record.
package struct LabContents: Equatable {
  package var day: Int32?
  package var body: [UInt8]
}

/// The changes since a revision.
package enum LabFeed: Equatable {
  case changes([LabKey: LabChanged])
  /// The oldest revision that can be answered.
  case tooOld(Int)
  case failed(String)
}

/// How a record changed.
package struct LabChanged: Equatable {
  package var revision: Int
  package var day: Int32?
  package var previousDay: Int32?
  package var lastDay: Int32?
  package var isNew: Bool
  package var isDeleted: Bool
}

/// A problem that a store reported about its files.
package struct LabFinding: Sendable, Equatable {
  package var file: String
  package var range: Range<Int>
  package var kind: String
  /// Whether something that was answered may be lost.
  package var isLossPossible: Bool

  package init(file: String, range: Range<Int>, kind: String, isLossPossible: Bool) {
    self.file = file
    self.range = range
    self.kind = kind
    self.isLossPossible = isLossPossible
  }
}

/// Records at one revision.
package protocol LabContent: AnyObject {
  /// The revision of the last transaction.
  var revision: Int { get }
  /// Calls `body` with every record of a collection: its number, day, revision and text.
  func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void)
}

/// An open store; used on one thread.
package protocol LabStore: LabContent {
  /// The findings of opening and reading.
  var findings: [LabFinding] { get }
  /// The revision of a transaction, if the store still knows its id.
  func revision(of number: Int) -> Int?
  /// Loads the store's present content; returns an error or nil.
  func refresh() -> String?
  /// The store's present content, as an immutable view.
  func hold() -> (any LabContent)?
  /// Commits one after the other and waits once for all; returns an answer for each.
  func commit(_ transactions: [LabTransaction]) -> [LabAnswer]
  /// Whether everything in memory is durable or was rolled back, and nothing is still pending.
  var isSettled: Bool { get }
  /// Enters the write window until it leaves.
  func enter() -> LabEntrance
  func leave()
  /// How the transaction with that revision can be undone.
  func planUndo(of revision: Int) -> LabUndo
  func changes(since revision: Int) -> LabFeed
  /// Whether a step-by-step checkpoint is in progress.
  var isCheckpointing: Bool { get }
  /// Performs an action; nil when it succeeded or was legitimately refused, else the problem.
  func perform(_ verb: LabVerb) -> String?
  func close()
}

extension LabStore {
  /// Commits and waits.
  package func commit(_ transaction: LabTransaction) -> LabAnswer { commit([transaction])[0] }
}
