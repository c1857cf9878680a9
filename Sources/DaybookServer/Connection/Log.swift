import Platform
import Synchronization

/// Lines about the service's own work, on standard error. Never waits for anybody to read them: what finds no room is counted.
package final class Log: Sendable {
  /// From the gravest on. Params of requests are written at `trace` only.
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error, warning, info, debug, trace

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// The level of that name.
    package init?(name: String) {
      guard let level = Level.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }
  }

  let level: Level
  private let dropped = Atomic<Int>(0)

  init(level: Level) { self.level = level }

  /// Lines that found no room.
  var droppedLines: Int { dropped.load(ordering: .relaxed) }

  func error(_ message: @autoclosure () -> String) { write(.error, message) }
  func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  func info(_ message: @autoclosure () -> String) { write(.info, message) }
  func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
  func trace(_ message: @autoclosure () -> String) { write(.trace, message) }

  func write(_ level: Level, _ message: () -> String) {
    guard level <= self.level else { return }
    put("daybook: \(level): \(message())")
  }

  /// The line that says why the process ends; written whatever the level.
  func last(_ reason: String) { put("daybook: \(reason)") }

  /// A message without what it quotes, which may be the user's: from the first opening mark to the last closing one.
  static func withoutQuotes(_ message: String) -> String {
    guard let start = message.firstIndex(of: "“"), let end = message.lastIndex(of: "”"), start < end else {
      return message
    }
    return "\(message[..<start])“…\(message[end...])"
  }

  private func put(_ line: String) {
    // A pipe that has room at all takes 4,096 bytes whole.
    var text = String(line.unicodeScalars.prefix(1000)) + "\n"
    guard StandardStreams.errorHasRoom else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    text.withUTF8 { _ = StandardStreams.writeWaiting(2, UnsafeRawBufferPointer($0)) }
  }
}
