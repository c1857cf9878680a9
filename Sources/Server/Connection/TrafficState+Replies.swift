import DaybookProtocol
import JSONRPC

extension TrafficState {
  /// A reply that is complete but held.
  struct Reply: Sendable {
    /// The revision that must be durable first.
    var revision: Int
    /// The note that must be written first; 0 for none.
    var note = 0
    /// Whole frames: the reply and the events that follow it.
    var frames: OutgoingPieces
    /// The message it answers, to answer it again if the change does not become durable; empty for an event.
    var message: [UInt8]
    var answered: [(id: RequestID, method: Method)]
    /// The requests whose work `start` begins.
    var deferred: [RequestID]
    /// Whether the message is answered again after a failed commit; otherwise the frames stay valid without the change.
    var isRepeatable: Bool
    /// Whether replies may overtake it: an event or request that concerns no records, and waits for a note alone.
    var mayBeOvertaken = false
    /// Runs on release: follow-ups, or the work of a request off the session.
    var start: (@Sendable () -> Void)?
    /// The trace messages to send with these frames; nil when the client wants none.
    var traces: Traces?

    /// The memory it occupies while it is held, in bytes.
    var size: Int { frames.count + message.count }

    /// The frames to send now, with the trace messages.
    var output: OutgoingPieces {
      guard let traces else { return frames }
      var output = OutgoingFrames(framing: traces.framing)
      output.append(frames)
      for trace in traces.traces { trace.write(to: &output) }
      return output.take()
    }
  }

  struct Traces: Sendable {
    let framing: Framing
    let traces: [RequestTrace]
  }

  mutating func hold(_ reply: Reply, at now: Instant) -> Bool {
    // Events keep their order; a reply overtakes those that have nothing to do with records.
    let isBehind = reply.answered.isEmpty && reply.deferred.isEmpty ? !held.isEmpty : !held.allSatisfy(\.mayBeOvertaken)
    guard reply.revision > durable || reply.note > written || isBehind else { return false }
    for (id, method) in reply.answered { _ = add(id, method: "\(method.name)", state: .committing, since: now) }
    append(reply)
    return true
  }

  private mutating func append(_ reply: Reply) {
    held.append(reply)
    heldBytes += reply.size
  }

  /// Queues frames that depend on nothing after the held replies; false when none is held.
  mutating func queue(_ frames: [UInt8]) -> Bool {
    guard !held.isEmpty else { return false }
    append(
      Reply(
        revision: 0, frames: OutgoingPieces(frames), message: [], answered: [], deferred: [], isRepeatable: false,
        mayBeOvertaken: true))
    return true
  }

  /// What to send and then to start, and whether `awaitRelease` was met.
  typealias Release = (frames: OutgoingPieces, starts: [@Sendable () -> Void], isReleased: Bool)

  /// A store with this durable revision is open. Replies that rest on durable revisions of the store that it replaces,
  /// and wait for a note alone, do not wait for those revisions again. Nothing is released: what waits for a proof goes
  /// on waiting for it.
  mutating func begin(at revision: Int) {
    for index in held.indices where held[index].revision <= durable { held[index].revision = 0 }
    durable = revision
  }

  /// Everything up to `revision` is durable: releases the replies that wait for nothing else.
  mutating func open(upTo revision: Int) -> Release {
    durable = max(durable, revision)
    return releaseReady()
  }

  /// The notes up to `number` are written: releases the replies that wait for nothing else.
  mutating func open(notes number: Int) -> Release {
    written = max(written, number)
    return releaseReady()
  }

  private mutating func releaseReady() -> Release {
    let passing = held.prefix { $0.revision <= durable && $0.note <= written }
    held.removeFirst(passing.count)
    for (id, _) in passing.flatMap(\.answered) { requests[id] = nil }
    runningReleases += 1
    let frames = passing.reduce(into: OutgoingPieces()) { $0.append($1.output) }
    return (frames, passing.compactMap(\.start), isReleased(passing))
  }

  /// Accounts for replies that are no longer held; true when `awaitRelease` was met.
  private mutating func isReleased(_ replies: some Sequence<Reply>) -> Bool {
    heldBytes -= replies.reduce(0) { $0 + $1.size }
    guard awaitsRelease, heldBytes <= lowWater else { return false }
    awaitsRelease = false
    return true
  }

  /// Requests `isReleased` once the held bytes have fallen to the low-water mark; false when they have.
  mutating func awaitRelease() -> Bool {
    guard heldBytes > lowWater else { return false }
    awaitsRelease = true
    return true
  }

  /// Whether no reply is held, and every release has started its follow-ups.
  var hasNoReplies: Bool { held.isEmpty && runningReleases == 0 }

  /// Withdraws the held replies; until they are answered again they count as a running release. Those at the front that
  /// wait for a note alone depend on nothing that is lost, and stay.
  mutating func withdraw() -> (lost: [Reply], isReleased: Bool) {
    runningReleases += 1
    let waitsForNote = held.first.map { $0.revision <= durable && $0.note > written } ?? false
    let kept = waitsForNote ? held.prefix { $0.revision <= durable } : []
    let lost = Array(held[kept.count...])
    for reply in lost {
      for (id, _) in reply.answered { requests[id] = nil }
      for id in reply.deferred { requests[id] = nil }
    }
    held.removeLast(lost.count)
    return (lost, isReleased(lost))
  }
}
