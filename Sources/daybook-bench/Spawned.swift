import Foundation

/// A server that was started here, with a pipe on its standard input and output.
final class Spawned {
  /// What it is called in complaints.
  let name: String
  let process: pid_t
  private let input: Int32
  private let output: Int32
  private let clock: clockid_t?
  private var frames = IncomingFrames()
  private var isGone = false
  /// The number of the last request sent. Nine digits always, so that all requests of a kind have one length.
  private(set) var lastID = 100_000_000
  private let watchdog: Watchdog

  /// Starts a program; what a quiet one says on standard error goes nowhere. A server that keeps silent for 60 seconds is
  /// killed, which ends the measuring.
  init(_ name: String, _ command: [String], isQuiet: Bool = false) throws(BenchError) {
    var toServer: [Int32] = [-1, -1]
    var fromServer: [Int32] = [-1, -1]
    guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw .wrong("no pipe: \(Spawned.systemError)") }
    for end in toServer + fromServer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toServer[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromServer[1], 1)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var process = pid_t()
    let arguments = Spawned.terminated(command)
    let environment = Spawned.terminated(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    defer { for text in arguments + environment { free(text) } }
    let status = posix_spawn(&process, command.first ?? "", &actions, nil, arguments, environment)
    close(toServer[0])
    close(fromServer[1])
    input = toServer[1]
    output = fromServer[0]
    self.name = name
    self.process = process
    clock = status == 0 ? Clocks.cpuClock(of: process) : nil
    watchdog = Watchdog(status == 0 ? process : nil)
    guard status == 0 else {
      isGone = true
      throw .usage("\(command.first ?? "") cannot be started: \(String(cString: strerror(status)))")
    }
  }

  deinit {
    watchdog.end()
    // Before its input closes, so that it cannot begin to end by itself.
    if !isGone {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(input)
    close(output)
  }

  private static func terminated(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  static var systemError: String { String(cString: strerror(errno)) }

  /// Processor time that all its threads have used, nanoseconds.
  var cpu: UInt64 { clock.map { Clocks.read($0) } ?? 0 }

  /// A figure out of `/proc/PID/status`, in megabytes; nil where there is none.
  func memory(_ name: String) -> Double? { Spawned.memory(of: "\(process)", name) }

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
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    return fields.count > 8 ? Double(fields[8]) : nil
  }

  // MARK: talking

  /// Numbers for the next `count` requests, the first of which is returned.
  func takeIDs(_ count: Int) -> Int {
    defer { lastID += count }
    return lastID + 1
  }

  /// Sends bytes, waiting until all are taken.
  func send(_ bytes: [UInt8]) throws(BenchError) {
    var at = 0
    while at < bytes.count {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress.map { $0 + at }, bytes.count - at) }
      if count > 0 { at += count } else if errno != EINTR { throw .wrong("\(name) has gone: \(Spawned.systemError)") }
    }
  }

  /// The body of the next message, waiting for it; valid until the next call.
  func receive() throws(BenchError) -> UnsafeRawBufferPointer {
    while true {
      do throws(BenchError) { if let body = try frames.next() { return body } } catch {
        throw .wrong("\(name): \(error.message)")
      }
      let count = frames.fill { read(output, $0.baseAddress, $0.count) }
      if count == 0 { throw .wrong("\(name) has ended, or was silent for too long") }
      if count < 0, errno != EINTR { throw .wrong("\(name) cannot be read: \(Spawned.systemError)") }
    }
  }

  /// Whether another message is there already.
  var hasMessage: Bool { frames.hasNext }

  /// Whether bytes come within so many milliseconds.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Puts the watchdog's deadline off.
  func stillAlive() { watchdog.putOff() }

  // MARK: its end

  /// Asks it to end, and returns how long that took from writing `exit` on, in nanoseconds.
  func end() throws(BenchError) -> UInt64 {
    _ = try request("shutdown")
    let message = Request.frame("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}")
    let start = Clocks.now()
    try send(message)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let time = Clocks.now() - start
    isGone = true
    watchdog.end()
    guard status == 0 else { throw .wrong("\(name) ended with status \(status >> 8 & 0xFF), signal \(status & 0x7F)") }
    return time
  }
}
