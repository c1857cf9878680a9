import CivilTime
import JSON

/// One line of the log file: `{"at":…,"level":…,"category":…,"message":…,"pid":…}`.
package struct LogLine: Sendable, Equatable {
  /// Bytes of UTF-8 that are kept of a message.
  package static let longestMessage = 4000
  /// No line that was written by this program is longer, in bytes; a control character takes six.
  package static let longest = 32 << 10

  package var at: Instant
  package var level: Log.Level
  /// The category's name, perhaps one of a newer version.
  package var category: String
  package var message: String
  /// The process that wrote it.
  package var process: Int

  package init(at: Instant, level: Log.Level, category: String, message: String, process: Int) {
    self.at = at
    self.level = level
    self.category = category
    self.message = message
    self.process = process
  }

  /// Writes it with the newline at its end.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("at")
    writer.write(at.description)
    writer.name("level")
    writer.write(level.name)
    writer.name("category")
    writer.write(category)
    writer.name("message")
    writer.write(LogLine.cut(message))
    writer.name("pid")
    writer.write(process)
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
  }

  /// As much of a message as is kept.
  private static func cut(_ message: String) -> String {
    guard message.utf8.count > longestMessage else { return message }
    var length = 0
    var kept = String.UnicodeScalarView()
    for scalar in message.unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= longestMessage else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}

extension LogLine: JSONDecodable {
  /// Reads what stands between two newlines; members of newer versions are skipped.
  package init(from reader: inout JSONReader) throws(JSONError) {
    reader.refusesUnknownMembers = false
    var at: Instant?
    var level: Log.Level?
    var category: String?
    var message: String?
    var process: Int?
    var object = try reader.beginObject("a line of the log")
    while try reader.nextMember(&object) {
      if try reader.member("at", 0, &object) {
        at = try reader.string(as: "an instant") { Instant(utf8: $0) }
      } else if try reader.member("level", 1, &object) {
        level = try reader.string(as: "a level") { Log.Level(name: String(decoding: $0, as: UTF8.self)) }
      } else if try reader.member("category", 2, &object) {
        category = try reader.string()
      } else if try reader.member("message", 3, &object) {
        message = try reader.string()
      } else if try reader.member("pid", 4, &object) {
        process = try reader.int()
      } else {
        try reader.ignoreMember(&object)
      }
    }
    guard let at else { throw reader.missing("at", object) }
    guard let level else { throw reader.missing("level", object) }
    guard let category else { throw reader.missing("category", object) }
    guard let message else { throw reader.missing("message", object) }
    guard let process else { throw reader.missing("pid", object) }
    self.init(at: at, level: level, category: category, message: message, process: process)
  }
}
