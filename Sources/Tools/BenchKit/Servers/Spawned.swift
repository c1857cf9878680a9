import Foundation
import Spawning

/// A spawned server, connected by pipes.
package final class Spawned {
  /// Its name in error messages.
  let name: String
  private let server: SpawnedProcess
  private let clock: clockid_t?
  private var frames: FrameReader
  /// The id of the last request; always nine digits, so that all requests of a kind have one length.
  private(set) var lastID = 100_000_000
  private let watchdog: Watchdog

  /// Starts a program; the standard error of a quiet one is discarded.
  ///
  /// - Parameter patience: The number of silent seconds after which the server is killed.
  init(
    _ name: String, _ command: [String], framing: WireFraming = .header, isQuiet: Bool = false, patience: UInt64 = 60
  ) throws(BenchError) {
    self.name = name
    frames = FrameReader(framing)
    do throws(SpawnError) {
      server = try SpawnedProcess(
        command, environment: SystemText.environment, standardError: isQuiet ? .discarded : .inherited)
    } catch { throw .usage("\(name) cannot be started: \(error)") }
    clock = Clocks.cpuClock(of: server.pid)
    watchdog = Watchdog(server, seconds: patience)
  }

  deinit {
    watchdog.end()
    // Before its input closes, so that it cannot start its regular end.
    server.signal(SIGKILL)
    _ = server.waitForEnd()
    Descriptor.close(server.input)
    Descriptor.close(server.output)
  }

  static var systemError: String { SystemText.error() }

  /// CPU time of all its threads, in nanoseconds.
  var cpu: UInt64 { clock.map { Clocks.read($0) } ?? 0 }

  /// A value of `/proc/PID/status` in megabytes; nil when there is none.
  func memory(_ name: String) -> Double? { Spawned.memory(of: "\(server.pid)", name) }

  /// The value for any process, or for “self”.
  static func memory(of process: String, _ name: String) -> Double? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return nil }
    return kilobytes * 1024 / 1_000_000
  }

  /// The number of minor page faults; nil without `/proc`.
  var pageFaults: Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(server.pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    return fields.count > 8 ? Double(fields[8]) : nil
  }

  // MARK: talking

  /// Reserves ids for `count` requests, and returns the first.
  package func reserveIDs(_ count: Int) -> Int {
    defer { lastID += count }
    return lastID + 1
  }

  /// Sends bytes, blocking until all are written.
  package func send(_ bytes: [UInt8]) throws(BenchError) {
    guard Descriptor.writeAll(server.input, bytes[...]) else {
      throw .wrong("\(name) has ended: \(Spawned.systemError)")
    }
  }

  /// Blocks for the body of the next message; valid until the next call.
  package func receive() throws(BenchError) -> UnsafeRawBufferPointer {
    while true {
      do throws(FrameReader.Stray) { if let body = try frames.next() { return body } } catch {
        throw .wrong("\(name) violates its framing: \(error)")
      }
      let count = frames.fill { Descriptor.read(server.output, into: $0) }
      guard let count else { throw .wrong("\(name) cannot be read: \(Spawned.systemError)") }
      if count == 0 { throw .wrong("\(name) has ended, or timed out") }
    }
  }

  /// Whether a complete message is buffered.
  var hasMessage: Bool { frames.hasNext }

  /// Whether bytes arrive within `milliseconds`.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: server.output, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Extends the watchdog's deadline.
  func stillAlive() { watchdog.putOff() }

  // MARK: its end

  /// Ends the server, and returns the time since writing `exit`, in nanoseconds.
  @discardableResult
  package func end() throws(BenchError) -> UInt64 {
    _ = try request("shutdown")
    let message = Request.frame("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}")
    let start = Clocks.now()
    try send(message)
    let status = server.waitForEnd()
    let time = Clocks.now() - start
    watchdog.end()
    guard status == .exited(0) else { throw .wrong("\(name) ended with \(status)") }
    return time
  }
}
