import DaybookProtocol
import FileStore
import JSONRPC
import Platform
import Synchronization

/// One connection: reads bytes, has the session answer them, and ends in order.
///
/// The thread that calls `run` reads. It borrows the session's executor for what has come in, so that a small request is
/// answered without a change of threads. When the client does not take its answers, requests wait in the inbox instead:
/// reading never stops.
package final class Service: Sendable {
  private let options: ServiceOptions
  private let input: Int32
  let session: Session
  let channel: OutputChannel
  private let executor: SessionExecutor
  private let inbox: Inbox
  private let log: Log
  private let isEnding = Atomic<Bool>(false)

  /// A service that reads from one descriptor and writes to another.
  package init(options: ServiceOptions, input: Int32, output: Int32) {
    let inbox = Inbox()
    let executor = SessionExecutor()
    let drained = Later<Void>()
    let ended = Later<Int32>()
    let channel = OutputChannel(descriptor: output) { drained.run(()) }
    let log = Log(options)
    let session = Session(
      options: options, channel: channel, executor: executor, inbox: inbox, log: log
    ) { ended.run($0) }
    drained.set { session.soon { $0.takeInbox() } }
    self.options = options
    self.input = input
    self.session = session
    self.channel = channel
    self.executor = executor
    self.inbox = inbox
    self.log = log
    ended.set { [weak self] status in
      guard let self else { return }
      Processes.end(end(status, status == 0 ? nil : Service.exitWithoutShutdown))
    }
  }

  private static let outputClosed = "standard output was closed"
  private static let exitWithoutShutdown = "“exit” came without “shutdown”"

  /// Reads and answers until the end, and returns the status to exit with. `beginWatching` is called once, soon: it starts a
  /// thread, for which a first message that is on its way already need not wait.
  package func run(beginWatching: () -> Void = {}) -> Int32 {
    var decoder = FrameDecoder(framing: options.framing)
    if !StandardStreams.isReadable(input, within: 20) {
      beginWatching()
    } else {
      defer { beginWatching() }
      if let status = step(&decoder) { return status }
    }
    while true {
      if let status = step(&decoder) { return status }
    }
  }

  /// Reads once and works on what came; the status to exit with, if that was the end.
  private func step(_ decoder: inout FrameDecoder) -> Int32? {
    var hasFailed = false
    let count = decoder.fill { space in
      let count = StandardStreams.read(input, into: space)
      hasFailed = count == nil
      return count ?? 0
    }
    if hasFailed { return end(1, "standard input cannot be read") }
    if count == 0 { return inputEnded(&decoder) }
    if let ending = work(&decoder) { return end(ending.status, ending.reason) }
    if channel.isBroken { return end(session.statusAtEnd, Service.outputClosed) }
    decoder.shrink()
    return nil
  }

  /// Ends the process for a reason from outside; the change in hand is finished and answered.
  package func terminate(_ reason: String) -> Never {
    Processes.end(end(session.statusAtEnd, reason))
  }

  /// Waits for signals, and watches the client's process; never returns.
  package func watch() -> Never {
    while true {
      if let signal = Signals.next() { terminate("ended by \(signal)") }
      if channel.isAbandoned { terminate(Service.outputClosed) }
      if let process = session.processWatch.vanished { terminate("the client, process \(process), is gone") }
    }
  }

  // MARK: reading

  private struct Ending {
    var status: Int32
    var reason: String?
  }

  /// Works on everything complete that was read; returns how to end, if that is what it came to.
  private func work(_ decoder: inout FrameDecoder) -> Ending? {
    // Once the end has begun nothing new is: what waits is cancelled, and what comes behind it must not take its place.
    guard !isEnding.load(ordering: .acquiring) else { return nil }
    guard inbox.isEmpty, !channel.isAboveHighWater, executor.borrow() else { return put(&decoder) }
    // The end may have begun between the two, and have cancelled what waited.
    guard !isEnding.load(ordering: .acquiring) else {
      executor.giveBack()
      return nil
    }
    // Whether something is left that would make more answers than the client takes, or comes behind a message that has to wait. By the
    // time the executor is given back that may be over, and what is left would wait for the next bytes.
    var hasStopped = false
    let (status, reason) = session.assumeIsolated { session -> (Int32?, String?) in
      while !hasStopped, session.exitStatus == nil, let event = decoder.next() {
        session.begin(decoder.framing ?? .newline)
        switch event {
        case .message(let range): hasStopped = !session.receive(decoder.bytes(range))
        case .fault(let fault): session.receive(fault)
        case .givingUp(let fault):
          session.receive(fault)
          session.flush()
          return (1, fault.message)
        }
        if session.unflushedBytes > 256 << 10 {
          session.flush()
          if channel.isAboveHighWater { hasStopped = true }
        }
      }
      session.flush()
      return (session.exitStatus, nil)
    }
    executor.giveBack()
    if let status { return Ending(status: status, reason: reason ?? (status == 0 ? nil : Service.exitWithoutShutdown)) }
    return hasStopped || channel.isAboveHighWater || !inbox.isEmpty ? put(&decoder) : nil
  }

  /// Puts everything complete that was read into the inbox.
  private func put(_ decoder: inout FrameDecoder) -> Ending? {
    while let event = decoder.next() {
      let framing = decoder.framing ?? .newline
      switch event {
      case .message(let range): put(decoder.bytes(range), framing)
      case .fault(let fault): schedule(.fault(fault), framing)
      case .givingUp(let fault):
        schedule(.fault(fault), framing)
        // What came before it is answered first, and so is the fault.
        rest(milliseconds: 2000) { [self] in inbox.isEmpty && executor.isIdle }
        return Ending(status: 1, reason: fault.message)
      }
    }
    return nil
  }

  private func put(_ text: UnsafeRawBufferPointer, _ framing: Framing) {
    // A cancellation must overtake what it cancels.
    let isFull = inbox.bytes + text.count > inbox.capacity
    if case .single(let envelope) = Envelope.classify(text) {
      if session.overtakes(envelope, text) { return }
      if envelope.kind == .request, isFull {
        let id = envelope.id.map { Array(text[$0]) } ?? []
        return schedule(.overload(id), framing)
      }
      if envelope.kind == .request, let range = envelope.id {
        let id = RequestID(lexeme: UnsafeRawBufferPointer(rebasing: text[range]))
        let isNew = inFlight(id, envelope, text)
        return schedule(.message(Array(text), isNew ? id : nil), framing)
      }
    }
    schedule(isFull ? .overload([]) : .message(Array(text), nil), framing)
  }

  /// Registers a request that waits for its turn, so that it can be cancelled meanwhile.
  private func inFlight(_ id: RequestID, _ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> Bool {
    let method = envelope.escapedMethod ?? envelope.method.map { String(decoding: text[$0], as: UTF8.self) } ?? ""
    return session.inFlight.add(id, method: method, state: .queued, since: session.now())
  }

  private func schedule(_ item: Inbox.Item, _ framing: Framing) {
    guard inbox.append(item) else { return }
    session.soon { session in
      session.begin(framing)
      session.takeInbox()
    }
  }

  // MARK: ending

  /// The client has closed its end.
  private func inputEnded(_ decoder: inout FrameDecoder) -> Int32 {
    if let event = decoder.finish() {
      switch event {
      case .message(let range): put(decoder.bytes(range), decoder.framing ?? .newline)
      case .fault(let fault), .givingUp(let fault): schedule(.fault(fault), decoder.framing ?? .newline)
      }
    }
    let isScript = options.skipsHandshake && decoder.framing != .header
    // A script wants all its answers; an editor that is gone wants the end.
    rest(milliseconds: isScript ? .max : 300) { [self] in inbox.isEmpty && executor.isIdle }
    if !isScript { session.inFlight.cancelAll() }
    session.clientRequests.close()
    rest(milliseconds: isScript ? .max : 100) { [self] in session.inFlight.isEmpty }
    guard isScript else {
      let status = session.statusAtEnd
      return end(status, status == 0 ? nil : "standard input was closed without “shutdown” and “exit”")
    }
    rest(milliseconds: .max) { [self] in session.gate.isEmpty && executor.isIdle }
    channel.flush(within: .max)
    return channel.isBroken ? end(1, Service.outputClosed) : end(0, nil)
  }

  /// How long the end waits for the last lines of the log to be in its file, in milliseconds.
  private static let logPatience = 500
  /// How long the end waits for a checkpoint that has begun, in milliseconds; one that is cut off does no harm.
  private static let checkpointPatience = 2000

  /// How long the end waits for what follows the last answers, in milliseconds.
  private static let followUpPatience = 1000

  /// Waits for a condition that other threads bring about, or (not `evenUnread`) until nobody is left to care.
  private func rest(milliseconds limit: Int, evenUnread: Bool = false, until condition: () -> Bool) {
    var left = limit
    while !condition(), left > 0, evenUnread || !channel.isBroken {
      _ = StandardStreams.isReady(-1, 0, timeout: 1)
      left -= 1
    }
  }

  /// Lets the write in hand reach the disk and the answers the client, as far as it takes them, and says why it ends.
  private func end(_ status: Int32, _ reason: String?) -> Int32 {
    // Whoever comes second has nothing left to do.
    if isEnding.exchange(true, ordering: .acquiringAndReleasing) { Parker().park() }
    let gate = session.gate
    let isOwner = executor.isIsolatingCurrentContext() == true
    rest(milliseconds: 10_000, evenUnread: true) { gate.isEmpty }
    // What follows an answer, such as a note in `flags.json`, belongs to it.
    rest(milliseconds: Service.followUpPatience, evenUnread: true) { [executor] in
      isOwner ? executor.settle() : executor.isIdle
    }
    inbox.close()
    session.inFlight.cancelAll()
    let inFlight = session.inFlight
    rest(milliseconds: 200) { inFlight.isEmpty }
    channel.flush(within: 100)
    channel.close()
    // Scripts that come and go would else never get one to its end.
    session.checkpoints.stop()
    rest(milliseconds: Service.checkpointPatience, evenUnread: true) { [session] in !session.checkpoints.isRunning }
    if status != 0, let reason { log.last("\(reason); exit status \(status)") }
    log.finish(within: Service.logPatience)
    return status
  }
}

/// Something to be done that is known later than the place that does it.
private final class Later<Argument: Sendable>: Sendable {
  private let body = Mutex<(@Sendable (Argument) -> Void)?>(nil)

  func set(_ body: @escaping @Sendable (Argument) -> Void) { self.body.withLock { $0 = body } }

  func run(_ argument: Argument) { body.withLock { $0 }?(argument) }
}
