import DaybookProtocol
import JSONRPC
import Platform
import Synchronization

/// The state between reading and writing on a connection: queued messages, requests in flight, and replies held until
/// they are durable. Every change happens in `change`, under one lock; its consequences run after it.
final class Traffic: Sendable {
  let state = Guarded(TrafficState())
  private let channel: OutputChannel
  private let durable = Atomic<Int>(0)
  private let written = Atomic<Int>(0)
  private let unfinished = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  /// Called on any thread when the held replies have left after `isFullForNow`.
  private let onReleased: @Sendable () -> Void

  init(channel: OutputChannel, onReleased: @escaping @Sendable () -> Void = {}) {
    self.channel = channel
    self.onReleased = onReleased
  }

  /// Runs one step under the lock, and publishes the values that are read without it.
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

  /// Bytes of replies that the client has not read, or that are held.
  var unsentBytes: Int { channel.unsentBytes + held.load(ordering: .relaxed) }

  /// Whether there are so many of them that the session produces no more output.
  var isFull: Bool { unsentBytes > OutputChannel.highWater }

  /// The same. If true, `onReleased` or the channel's `onDrained` is called once most of the replies have left.
  func isFullForNow() -> Bool { isFull && (change { $0.awaitRelease() } || channel.notifyWhenDrained()) }

  // MARK: messages that wait

  var hasMessages: Bool { state.withLock { $0.hasMessages } }

  /// Whether no message is queued, nor was taken and may be requeued.
  var isSettled: Bool { state.withLock { $0.isSettled } }

  var waitingBytes: Int { state.withLock { $0.waitingBytes } }

  /// Queues a message, and registers it if it is a request. Over capacity, queues a refusal instead. Returns true when
  /// the caller must schedule a drain.
  func enqueue(
    _ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant
  ) -> Bool {
    change { $0.enqueue(text, request, at: now) }
  }

  /// Queues the answer to bytes that are no message. Returns true when the caller must schedule a drain.
  func enqueue(_ fault: MessageFault) -> Bool { change { $0.append(.fault(fault)) } }

  /// Requeues, at the front, a message that was taken and cannot be processed yet. Returns true when the caller must
  /// schedule a retry, which calls `beginRetry`; there is one retry at a time, or each periodic drain would add
  /// another.
  @discardableResult
  func requeue(_ text: UnsafeRawBufferPointer, _ request: (id: RequestID, method: String)?, at now: Instant) -> Bool {
    change { $0.requeue(text, request, at: now) }
  }

  /// Requeues a suspended request, at the front.
  func resume(_ id: RequestID, _ text: [UInt8]) { change { $0.resume(id, text) } }

  /// The retry that `requeue` asked for has started.
  func beginRetry() { change { $0.isRetryScheduled = false } }

  /// The next item; nil when there is none, and then no drain is scheduled. A cancellation of the request until
  /// `endAttempt` is remembered for its next registration.
  func next() -> TrafficState.Item? { change { $0.next() } }

  /// Notes that the request taken last is answered, or registered again.
  func endAttempt() { change { $0.attempt = nil } }

  /// Refuses further messages: the queued ones are about to be cancelled, and later ones must not run without them.
  func closeInbox() { change { $0.isClosed = true } }

  // MARK: requests that are not answered yet

  /// Whether no request is in flight, and no reply is being handed to the channel.
  var hasNoRequests: Bool { unfinished.load(ordering: .acquiring) == 0 }

  /// Registers a request; false when one with that id is in flight.
  func add(_ id: RequestID, method: String, state: ActivityState, since: Instant) -> Bool {
    change { $0.add(id, method: method, state: state, since: since) }
  }

  /// Claims progress tokens for a request; false when another request has one of them.
  func claim(_ tokens: [Token], for id: RequestID) -> Bool {
    tokens.isEmpty || change { $0.claim(tokens, for: id) }
  }

  func contains(_ id: RequestID) -> Bool { state.withLock { $0.requests[id] != nil } }

  func set(_ id: RequestID, _ activity: ActivityState) { change { $0.requests[id]?.state = activity } }

  /// Sets how to cancel a request; cancels at once if it was cancelled before.
  func attach(_ id: RequestID, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = change { state in
      state.requests[id]?.cancel = cancel
      return state.requests[id]?.isCancelled ?? false
    }
    if isCancelled { cancel() }
  }

  /// Removes a request, and returns whether it was cancelled.
  @discardableResult
  func remove(_ id: RequestID) -> Bool { change { $0.requests.removeValue(forKey: id)?.isCancelled ?? false } }

  /// Removes a request and sends its reply. The id is free before the reply can be seen, and the request counts as in
  /// flight until the reply is handed over: a process that ends when nothing is in flight must not lose the last reply.
  func complete(_ id: RequestID, _ send: () -> Void) {
    change { state in
      state.requests[id] = nil
      state.outgoingReplies += 1
    }
    send()
    change { $0.outgoingReplies -= 1 }
  }

  /// Cancels a request. One whose change is being committed can no longer be cancelled; unknown ids are ignored.
  func cancel(_ id: RequestID) { change { $0.cancel(id) }?() }

  func cancelAll() {
    for id in state.withLock({ Array($0.requests.keys) }) { cancel(id) }
  }

  var activities: [Activity] { state.withLock { $0.activities } }

  // MARK: replies that wait for the disk

  /// The revision up to which replies are released.
  var releasedRevision: Int { durable.load(ordering: .acquiring) }

  /// The number of the note up to which replies are released.
  var releasedNote: Int { written.load(ordering: .acquiring) }

  /// Whether no reply is held, and every released one has started its follow-ups.
  var hasNoReplies: Bool { state.withLock { $0.hasNoReplies } }

  /// Whether no reply is held and no request is in flight, at one moment: a withdrawn reply that is answered again is
  /// first the one and then the other.
  var isQuiet: Bool { state.withLock { $0.hasNoReplies && $0.unfinishedRequests == 0 } }

  var holdsReplies: Bool { state.withLock { !$0.held.isEmpty } }

  /// Sets the durable revision of a store that has just been opened, which may replace another.
  func begin(at revision: Int) { change { $0.begin(at: revision) } }

  /// Holds the replies from `revision` on until it is released again, because the state they depend on is not proven to
  /// be on disk.
  func close(at revision: Int) { change { $0.durable = min($0.durable, revision - 1) } }

  /// Holds a reply; false when nothing holds it back.
  func hold(_ reply: TrafficState.Reply, at now: Instant) -> Bool { change { $0.hold(reply, at: now) } }

  /// Sends frames that depend on nothing, after the held replies.
  func send(_ frames: [UInt8]) {
    if !change({ $0.queue(frames) }) { frames.withUnsafeBytes { channel.send($0) } }
  }

  /// Everything up to `revision` is durable: releases the replies that waited for it.
  func open(upTo revision: Int) { release { $0.open(upTo: revision) } }

  /// The notes up to `number` are written, or have failed: releases the replies that waited for them.
  func open(notes number: Int) { release { $0.open(notes: number) } }

  private func release(_ open: (inout TrafficState) -> TrafficState.Release) {
    let (turn, starts, isReleased) = change { state in
      let opened = open(&state)
      // Queued before anybody can see that the replies are released.
      return (channel.queue(opened.frames), opened.starts, opened.isReleased)
    }
    channel.finish(turn)
    for start in starts { start() }
    change { $0.runningReleases -= 1 }
    if isReleased { onReleased() }
  }

  /// Withdraws the replies that depend on changes which did not become durable, and has each of them answered again.
  func withdraw(_ answer: (TrafficState.Reply) -> Void) {
    let (lost, isReleased) = change { $0.withdraw() }
    for reply in lost { answer(reply) }
    change { $0.runningReleases -= 1 }
    if isReleased { onReleased() }
  }
}
