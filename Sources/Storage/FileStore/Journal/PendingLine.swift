/// A journal line on its way to the disk; without bytes, the wish to have everything up to its revision there.
struct PendingLine: Sendable {
  let revision: Int
  let bytes: [UInt8]
  /// Whether it takes something away, which is to be possible on a full disk too.
  let isDeletion: Bool

  /// Writes nothing: it is durable when everything up to `revision` is, including what other processes wrote.
  static func proof(of revision: Int) -> PendingLine { PendingLine(revision: revision, bytes: [], isDeletion: false) }
}

/// Where the first line of a write window goes.
struct WindowStart: Sendable {
  /// The folder, whose lock is had.
  var folder: StoreFolder
  /// How often it was opened: a descriptor's number is given again.
  let opening: Int
  /// Behind what was read; nil when there is no journal file yet.
  let position: JournalPosition?
  /// The revision of the last line before that.
  var revision = 0
  /// The number below which no journal is read, whether or not those are still there.
  var firstJournal = 1
  /// Bytes to be kept back for the day when the disk is full.
  var reserveSize = 0
}
