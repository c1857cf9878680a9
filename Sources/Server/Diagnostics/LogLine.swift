import CivilTime
import DaybookProtocol
import JSON

/// A line of the log file is a JSON object; members of newer versions are skipped.
extension LogLine {
  /// The maximum length of a message in UTF-8 bytes.
  package static let longestMessage = 4000
  /// The maximum length of a line in bytes; an escaped control character takes six.
  package static let longest = 32 << 10

  init(at: Instant, level: Log.Level, category: String, message: String, process: Int) {
    self.init(
      at: at, level: LogLevel.known[level.rawValue], category: category, message: LogLine.cut(message), pid: process)
  }

  /// Its level; nil for one of a newer version.
  var weight: Log.Level? { Log.Level(name: level.rawValue) }

  /// The message, truncated to the maximum length.
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
