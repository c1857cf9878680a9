/// How far a journal was read, and the state of its end for the next writer.
struct JournalPosition: Sendable, Equatable {
  var file: Int
  /// The end of the last complete line, in bytes; without its newline if that is missing.
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
  /// The last line lacks only its newline. Its checksum is right, so everybody reads it as complete.
  case unclosed
  /// The rest could not be read: nothing may be appended.
  case unreadable
  /// The journal is sealed, and its successor is missing.
  case sealed
}

extension JournalTail {
  /// What a writer appends before its own lines: an incomplete line is closed only then, so that everybody can see that
  /// it was never answered.
  var healing: [UInt8] {
    switch self {
    case .torn: Array("\(LineSuffix.torn)\n".utf8)
    case .unclosed: [UInt8(ascii: "\n")]
    case .whole, .unreadable, .sealed: []
    }
  }

  /// Whether lines can be appended after healing it.
  var takesLines: Bool { self != .unreadable && self != .sealed }
}
