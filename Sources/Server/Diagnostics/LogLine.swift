import CivilTime
import DaybookProtocol
import JSON

/// A line of the log file is an object on a line of its own; members of newer versions are skipped.
extension LogLine {
  /// Bytes of UTF-8 that are kept of a message.
  package static let longestMessage = 4000
  /// No line that was written by this program is longer, in bytes; a control character takes six.
  package static let longest = 32 << 10

  /// A line of this program.
  init(at: Instant, level: Log.Level, category: String, message: String, process: Int) {
    self.init(
      at: at, level: LogLevel.known[level.rawValue], category: category, message: LogLine.cut(message), pid: process)
  }

  /// Its level; nil for one of a newer version.
  var weight: Log.Level? { Log.Level(name: level.rawValue) }

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
