import CivilTime
import DaybookProtocol
import JSON
import JSONRPC

extension TrafficState {
  /// A reply that is ready but not to be sent yet.
  struct Reply: Sendable {
    /// The revision that has to be durable first.
    var revision: Int
    /// The writing of a note that has to be over first; 0 for none.
    var note = 0
    /// Whole frames: the reply and the events that follow it.
    var frames: OutgoingPieces
    /// The message it answers, none for an event of its own, to answer it again if the change could not be made durable.
    var message: [UInt8]
    /// The requests these frames answer.
    var answered: [(id: RequestID, method: Method)]
    /// The requests that `start` begins to work on.
    var deferred: [RequestID]
    /// Whether answering again makes sense, or the frames stay right even if the change is lost.
    var isRepeatable: Bool
    /// Whether answers may pass it: an event or a request that tells nothing of records, and waits for a note alone.
    var isAside = false
    /// What begins when the reply is let through, for a read that is worked on away from the session.
    var start: (@Sendable () -> Void)?
    /// What tells of the requests when these frames leave; nil where the client wants none.
    var traces: Traces?

    /// The memory it keeps until it leaves.
    var size: Int { frames.count + message.count }

    /// All that leaves now.
    var output: OutgoingPieces {
      guard let traces else { return frames }
      var output = OutgoingFrames(framing: traces.framing)
      output.append(frames)
      for trace in traces.traces { trace.write(to: &output) }
      return output.take()
    }
  }

  /// Traces, and how they are framed.
  struct Traces: Sendable {
    let framing: Framing
    let traces: [RequestTrace]
  }

  mutating func hold(_ reply: Reply, at now: Instant) -> Bool {
    // Of events each follows the one before; an answer passes those that have nothing to do with records.
    let isBehind = reply.answered.isEmpty && reply.deferred.isEmpty ? !held.isEmpty : !held.allSatisfy(\.isAside)
    guard reply.revision > durable || reply.note > written || isBehind else { return false }
    for (id, method) in reply.answered { _ = add(id, method: "\(method.name)", state: .committing, since: now) }
    append(reply)
    return true
  }

  private mutating func append(_ reply: Reply) {
    held.append(reply)
    heldBytes += reply.size
  }

  /// Has frames that rest on nothing leave behind the replies that wait; false when none does.
  mutating func queue(_ frames: [UInt8]) -> Bool {
    guard !held.isEmpty else { return false }
    append(
      Reply(
        revision: 0, frames: OutgoingPieces(frames), message: [], answered: [], deferred: [], isRepeatable: false,
        isAside: true))
    return true
  }

  /// What to send and then to start, and whether `awaitRelease` has been met.
  typealias Opening = (frames: OutgoingPieces, starts: [@Sendable () -> Void], isReleased: Bool)

  /// Everything up to this revision is on disk: lets through what waits for nothing else.
  mutating func open(upTo revision: Int) -> Opening {
    durable = max(durable, revision)
    return release()
  }

  /// The notes up to this one are over: lets through what waits for nothing else.
  mutating func open(notes number: Int) -> Opening {
    written = max(written, number)
    return release()
  }

  private mutating func release() -> Opening {
    let passing = held.prefix { $0.revision <= durable && $0.note <= written }
    held.removeFirst(passing.count)
    for (id, _) in passing.flatMap(\.answered) { requests[id] = nil }
    beginning += 1
    let frames = passing.reduce(into: OutgoingPieces()) { $0.append($1.output) }
    return (frames, passing.compactMap(\.start), isReleased(passing))
  }

  /// Accounts for replies that are no longer held; true when `awaitRelease` has been met.
  private mutating func isReleased(_ replies: some Sequence<Reply>) -> Bool {
    heldBytes -= replies.reduce(0) { $0 + $1.size }
    guard awaitsRelease, heldBytes <= lowWater else { return false }
    awaitsRelease = false
    return true
  }

  /// Asks for `isReleased` once the held bytes have fallen to the low-water mark; false when they have.
  mutating func awaitRelease() -> Bool {
    guard heldBytes > lowWater else { return false }
    awaitsRelease = true
    return true
  }

  /// Whether no reply waits, and what became of all that waited has begun.
  var hasNoReplies: Bool { held.isEmpty && beginning == 0 }

  /// Takes the held replies back out again; until they are answered again they count as beginning. Those in front that wait for a note
  /// alone rest on nothing that is lost, and stay.
  mutating func takeBack() -> (lost: [Reply], isReleased: Bool) {
    beginning += 1
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
