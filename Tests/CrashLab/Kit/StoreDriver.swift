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
  /// Whether a change of these bytes of a file, given relative to the data folder, has to be reported.
  func mustReport(_ file: String, _ range: Range<Int>) -> Bool
}

/// Things a store may be able to do; the lab uses those its driver names.
package enum LabVerb: String, Sendable, CaseIterable {
  /// Moves the journal's transactions into segments.
  case checkpoint
  /// One step of that, if it can be interrupted by others' work.
  case checkpointStep
  /// Takes in what other processes wrote.
  case follow
  case backup
  /// Asks for the latest backup to be restored at the next start.
  case restore
  case export
}

/// How a store of the lab is set up; the same for all processes of a history.
package struct LabSettings: Sendable {
  /// Makes ids, so that they are the same in every run.
  package var seed: UInt64 = 0
  /// A journal that has grown to this many bytes is sealed.
  package var journalSizeLimit = 16 << 20
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
  /// Another process is in the way.
  case busy(String)
  case failed(String)
}

/// What came of a commit.
package enum LabAnswer: Equatable {
  /// It is safe on disk, as this revision.
  case acknowledged(Int)
  /// Nothing of it was stored, now or later.
  case refused(String)
  /// Nobody can tell.
  case unknown(String)
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

/// An open store; used on one thread.
package protocol LabStore: AnyObject {
  /// What opening found.
  var findings: [LabFinding] { get }
  /// The revision of the last transaction.
  var revision: Int { get }
  /// The revision of a transaction, if the store has it.
  func revision(of number: Int) -> Int?
  /// Calls `body` with every record: its place, its day, its text.
  func forEachRecord(_ body: (LabKey, Int32?, UnsafeRawBufferPointer) -> Void)
  /// Commits and waits.
  func commit(_ transaction: LabTransaction) -> LabAnswer
  /// Does something; nil when it went well or was refused in an orderly way, else what went wrong.
  func perform(_ verb: LabVerb) -> String?
  func close()
}
