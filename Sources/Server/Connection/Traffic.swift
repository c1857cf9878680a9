import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import Synchronization

/// What lies between reading and writing on a connection: messages that wait for their turn, requests that are not answered yet, and
/// replies that wait for the disk. All of it changes in `change`, under one lock; what follows outside is done after it.
final class Traffic: Sendable {
  let state = Guarded(TrafficState())
  private let channel: OutputChannel
  private let durable = Atomic<Int>(0)
  private let written = Atomic<Int>(0)
  private let unfinished = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  /// Called, from any thread, when the held replies have left after `isFullForNow`.
  private let onReleased: @Sendable () -> Void

  init(channel: OutputChannel, onReleased: @escaping @Sendable () -> Void = {}) {
    self.channel = channel
    self.onReleased = onReleased
  }

  /// Makes one change, and publishes what is read without the lock.
  private func change<Value: Sendable>(_ body: (inout TrafficState) -> Value) -> Value {
    state.withLock { state in
      defer {
        durable.store(state.durable, ordering: .releasing)
        written.store(state.written, ordering: .releasing)
        unfinished.store(state.unfinishedRequests, ordering: .releasing)
        held.store(state.heldBytes, ordering: .relaxed)
      }
      return body(&state)
    }
  }

  // MARK: flow control

  /// Bytes of answers that the client has not read, or that wait for the disk.
  var unsentBytes: Int { channel.unsentBytes + held.load(ordering: .relaxed) }

  /// Whether those are so many that the session stops making more.
  var isFull: Bool { unsentBytes > OutputChannel.highWater }

  /// The same. If true, `onReleased` or the channel's `onDrained` is called once most of the answers have left.
  func isFullForNow() -> Bool { isFull && (change { $0.awaitRelease() } || channel.tellWhenDrained()) }

  // MARK: messages that wait

  var hasMessages: Bool { state.withLock { $0.hasMessages } }

  /// Whether no message waits, or was taken and may be put back.
  var isSettled: Bool { state.withLock { $0.isSettled } }

  /// Bytes of messages waiting.
  var waitingBytes: Int { state.withLock { $0.waitingBytes } }

  /// Has a message wait for its turn, registered if it is a request; one for which there is no room is going to be refused. True when
  /// the caller has to have the messages taken.
  func enqueue(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    change { $0.enqueue(text, request, at: now) }
  }

  /// Has bytes that are no message wait for their answer. True when the caller has to have them taken.
  func enqueue(_ fault: MessageFault) -> Bool { change { $0.append(.fault(fault)) } }

  /// Puts a message back in front that was taken and cannot be worked on yet. True when the caller has to have it taken
  /// again a little later, after `beginRetry`; one retry at a time, or those who look from time to time would add one each time.
  @discardableResult
  func putBack(_ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant) -> Bool {
    change { $0.putBack(text, request, at: now) }
  }

  /// Has a request that was put aside have its turn again, before the messages that wait.
  func resume(_ id: RequestID, _ text: [UInt8]) { change { $0.resume(id, text) } }

  /// The retry that `putBack` asked for has come.
  func beginRetry() { change { $0.awaitsRetry = false } }

  /// The next item; nil, and nobody scheduled any more, when there is none. A cancellation of the request that comes until `endTrying`
  /// is remembered for when it is registered again.
  func next() -> TrafficState.Item? { change { $0.next() } }

  /// The request taken last is answered, or registered again.
  func endTrying() { change { $0.tried = nil } }

  /// Lets no message in any more: the waiting ones are going to be cancelled, and those behind them must not be done without them.
  func closeToMessages() { change { $0.isClosed = true } }

  // MARK: requests that are not answered yet

  /// Whether no request is in flight, and no answer on its way to the channel.
  var hasNoRequests: Bool { unfinished.load(ordering: .acquiring) == 0 }

  /// Registers a request; false when one with that id is in flight already.
  func add(_ id: RequestID, method: String, state: ActivityState, since: Instant) -> Bool {
    change { $0.add(id, method: method, state: state, since: since) }
  }

  /// Has a request report under some tokens; false when another one does that under one of them.
  func take(_ tokens: [Token], for id: RequestID) -> Bool {
    tokens.isEmpty || change { $0.take(tokens, for: id) }
  }

  func contains(_ id: RequestID) -> Bool { state.withLock { $0.requests[id] != nil } }

  func set(_ id: RequestID, _ activity: ActivityState) { change { $0.requests[id]?.state = activity } }

  /// Says how to end a request early; if it was cancelled before, that is done at once.
  func attach(_ id: RequestID, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = change { state in
      state.requests[id]?.cancel = cancel
      return state.requests[id]?.isCancelled ?? false
    }
    if isCancelled { cancel() }
  }

  /// Takes a request out, and says whether it was cancelled.
  @discardableResult
  func remove(_ id: RequestID) -> Bool { change { $0.requests.removeValue(forKey: id)?.isCancelled ?? false } }

  /// Takes a request out and sends its answer. The id is free before the answer can be seen, and a request counts as in flight
  /// until its answer was handed over: a process that ends once nothing is in flight must not lose the last answer.
  func leave(_ id: RequestID, _ send: () -> Void) {
    change { state in
      state.requests[id] = nil
      state.leaving += 1
    }
    send()
    change { $0.leaving -= 1 }
  }

  /// Marks a request as cancelled. One that waits for the disk is past that; unknown ids are ignored.
  func cancel(_ id: RequestID) { change { $0.cancel(id) }?() }

  /// Cancels everything that can still be cancelled.
  func cancelAll() {
    for id in state.withLock({ Array($0.requests.keys) }) { cancel(id) }
  }

  /// All requests in flight, oldest first.
  var activities: [Activity] { state.withLock { $0.activities } }

  // MARK: replies that wait for the disk

  /// The revision up to which replies are let through.
  var openedRevision: Int { durable.load(ordering: .acquiring) }

  /// The number of the note up to which replies are let through.
  var openedNote: Int { written.load(ordering: .acquiring) }

  /// Whether no reply waits, and the work of all that waited has begun.
  var hasNoReplies: Bool { state.withLock { $0.hasNoReplies } }

  /// Whether no reply waits and no request is in flight, at one moment: what is taken back and answered again is the one and then the
  /// other.
  var isQuiet: Bool { state.withLock { $0.hasNoReplies && $0.unfinishedRequests == 0 } }

  /// Whether replies wait.
  var holdsReplies: Bool { state.withLock { !$0.held.isEmpty } }

  /// Sets where it starts, for a store that has just been opened.
  func begin(at revision: Int) { change { $0.durable = revision } }

  /// Holds back what comes next until `revision` is let through again, as what it rests on is not proven to be on disk.
  func close(at revision: Int) { change { $0.durable = min($0.durable, revision - 1) } }

  /// Takes a reply, unless nothing holds it back any more; says whether it did.
  func hold(_ reply: TrafficState.Reply, at now: Instant) -> Bool { change { $0.hold(reply, at: now) } }

  /// Sends frames that rest on nothing, behind the replies that wait.
  func send(_ frames: [UInt8]) {
    if !change({ $0.queue(frames) }) { frames.withUnsafeBytes { channel.send($0) } }
  }

  /// Everything up to `revision` is on disk: lets through what waited for it.
  func open(upTo revision: Int) { release { $0.open(upTo: revision) } }

  /// The notes up to this one are written, or could not be: lets through what waited for them.
  func open(notes number: Int) { release { $0.open(notes: number) } }

  private func release(_ open: (inout TrafficState) -> TrafficState.Opening) {
    let (turn, starts, isReleased) = change { state in
      let opened = open(&state)
      // They have their place before anybody can see that the way is free.
      return (channel.queue(opened.frames), opened.starts, opened.isReleased)
    }
    channel.finish(turn)
    for start in starts { start() }
    change { $0.beginning -= 1 }
    if isReleased { onReleased() }
  }

  /// Takes the replies that rest on changes which did not become durable back out again, and has each of them answered again.
  func takeBack(_ answer: (TrafficState.Reply) -> Void) {
    let (lost, isReleased) = change { $0.takeBack() }
    for reply in lost { answer(reply) }
    change { $0.beginning -= 1 }
    if isReleased { onReleased() }
  }
}
