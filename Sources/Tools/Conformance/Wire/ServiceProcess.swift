import Spawning

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A running service: bytes go in, bytes and complaints come out, and it is certain to end when this is let go.
///
/// Nothing here blocks but `poll`, and that never longer than the hang guard.
final class ServiceProcess {
  /// The process and its pipes.
  private let process: SpawnedProcess
  /// The hang guard of every wait.
  private let guardTime: Duration
  /// Whether standard output is read.
  var isDrained = true
  /// Whether its output may end inside a message: who did not read has no claim to a whole one.
  var mayBreakOff = false
  /// What came from standard output and was not taken yet.
  private var frames: FrameReader
  /// What came from standard error.
  private(set) var complaints: [UInt8] = []
  /// Whether its standard input is open still.
  private(set) var isInputOpen = true
  /// Whether its standard output is open still.
  private(set) var isOutputOpen = true
  /// Whether its standard error is open still.
  private var areComplaintsOpen = true
  /// How it ended, once it has.
  private(set) var end: ExitStatus?

  /// Starts a command.
  init(
    _ command: [String], environment: [String: String], framing: WireFraming, guardTime: Duration
  ) throws(WireError) {
    // A service that is gone shows in what it said, not in our end.
    signal(SIGPIPE, SIG_IGN)
    frames = FrameReader(framing)
    self.guardTime = guardTime
    do throws(SpawnError) { process = try SpawnedProcess(command, environment: environment) } catch {
      throw error.isOfProgram ? .unstartable(error.description) : .system(error.description)
    }
    for descriptor in [process.input, process.output, process.error] { Descriptor.unblock(descriptor) }
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.waitForEnd()
    closeInput()
    if isOutputOpen { Descriptor.close(process.output) }
    if areComplaintsOpen { Descriptor.close(process.error) }
  }

  /// Writes bytes, in one write or in one each, while what comes out is read.
  func write(_ bytes: [UInt8], byteWise: Bool = false) throws(WireError) {
    var deadline = Deadline(guardTime)
    var at = 0
    while at < bytes.count, isInputOpen {
      let count = byteWise ? 1 : bytes.count - at
      if let written = bytes[at..<at + count].withUnsafeBytes({ Descriptor.write(process.input, $0) }) {
        at += written
        deadline = Deadline(guardTime)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        try exchange(writing: true, deadline.milliseconds("room to write \(bytes.count - at) bytes"))
      } else {
        // It does not read any more; what it said and how it ended tells why.
        closeInput()
      }
    }
  }

  /// Closes its standard input.
  func closeInput() {
    if isInputOpen { Descriptor.close(process.input) }
    isInputOpen = false
  }

  /// Sends it a signal.
  func send(_ signal: Step.Signal) { process.signal(signal == .terminate ? SIGTERM : SIGINT) }

  /// Kills it.
  func kill() { process.signal(SIGKILL) }

  /// The next message's bytes; nil at the end of its output.
  func next(_ what: String) throws(WireError) -> [UInt8]? {
    let deadline = Deadline(guardTime)
    isDrained = true
    while true {
      do throws(FrameReader.Stray) { if let message = try frames.next() { return Array(message) } } catch {
        throw .noMessage(error.description)
      }
      guard isOutputOpen else {
        let rest = frames.rest
        guard rest.isEmpty || mayBreakOff else {
          throw .noMessage("it ends inside a message: “\(String(decoding: rest.prefix(80), as: UTF8.self))”")
        }
        return nil
      }
      try exchange(writing: false, deadline.milliseconds(what))
    }
  }

  /// Waits for its end, reading what it says meanwhile as far as that is read.
  func waitForEnd() throws(WireError) -> ExitStatus {
    let deadline = Deadline(guardTime)
    while true {
      // Its pipes usually close just before it ends, so the wait for the rest is short.
      let left = try deadline.milliseconds("its end")
      let isOpen = (isDrained && isOutputOpen) || areComplaintsOpen
      try exchange(writing: false, isOpen ? min(left, 20) : 1)
      if let end { return end }
      guard let end = process.endedAs() else { continue }
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
    if isDrained, isOutputOpen { events.append(pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)) }
    if areComplaintsOpen { events.append(pollfd(fd: process.error, events: Int16(POLLIN), revents: 0)) }
    if writing, isInputOpen { events.append(pollfd(fd: process.input, events: Int16(POLLOUT), revents: 0)) }
    let ready = poll(&events, nfds_t(events.count), milliseconds)
    guard ready >= 0 || errno == EINTR else { throw .system("poll: \(SystemText.error(errno))") }
    var hasRead = false
    for event in events where ready > 0 && event.revents != 0 && event.fd != process.input {
      hasRead = true
      if event.fd == process.output { readOutput() } else { readComplaints() }
    }
    return hasRead
  }

  /// Reads a piece of standard output.
  private func readOutput() {
    let count = frames.fill { Descriptor.read(process.output, into: $0) }
    guard count == 0 || (count == nil && errno != EAGAIN) else { return }
    Descriptor.close(process.output)
    isOutputOpen = false
  }

  /// Reads a piece of standard error, of which the first megabytes are kept.
  private func readComplaints() {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = piece.withUnsafeMutableBytes { Descriptor.read(process.error, into: $0) }
    if let count, complaints.count < 16 << 20 { complaints += piece[..<count] }
    guard count == 0 || (count == nil && errno != EAGAIN) else { return }
    Descriptor.close(process.error)
    areComplaintsOpen = false
  }
}
