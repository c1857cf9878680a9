/// How far a journal was read, and the state of its end for the next writer.
struct JournalPosition: Sendable, Equatable {
  var file: Int
  /// The end of the last complete line, in bytes.
  var offset: Int
  /// The size of the whole file, in bytes.
  var size: Int
  var tail: JournalTail
}

/// What follows the last complete line of a journal file.
enum JournalTail: Sendable, Equatable {
  /// There is nothing more.
  case whole
  /// An incomplete line: it is being written, or its writer died.
  case torn
  /// The rest could not be read: nothing may be appended.
  case unreadable
  /// The journal is sealed, and its successor is missing.
  case sealed
}
