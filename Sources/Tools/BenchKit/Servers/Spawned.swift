import Foundation
import Spawning

/// A server that was started here, with a pipe on its standard input and output.
package final class Spawned {
  /// What it is called in complaints.
  let name: String
  private let server: SpawnedProcess
  private let clock: clockid_t?
  private var frames: FrameReader
  /// The number of the last request sent. Nine digits always, so that all requests of a kind have one length.
  private(set) var lastID = 100_000_000
  private let watchdog: Watchdog

  /// Starts a program; what a quiet one says on standard error goes nowhere.
  ///
  /// - Parameter patience: A server that keeps silent for so many seconds is killed, which ends the measuring.
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
    // Before its input closes, so that it cannot begin to end by itself.
    server.signal(SIGKILL)
    _ = server.waitForEnd()
    Descriptor.close(server.input)
    Descriptor.close(server.output)
  }

  static var systemError: String { SystemText.error() }

  /// Processor time that all its threads have used, nanoseconds.
  var cpu: UInt64 { clock.map { Clocks.read($0) } ?? 0 }

  /// A figure out of `/proc/PID/status`, in megabytes; nil where there is none.
  func memory(_ name: String) -> Double? { Spawned.memory(of: "\(server.pid)", name) }

  /// The same of any process, or of “self”.
  static func memory(of process: String, _ name: String) -> Double? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return nil }
    return kilobytes * 1024 / 1_000_000
  }

  /// Page faults so far that needed no reading; nil where `/proc` does not tell.
  var pageFaults: Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(server.pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    return fields.count > 8 ? Double(fields[8]) : nil
  }

  // MARK: talking

  /// Numbers for the next `count` requests, the first of which is returned.
  package func takeIDs(_ count: Int) -> Int {
    defer { lastID += count }
    return lastID + 1
  }

  /// Sends bytes, waiting until all are taken.
  package func send(_ bytes: [UInt8]) throws(BenchError) {
    guard Descriptor.writeAll(server.input, bytes[...]) else {
      throw .wrong("\(name) has gone: \(Spawned.systemError)")
    }
  }

  /// The body of the next message, waiting for it; valid until the next call.
  package func receive() throws(BenchError) -> UnsafeRawBufferPointer {
    while true {
      do throws(FrameReader.Stray) { if let body = try frames.next() { return body } } catch {
        throw .wrong("\(name) breaks its framing: \(error)")
      }
      let count = frames.fill { Descriptor.read(server.output, into: $0) }
      guard let count else { throw .wrong("\(name) cannot be read: \(Spawned.systemError)") }
      if count == 0 { throw .wrong("\(name) has ended, or was silent for too long") }
    }
  }

  /// Whether another message is there already.
  var hasMessage: Bool { frames.hasNext }

  /// Whether bytes come within so many milliseconds.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: server.output, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Puts the watchdog's deadline off.
  func stillAlive() { watchdog.putOff() }

  // MARK: its end

  /// Asks it to end, and returns how long that took from writing `exit` on, in nanoseconds.
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
