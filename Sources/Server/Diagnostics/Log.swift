import Platform
import Synchronization

/// Lines about the service's own work, on standard error and in the data folder. Never waits for anybody to read them, nor for the
/// disk: what finds no room is counted.
package final class Log: Sendable {
  /// The name under which the lines of this program are known beside those of others.
  package static let subsystem = "app.daybook"

  /// What is written to standard error: lines of this level and graver ones.
  let level: Level
  private let file: LogWriter?
  /// The least grave level that anything is done with: most requests log, and most of that comes to nothing.
  private let leastGrave: Level
  /// Prints a line if there is room for it.
  private let print: @Sendable (String) -> Bool
  private let dropped = Atomic<Int>(0)

  /// A log on standard error, kept in a file too when there is one.
  init(
    level: Level, file: LogWriter? = nil, print: @escaping @Sendable (String) -> Bool = { Log.printOnStandardError($0) }
  ) {
    self.level = level
    self.file = file
    leastGrave = max(level, file?.level ?? level)
    self.print = print
  }

  /// The log of a service.
  convenience init(_ options: ServiceOptions) {
    let file = options.logFileLevel.map { LogWriter(folder: options.dataFolder, level: $0, now: options.now) }
    self.init(level: options.logLevel, file: file)
  }

  /// Lines that found no room on standard error.
  var droppedLines: Int { dropped.load(ordering: .relaxed) }

  /// Lines that did not come into the file: the disk failed or was too slow, or there is no data folder.
  var droppedFileLines: Int { file?.droppedLines ?? 0 }

  func error(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.error, category, message) }
  func warning(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.warning, category, message) }
  func info(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.info, category, message) }
  func debug(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.debug, category, message) }
  func trace(_ category: LogCategory, _ message: @autoclosure () -> LogMessage) { write(.trace, category, message) }

  /// The params of a request, at `trace` only; those of a sensitive method never.
  func params(_ text: @autoclosure () -> String, isSensitive: Bool = false) {
    trace(.protocol, isSensitive ? "params \(public: LogMessage.hidden)" : "params \(private: text())")
  }

  func write(_ level: Level, _ category: LogCategory, _ message: () -> LogMessage) {
    guard level <= leastGrave else { return }
    let message = message()
    if level <= self.level {
      put("daybook: \(level.name): [\(category.name)] \(message.text(revealing: self.level == .trace))")
    }
    // What is the user's is never kept: the file is what goes into a report.
    if let file, level <= file.level { file.take(level, category.name, message.text(revealing: false)) }
  }

  /// The line that says why the process ends; written at any level.
  func last(_ reason: String) {
    put("daybook: \(reason)")
    if let file, .info <= file.level { file.take(.info, LogCategory.session.name, reason) }
  }

  /// Waits until what is to be kept is in the file, for so many milliseconds at most.
  func finish(within milliseconds: Int) { file?.finish(within: milliseconds) }

  private func put(_ line: String) {
    if !print(line) { dropped.add(1, ordering: .relaxed) }
  }

  private static func printOnStandardError(_ line: String) -> Bool {
    guard StandardStreams.errorHasRoom else { return false }
    // A pipe that has room at all takes 4,096 bytes whole.
    var text = String(line.unicodeScalars.prefix(1000)) + "\n"
    text.withUTF8 { _ = StandardStreams.writeWaiting(2, UnsafeRawBufferPointer($0)) }
    return true
  }
}
