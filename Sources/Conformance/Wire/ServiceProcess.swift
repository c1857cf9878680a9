#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How a process ended.
package enum ProcessEnd: Sendable, Equatable, CustomStringConvertible {
  /// By itself, with a status.
  case status(Int)
  /// By a signal.
  case signal(Int)

  /// The meaning of what `waitpid` gives.
  init(_ word: Int32) {
    let low = Int(word & 0x7F)
    self = low == 0 ? .status(Int(word >> 8) & 0xFF) : .signal(low)
  }

  /// In words.
  package var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}

/// A running service: bytes go in, bytes and complaints come out, and it is certain to end when this is let go.
///
/// Nothing here blocks but `poll`, and that never longer than the hang guard.
final class ServiceProcess {
  /// The pipes.
  private let spawn: Spawn
  /// The hang guard of every wait.
  private let guardTime: Duration
  /// Whether standard output is read.
  var isDrained = true
  /// Whether its output may end inside a message: who did not read has no claim to a whole one.
  var mayBreakOff = false
  /// What came from standard output and was not taken yet.
  private(set) var frames: FrameReader
  /// What came from standard error.
  private(set) var complaints: [UInt8] = []
  /// Whether its standard input is open still.
  private(set) var isInputOpen = true
  /// Whether its standard output is open still.
  private(set) var isOutputOpen = true
  /// Whether its standard error is open still.
  private var areComplaintsOpen = true
  /// How it ended, once it has.
  private(set) var end: ProcessEnd?
  /// Where reads go first.
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  /// Starts a command.
  init(
    _ command: [String], environment: [String: String], framing: WireFraming, guardTime: Duration
  ) throws(WireError) {
    // A service that is gone shows in what it said, not in our end.
    signal(SIGPIPE, SIG_IGN)
    frames = FrameReader(framing: framing)
    self.guardTime = guardTime
    spawn = try Spawn.start(command, environment: environment)
  }

  deinit {
    if end == nil {
      var word: Int32 = 0
      signalled(SIGKILL)
      waitpid(spawn.pid, &word, 0)
    }
    closeInput()
    if isOutputOpen { close(spawn.output) }
    if areComplaintsOpen { close(spawn.errors) }
    space.deallocate()
  }

  /// Writes bytes, in one write or in one each, while what comes out is read.
  func write(_ bytes: [UInt8], byteWise: Bool = false) throws(WireError) {
    var deadline = Deadline(guardTime)
    var at = 0
    while at < bytes.count, isInputOpen {
      let count = byteWise ? 1 : bytes.count - at
      let written = bytes.withUnsafeBytes { buffer in
        #if canImport(Darwin)
          Darwin.write(spawn.input, buffer.baseAddress.map { $0 + at }, count)
        #elseif canImport(Musl)
          Musl.write(spawn.input, buffer.baseAddress.map { $0 + at }, count)
        #else
          Glibc.write(spawn.input, buffer.baseAddress.map { $0 + at }, count)
        #endif
      }
      if written > 0 {
        at += written
        deadline = Deadline(guardTime)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        try exchange(writing: true, deadline.milliseconds("room to write \(bytes.count - at) bytes"))
      } else if errno != EINTR {
        // It does not read any more; what it said and how it ended tells why.
        closeInput()
      }
    }
  }

  /// Closes its standard input.
  func closeInput() {
    if isInputOpen { close(spawn.input) }
    isInputOpen = false
  }

  /// Sends it a signal.
  func send(_ signal: Step.Signal) {
    if end == nil { signalled(signal == .terminate ? SIGTERM : SIGINT) }
  }

  /// Kills it.
  func kill() {
    if end == nil { signalled(SIGKILL) }
  }

  /// Sends it a signal of the system's.
  private func signalled(_ number: Int32) {
    #if canImport(Darwin)
      Darwin.kill(spawn.pid, number)
    #elseif canImport(Musl)
      Musl.kill(spawn.pid, number)
    #else
      Glibc.kill(spawn.pid, number)
    #endif
  }

  /// The next message's bytes; nil at the end of its output.
  func next(_ what: String) throws(WireError) -> [UInt8]? {
    let deadline = Deadline(guardTime)
    isDrained = true
    while true {
      if let message = try frames.next() { return message }
      guard isOutputOpen else {
        guard frames.rest.isEmpty || mayBreakOff else {
          throw .noMessage("it ends inside a message: “\(String(decoding: frames.rest.prefix(80), as: UTF8.self))”")
        }
        return nil
      }
      try exchange(writing: false, deadline.milliseconds(what))
    }
  }

  /// Waits for its end, reading what it says meanwhile as far as that is read.
  func waitForEnd() throws(WireError) -> ProcessEnd {
    let deadline = Deadline(guardTime)
    while true {
      // Its pipes usually close just before it ends, so the wait for the rest is short.
      let left = try deadline.milliseconds("its end")
      let isOpen = (isDrained && isOutputOpen) || areComplaintsOpen
      try exchange(writing: false, isOpen ? min(left, 20) : 1)
      if let end { return end }
      var word: Int32 = 0
      guard waitpid(spawn.pid, &word, WNOHANG) == spawn.pid else { continue }
      let end = ProcessEnd(word)
      self.end = end
      // Whatever is in the pipes now is all there will be; a grandchild may hold them open.
      while areComplaintsOpen, try exchange(writing: false, 0) {}
      return end
    }
  }

  /// Waits until bytes can be moved, and reads those that can be read; whether there were any.
  @discardableResult
  private func exchange(writing: Bool, _ milliseconds: Int32) throws(WireError) -> Bool {
    var events: [pollfd] = []
    if isDrained, isOutputOpen { events.append(pollfd(fd: spawn.output, events: Int16(POLLIN), revents: 0)) }
    if areComplaintsOpen { events.append(pollfd(fd: spawn.errors, events: Int16(POLLIN), revents: 0)) }
    if writing, isInputOpen { events.append(pollfd(fd: spawn.input, events: Int16(POLLOUT), revents: 0)) }
    let ready = poll(&events, nfds_t(events.count), milliseconds)
    guard ready >= 0 || errno == EINTR else { throw .system("poll: \(SystemText.error(errno))") }
    var hasRead = false
    for event in events where ready > 0 && event.revents != 0 && event.fd != spawn.input {
      hasRead = true
      if event.fd == spawn.output { readOutput() } else { readComplaints() }
    }
    return hasRead
  }

  /// Reads a piece of standard output.
  private func readOutput() {
    let count = read(spawn.output, space.baseAddress, space.count)
    if count > 0 {
      frames.append(UnsafeRawBufferPointer(rebasing: space[0..<count]))
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      close(spawn.output)
      isOutputOpen = false
    }
  }

  /// Reads a piece of standard error, of which the first megabytes are kept.
  private func readComplaints() {
    let count = read(spawn.errors, space.baseAddress, space.count)
    if count > 0 {
      if complaints.count < 16 << 20 { complaints += space[0..<count] }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      close(spawn.errors)
      areComplaintsOpen = false
    }
  }
}
