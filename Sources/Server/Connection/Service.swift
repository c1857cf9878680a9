import DaybookProtocol
import JSONRPC
import Platform
import Synchronization

/// One connection: reads bytes, has the session answer them, and ends cleanly.
///
/// The thread that calls `run` reads. It borrows the session's executor to process what it has read, so a small request
/// is answered without a thread switch. While the client does not read its replies, or the disk holds them up,
/// requests are queued in `Traffic` instead: reading never stops.
package final class Service: Sendable {
  let options: ServiceOptions
  private let input: Int32
  let session: Session
  let channel: OutputChannel
  let executor: SessionExecutor
  let traffic: Traffic
  let log: Log
  let isEnding = Atomic<Bool>(false)
  /// Whether “exit” is queued: the client ends cleanly, and expects the replies to its earlier requests.
  let hasExitWaiting = Atomic<Bool>(false)
  let hasShutdownWaiting = Atomic<Bool>(false)

  package init(options: ServiceOptions, input: Int32, output: Int32) {
    let executor = SessionExecutor()
    let drained = DeferredHandler<Void>()
    let ended = DeferredHandler<Int32>()
    let channel = OutputChannel(descriptor: output) { drained.run(()) }
    let traffic = Traffic(channel: channel) { drained.run(()) }
    let log = Log(options)
    let session = Session(
      options: options, channel: channel, executor: executor, traffic: traffic, log: log
    ) { ended.run($0) }
    drained.set { [weak session] in
      guard let session else { return }
      session.enqueue { $0.drainMessages() }
      session.workTurns.admit()
    }
    self.options = options
    self.input = input
    self.session = session
    self.channel = channel
    self.executor = executor
    self.traffic = traffic
    self.log = log
    ended.set { [weak self] status in
      guard let self else { return }
      Processes.end(end(status, status == 0 ? nil : Service.exitWithoutShutdown))
    }
  }

  deinit { executor.end() }

  static let outputClosed = "standard output was closed"
  static let exitWithoutShutdown = "“exit” came without “shutdown”"

  /// Reads and answers until the end, and returns the exit status. `beginWatching` is called once, shortly after the
  /// start: it starts a thread, and a first message that has already arrived need not wait for that.
  package func run(beginWatching: () -> Void = {}) -> Int32 {
    var decoder = FrameDecoder(framing: options.framing)
    if !StandardStreams.isReadable(input, within: 20) {
      beginWatching()
    } else {
      defer { beginWatching() }
      if let status = readOnce(&decoder) { return status }
    }
    while true {
      if let status = readOnce(&decoder) { return status }
    }
  }

  /// Reads once and processes the input; returns the exit status if that was the end.
  private func readOnce(_ decoder: inout FrameDecoder) -> Int32? {
    var hasFailed = false
    let count = decoder.fill { space in
      let count = StandardStreams.read(input, into: space)
      hasFailed = count == nil
      return count ?? 0
    }
    if hasFailed { return end(1, "standard input cannot be read") }
    if count == 0 { return inputEnded(&decoder) }
    if let ending = process(&decoder) { return end(ending.status, ending.reason) }
    if channel.isBroken { return end(session.host.statusAtEnd, Service.outputClosed) }
    decoder.shrink()
    return nil
  }

  /// Ends the process for an external reason; the current change is finished and answered first.
  package func terminate(_ reason: String) -> Never {
    Processes.end(end(session.host.statusAtEnd, reason))
  }

  /// Waits for signals, watches the client's process, and periodically retries queued work; never returns.
  package func watch() -> Never {
    #if DEBUG
      var stalls = StallWatch()
    #endif
    while true {
      session.retryWaiting()
      #if DEBUG
        let (now, processor) = (Clock.monotonicNanoseconds(), Clock.processorNanoseconds())
        if let report = stalls.check(self, now: now, processor: processor) {
          log.error(.session, "\(public: report)")
        }
      #endif
      if let signal = Signals.next() { terminate("ended by \(signal)") }
      if channel.isAbandoned { terminate(Service.outputClosed) }
      if let process = session.host.endedClient { terminate("the client, process \(process), is gone") }
    }
  }

  // MARK: reading

  private typealias Ending = (status: Int32, reason: String?)

  /// Processes every complete event that was read; returns how to end, if the connection ends with it.
  private func process(_ decoder: inout FrameDecoder) -> Ending? {
    // Once the end has begun, queued messages are cancelled; later ones must not run instead of them.
    guard !isEnding.load(ordering: .acquiring) else { return nil }
    guard traffic.isSettled, !traffic.isFull, executor.borrow() else { return queue(&decoder) }
    // The end may have begun between the two checks, and have cancelled the queued messages.
    guard !isEnding.load(ordering: .acquiring) else {
      executor.release()
      return nil
    }
    // Whether input is left to queue: too many replies are unsent, or the input follows a message that has
    // to wait. That condition may have ended when the executor is released, but the rest must not wait for the next
    // bytes.
    var hasStopped = false
    let (status, reason) = session.assumeIsolated { session -> (Int32?, String?) in
      while !hasStopped, session.client.exitStatus == nil, let event = decoder.next() {
        session.setFraming(decoder.framing ?? .newline)
        switch event {
        case .message(let range): hasStopped = !session.receive(decoder.bytes(range))
        case .fault(let fault): session.receive(fault)
        case .givingUp(let fault):
          session.receive(fault)
          session.flush()
          return (1, fault.message)
        }
        if session.unflushedBytes > 256 << 10 { session.flush() }
        if traffic.isFull { hasStopped = true }
      }
      session.flush()
      return (session.client.exitStatus, nil)
    }
    executor.release()
    if let status { return (status, reason ?? (status == 0 ? nil : Service.exitWithoutShutdown)) }
    return hasStopped || traffic.isFull || !traffic.isSettled ? queue(&decoder) : nil
  }

  /// Queues every complete event that was read.
  private func queue(_ decoder: inout FrameDecoder) -> Ending? {
    while let event = decoder.next() {
      let framing = decoder.framing ?? .newline
      switch event {
      case .message(let range): queue(decoder.bytes(range), framing)
      case .fault(let fault): schedule(framing, traffic.enqueue(fault))
      case .givingUp(let fault):
        schedule(framing, traffic.enqueue(fault))
        // Earlier messages are answered first, then the fault.
        wait(milliseconds: 2000) { [self] in traffic.isSettled && executor.isIdle }
        return (1, fault.message)
      }
    }
    return nil
  }

  /// Queues a message, and registers a request so that it can be cancelled while it is queued.
  func queue(_ text: UnsafeRawBufferPointer, _ framing: Framing) {
    var request: (id: RequestID, method: String)?
    if case .single(let incoming) = Message(text) {
      // A cancellation must overtake the request that it cancels.
      if session.overtakes(incoming) { return }
      switch incoming.method {
      case .shutdown: hasShutdownWaiting.store(true, ordering: .relaxed)
      case .exit: if !hasExitWaiting.exchange(true, ordering: .relaxed) { endIfStalled() }
      default: break
      }
      if incoming.envelope.kind == .request, let id = incoming.requestID { request = (id, incoming.methodName) }
    }
    schedule(framing, traffic.enqueue(text, request, at: session.now()))
  }

  /// Has the session drain the queue, if `isNeeded`.
  func schedule(_ framing: Framing, _ isNeeded: Bool) {
    guard isNeeded else { return }
    session.enqueue { session in
      session.setFraming(framing)
      session.drainMessages()
    }
  }
}

/// A closure that is set after the objects that call it were made.
final class DeferredHandler<Argument: Sendable>: Sendable {
  private let body = Mutex<(@Sendable (Argument) -> Void)?>(nil)

  func set(_ body: @escaping @Sendable (Argument) -> Void) { self.body.withLock { $0 = body } }

  func run(_ argument: Argument) { body.withLock { $0 }?(argument) }
}
