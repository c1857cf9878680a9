/// How far a journal was read, and what the next writer finds there.
struct JournalPosition: Sendable, Equatable {
  /// The number of the file.
  var file: Int
  /// The end of the last complete line, in bytes.
  var offset: Int
  /// The length of the whole file, in bytes.
  var size: Int
  var tail: JournalTail
}

/// How a journal file ends behind its last complete line.
enum JournalTail: Sendable, Equatable {
  /// There is nothing more.
  case whole
  /// In the middle of a line: somebody is writing it, or died over it.
  case torn
  /// It could not be read to its end: nothing may be appended to it.
  case unreadable
  /// It was sealed, and its successor is not there.
  case sealed
}
