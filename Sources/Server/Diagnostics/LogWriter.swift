import DaybookProtocol
import Platform
import Synchronization

/// The queue of lines for the log file. Logging threads add lines without waiting; a thread writes them, which is
/// started when there are any, and ends with the last.
package final class LogWriter: Sendable {
  /// The maximum number of queued lines.
  static let capacity = 1000
  /// The maximum number of lines that wait for a data folder to appear.
  static let heldCapacity = 100
  /// The maximum number of lines per write.
  static let batch = 64

  /// The least severe level that is kept.
  package let level: Log.Level
  private let now: @Sendable () -> Instant
  private let process = Processes.current
  private let queue = Guarded(Queue())
  /// Used by one thread at a time, the one that writes.
  private let file: Guarded<LogFile>
  private let dropped = Atomic<Int>(0)

  private struct Queue: Sendable {
    var lines: [LogLine] = []
    /// Whether a thread is writing.
    var isWriting = false
  }

  init(_ file: LogFile, level: Log.Level, now: @escaping @Sendable () -> Instant) {
    self.file = Guarded(file)
    self.level = level
    self.now = now
  }

  /// Writes into the data folder at `folder`, once it exists.
  convenience init(folder: String, level: Log.Level, now: @escaping @Sendable () -> Instant) {
    self.init(LogFile(dataFolder: folder), level: level, now: now)
  }

  /// The number of dropped lines: the disk failed or was too slow, or there never was a data folder.
  var droppedLines: Int { dropped.load(ordering: .relaxed) }

  var isIdle: Bool { queue.withLock { !$0.isWriting } }

  /// Queues a line. Never waits.
  func add(_ level: Log.Level, _ category: String, _ message: String) {
    let line = LogLine(at: now(), level: level, category: category, message: message, process: process)
    let isTaken = queue.withLock { queue in
      guard queue.lines.count < LogWriter.capacity else { return false }
      queue.lines.append(line)
      return true
    }
    if !isTaken { dropped.add(1, ordering: .relaxed) }
    startThread()
  }

  /// Waits at most `milliseconds` until the queued lines are written.
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
    // Without a thread to start, the lines wait for the next attempt.
    if !Threads.start({ [self] in write() }) { queue.withLock { $0.isWriting = false } }
  }

  /// Writes until the queue is empty.
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
      case .noFolder: return requeue(lines)
      }
    }
  }

  /// Requeues lines until there is a data folder. The oldest explain a problem best, so the newest are dropped. They
  /// are counted before anybody can see that nothing is being written.
  private func requeue(_ lines: [LogLine]) {
    queue.withLock { queue in
      queue.lines.insert(contentsOf: lines, at: 0)
      let surplus = max(0, queue.lines.count - LogWriter.heldCapacity)
      queue.lines.removeLast(surplus)
      dropped.add(surplus, ordering: .relaxed)
      queue.isWriting = false
    }
  }
}
