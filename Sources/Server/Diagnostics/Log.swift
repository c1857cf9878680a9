import Platform
import Synchronization

/// The log of the service's own work, on standard error and in the data folder. It never waits for a reader or for the
/// disk: lines without room are counted and dropped.
package final class Log: Sendable {
  /// The name of this program's lines among those of other programs.
  package static let subsystem = "app.daybook"

  /// The least severe level that is written to standard error.
  let level: Level
  private let file: LogWriter?
  /// The least severe level that is written anywhere; checked first, as most requests log at a lower level.
  private let leastGrave: Level
  /// Prints a line; false when there is no room for it.
  private let print: @Sendable (String) -> Bool
  private let dropped = Atomic<Int>(0)

  init(
    level: Level, file: LogWriter? = nil, print: @escaping @Sendable (String) -> Bool = { Log.printOnStandardError($0) }
  ) {
    self.level = level
    self.file = file
    leastGrave = max(level, file?.level ?? level)
    self.print = print
  }

  convenience init(_ options: ServiceOptions) {
    let file = options.logFileLevel.map { LogWriter(folder: options.dataFolder, level: $0, now: options.now) }
    self.init(level: options.logLevel, file: file)
  }

  /// The number of lines dropped for lack of room on standard error.
  var droppedLines: Int { dropped.load(ordering: .relaxed) }

  /// The number of lines missing in the file: the disk failed or was too slow, or there is no data folder.
  var droppedFileLines: Int { file?.droppedLines ?? 0 }

  func error(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.error, category, message) }
  func warning(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.warning, category, message) }
  func info(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.info, category, message) }
  func debug(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.debug, category, message) }
  func trace(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.trace, category, message) }

  /// Logs the params of a request, at `trace` only, and never those of a sensitive method.
  func params(_ text: @autoclosure () -> String, isSensitive: Bool = false) {
    trace(.protocol, isSensitive ? "params \(public: LogMessage.hidden)" : "params \(private: text())")
  }

  func write(_ level: Level, _ category: LogCategory, _ message: () -> LogMessage) {
    guard level <= leastGrave else { return }
    let message = message()
    if level <= self.level {
      put("daybook: \(level.name): [\(category.rawValue)] \(message.text(revealing: self.level == .trace))")
    }
    // The file never contains user data: it becomes part of problem reports.
    if let file, level <= file.level { file.add(level, category.rawValue, message.text(revealing: false)) }
  }

  /// Logs why the process ends, at any level.
  func last(_ reason: String) {
    put("daybook: \(reason)")
    if let file, .info <= file.level { file.add(.info, LogCategory.session.rawValue, reason) }
  }

  /// Waits at most `milliseconds` until the queued lines are in the file.
  func finish(within milliseconds: Int) { file?.finish(within: milliseconds) }

  private func put(_ line: String) {
    if !print(line) { dropped.add(1, ordering: .relaxed) }
  }

  private static func printOnStandardError(_ line: String) -> Bool {
    guard StandardStreams.errorHasRoom else { return false }
    // A pipe with any room accepts 4,096 bytes at once.
    var text = String(line.unicodeScalars.prefix(1000)) + "\n"
    text.withUTF8 { _ = StandardStreams.writeWaiting(2, UnsafeRawBufferPointer($0)) }
    return true
  }
}
