import CivilTime
import JSON
import Values

/// A line of a journal: a transaction that got its revision, or the seal under a journal that has a successor.
enum JournalLine: Sendable {
  case transaction(JournalEntry)
  /// The name of the next journal file, and the revision that it begins behind if something that is in no journal comes between.
  case seal(successor: String, revision: Int? = nil)
}

/// A transaction as a journal holds it.
struct JournalEntry: Sendable, Equatable {
  /// Its sequence number, which is the revision that it makes.
  var revision: Int
  var replica: EntityID
  var transaction: Transaction
  /// For each operation, in their order, the version of the record that it replaces; nil where there was none. So a line
  /// tells by itself what it did and how to take it back, without the segments that hold the older versions.
  var before: [Record?]
}

/// What every line ends in: `,"crc":"xxxxxxxx"}`, the checksum of all bytes before that comma.
enum LineSuffix {
  /// Bytes of the suffix.
  static let length = 18
  /// What closes a line that was cut off by a crash or a full disk, so that nothing can make it whole later.
  static let torn: StaticString = " torn"

  private static let opening: StaticString = ",\"crc\":\""

  /// Whether the bytes end in the checksum of what stands before it.
  static func isValid(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let expected = checksum(line, at: line.count - length) else { return false }
    return CRC32C.checksum(UnsafeRawBufferPointer(rebasing: line[..<(line.count - length)])) == expected
  }

  /// The checksum that a suffix at `offset` states; nil when none stands there.
  static func checksum(_ line: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
    guard offset >= 0, line.count - offset >= length else { return nil }
    for index in 0..<opening.utf8CodeUnitCount where line[offset + index] != opening.utf8Start[index] { return nil }
    guard line[offset + 16] == UInt8(ascii: "\""), line[offset + 17] == UInt8(ascii: "}") else { return nil }
    var value: UInt32 = 0
    for index in (offset + 8)..<(offset + 16) {
      switch line[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(line[index] &- UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(line[index] &- UInt8(ascii: "a") &+ 10)
      default: return nil
      }
    }
    return value
  }

  /// Closes an object whose last brace is not written yet with the checksum and a newline.
  static func close(_ writer: inout JSONWriter) {
    let checksum = CRC32C.checksum(writer.buffer)
    writer.append(opening)
    writer.append(room: 8) { target in
      for index in 0..<8 {
        let nibble = UInt8(truncatingIfNeeded: checksum &>> UInt32(28 - index * 4)) & 15
        target[index] = nibble < 10 ? UInt8(ascii: "0") &+ nibble : UInt8(ascii: "a") &+ nibble &- 10
      }
      return 8
    }
    writer.append("\"}\n")
  }
}
