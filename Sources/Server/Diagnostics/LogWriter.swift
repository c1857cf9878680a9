import CivilTime
import DaybookProtocol
import JSON
import Platform
import Synchronization

/// Lines on their way to the log file. A thread that logs leaves them here and goes on; a thread writes them that is started when there is
/// something to write, and ends with it.
package final class LogWriter: Sendable {
  /// Lines that wait at most.
  static let capacity = 1000
  /// Lines that are kept for a data folder that is not there yet.
  static let heldCapacity = 100
  /// Lines that are written with one call.
  static let batch = 64

  /// What is kept: lines of this level and graver ones.
  package let level: Log.Level
  private let now: @Sendable () -> Instant
  private let process = Processes.current
  private let queue = Guarded(Queue())
  /// Used by one thread at a time, the one that writes.
  private let file: Guarded<LogFile>
  private let dropped = Atomic<Int>(0)

  private struct Queue: Sendable {
    var lines: [LogLine] = []
    /// Whether a thread is at it.
    var isWriting = false
  }

  init(_ file: LogFile, level: Log.Level, now: @escaping @Sendable () -> Instant) {
    self.file = Guarded(file)
    self.level = level
    self.now = now
  }

  /// Writes into the data folder at `folder`, as soon as there is one.
  convenience init(folder: String, level: Log.Level, now: @escaping @Sendable () -> Instant) {
    self.init(LogFile(dataFolder: folder), level: level, now: now)
  }

  /// Lines that were given up: the disk failed or was too slow, or there never was a data folder.
  var droppedLines: Int { dropped.load(ordering: .relaxed) }

  /// Whether no thread is at it.
  var isIdle: Bool { queue.withLock { !$0.isWriting } }

  /// Keeps a line. Never waits.
  func take(_ level: Log.Level, _ category: String, _ message: String) {
    let line = LogLine(at: now(), level: level, category: category, message: message, process: process)
    let isTaken = queue.withLock { queue in
      guard queue.lines.count < LogWriter.capacity else { return false }
      queue.lines.append(line)
      return true
    }
    if !isTaken { dropped.add(1, ordering: .relaxed) }
    startThread()
  }

  /// Writes what waits, if it takes no longer than so many milliseconds.
  func finish(within milliseconds: Int) {
    startThread()
    var left = milliseconds
    while !isIdle, left > 0 {
      Threads.rest(milliseconds: 1)
      left -= 1
    }
  }

  private func startThread() {
    let mustStart = queue.withLock { queue in
      guard !queue.isWriting, !queue.lines.isEmpty else { return false }
      queue.isWriting = true
      return true
    }
    guard mustStart else { return }
    // Without a thread the lines wait for the next one.
    if !Threads.start({ [self] in write() }) { queue.withLock { $0.isWriting = false } }
  }

  /// Writes until nothing waits.
  private func write() {
    while true {
      let lines = queue.withLock { queue in
        let lines = Array(queue.lines.prefix(LogWriter.batch))
        queue.lines.removeFirst(lines.count)
        if lines.isEmpty { queue.isWriting = false }
        return lines
      }
      guard !lines.isEmpty else { return }
      var writer = JSONWriter()
      for line in lines {
        line.encode(to: &writer)
        writer.append(UInt8(ascii: "\n"))
      }
      let bytes = writer.bytes
      switch file.withLock({ $0.append(bytes) }) {
      case .written: break
      case .failed: dropped.add(lines.count, ordering: .relaxed)
      case .noPlace: return hold(lines)
      }
    }
  }

  /// Puts lines back until there is a place for them; the oldest say best how it began, so it is the newest that go. They are counted before
  /// anybody can see that nothing is being written.
  private func hold(_ lines: [LogLine]) {
    queue.withLock { queue in
      queue.lines.insert(contentsOf: lines, at: 0)
      let surplus = max(0, queue.lines.count - LogWriter.heldCapacity)
      queue.lines.removeLast(surplus)
      dropped.add(surplus, ordering: .relaxed)
      queue.isWriting = false
    }
  }
}
