import FileStore

/// What the lab needs of a store to try it: the only thing that knows the store's API is a driver.
package protocol StoreDriver: Sendable {
  /// The data folder.
  var folder: String { get }
  /// What else it can be asked to do, besides opening, committing and closing.
  var verbs: [LabVerb] { get }

  /// Opens the store as a process that has this file system.
  func open(_ fileSystem: any FileSystem, _ settings: LabSettings) -> LabOpening
  /// The number of the transaction that this line, without its newline, holds whole; nil if it is no such line.
  func transaction(inLine line: ArraySlice<UInt8>) -> Int?
  /// The record that this line of a file, without its newline, holds; nil if it is no such line.
  func record(inLine line: ArraySlice<UInt8>, of file: String) -> LabKey?
  /// Whether bytes that a file was changed to say all that it said: what else is different need not be noticed.
  func isEquivalent(_ changed: [UInt8], to original: [UInt8], in file: String) -> Bool
  /// What a change of that file, given relative to the data folder, may do, by what the store has written.
  func role(of file: String, among files: [String: [UInt8]]) -> LabFileRole
}

/// What a file of a store is there for, and so what may come of damage to it.
package enum LabFileRole: Sendable {
  /// Text for people, or nothing at all: its content has no meaning for the store.
  case exempt
  /// Kept in case another file is damaged: nothing is lost, and nothing need be reported.
  case spare
  /// Something that can be made out of other files: nothing is lost, but it has to be reported.
  case derived
  /// The only place of the transactions in its lines.
  case journal
  /// The only place of transactions in its lines that no journal has; of the others, spare.
  case copies
  /// The only place of the records in its lines.
  case segment
}

/// Things a store may be able to do; the lab uses those its driver names.
package enum LabVerb: String, Sendable, CaseIterable {
  /// Moves the journal's transactions into segments.
  case checkpoint
  /// One step of that, with the others' steps in between.
  case checkpointStep
  /// Takes in what other processes wrote, as before each request.
  case follow
  /// The same, looking everywhere.
  case lookAround
  case backup
  /// Asks for the latest backup to be restored at the next start.
  case restore
  case export
  /// Takes in what was exported last.
  case `import`
}

/// How a store of the lab is set up; the same for all processes of a history.
package struct LabSettings: Sendable {
  /// Makes ids, so that they are the same in every run.
  package var seed: UInt64 = 0
  /// A journal that has grown to this many bytes is sealed.
  package var journalSizeLimit = 16 << 20
  /// Bytes of older journals that are kept although nothing needs them.
  package var historyLimit = 4 << 20
  /// Bytes of segments that are kept in memory.
  package var segmentCacheLimit = 24 << 20
  /// Bytes that are kept for when the disk is full.
  package var reserveSize = 0
  /// The length of the file that is synchronized in the place of journals; 0 for none.
  package var aheadSize = 0
  /// After so many syncs of journals it is made.
  package var aheadThreshold = 0
  /// Whether it is only to be read.
  package var isReader = false
  /// The time, in milliseconds since 1970.
  package var now: @Sendable () -> Int64 = { 1_767_614_400_000 }

  package init(seed: UInt64 = 0, journalSizeLimit: Int = 16 << 20, isReader: Bool = false) {
    self.seed = seed
    self.journalSizeLimit = journalSizeLimit
    self.isReader = isReader
  }
}

/// What came of opening.
package enum LabOpening {
  case opened(any LabStore)
  case failed(String)
}

/// What came of asking for the right to write.
package enum LabEntrance: Equatable {
  case entered
  /// Another process has it.
  case busy
  case failed(String)
}

/// What came of a commit.
package enum LabAnswer: Equatable {
  /// It is safe on disk, as this revision.
  case acknowledged(Int)
  /// Nothing of it was stored, now or later.
  case refused(String)
  /// The same, because another process has the lock.
  case busy(String)
  /// Nobody can tell.
  case unknown(String)
}

/// How a transaction can be taken back.
package enum LabUndo: Equatable {
  /// It is not known any more.
  case nothing
  case alreadyUndone
  case conflict
  /// Of each record what it would be; nil when it would be gone.
  case ready([LabKey: LabContents?])
  case failed(String)
}

/// What a record holds.
package struct LabContents: Equatable {
  package var day: Int32?
  package var body: [UInt8]
}

/// What changed since a revision.
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

/// Something a store reported about its files.
package struct LabFinding: Sendable, Equatable {
  package var file: String
  package var range: Range<Int>
  package var kind: String
  /// Whether something that was answered may be gone.
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
  /// Calls `body` with every record of a collection: its number, its day, its revision, its text.
  func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void)
}

/// An open store; used on one thread.
package protocol LabStore: LabContent {
  /// What opening and reading found.
  var findings: [LabFinding] { get }
  /// The revision of a transaction, if the store still knows it by its id.
  func revision(of number: Int) -> Int?
  /// Gets hold of what the store has now; nil when it went well, else what went wrong.
  func refresh() -> String?
  /// What the store has now, which stays as it is.
  func hold() -> (any LabContent)?
  /// Commits one after the other and waits once, for all; an answer for each.
  func commit(_ transactions: [LabTransaction]) -> [LabAnswer]
  /// Whether everything it has in memory is durable or was rolled back, and nobody waits for what will never come.
  var isSettled: Bool { get }
  /// Takes the right to write, until it leaves.
  func enter() -> LabEntrance
  func leave()
  /// How the transaction with that revision can be taken back.
  func planUndo(of revision: Int) -> LabUndo
  func changes(since revision: Int) -> LabFeed
  /// Whether a checkpoint was begun that is to go on step by step.
  var isCheckpointing: Bool { get }
  /// Does something; nil when it went well or was refused in an orderly way, else what went wrong.
  func perform(_ verb: LabVerb) -> String?
  func close()
}

extension LabStore {
  /// Commits and waits.
  package func commit(_ transaction: LabTransaction) -> LabAnswer { commit([transaction])[0] }
}
