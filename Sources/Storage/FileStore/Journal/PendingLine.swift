/// A journal line to be written; without bytes, a request to make everything up to its revision durable.
struct PendingLine: Sendable {
  let revision: Int
  let bytes: [UInt8]
  /// Whether it only deletes, and so may use the reserve on a full disk.
  let isDeletion: Bool

  /// A request that writes nothing: it completes when everything up to `revision` is durable, including others'
  /// writes.
  static func proof(of revision: Int) -> PendingLine { PendingLine(revision: revision, bytes: [], isDeletion: false) }
}

/// Where the first line of a write window goes.
struct WindowStart: Sendable {
  /// The folder, whose lock is held.
  var folder: StoreFolder
  /// How often the folder was opened; descriptor numbers are reused, so they do not identify it.
  let opening: Int
  /// The end of what was read; nil when there is no journal file yet.
  let position: JournalPosition?
  /// The revision of the last line before that.
  var revision = 0
  /// The number below which no journal is read, whether or not it still exists.
  var firstJournal = 1
  /// Bytes to keep reserved for a full disk.
  var reserveSize = 0
}
