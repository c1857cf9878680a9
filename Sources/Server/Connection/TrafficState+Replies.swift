import CivilTime
import DaybookProtocol
import JSON
import JSONRPC

extension TrafficState {
  /// A reply that is ready but not to be sent yet.
  struct Reply: Sendable {
    /// The revision that has to be durable first.
    var revision: Int
    /// Whole frames: the reply and the events that follow it.
    var frames: [UInt8]
    /// The message it answers, none for an event of its own, to answer it again if the change could not be made durable.
    var message: [UInt8]
    /// The requests these frames answer.
    var answered: [(id: RequestID, method: Method)]
    /// The requests that `start` begins to work on.
    var deferred: [RequestID]
    /// Whether answering again makes sense, or the frames stay right even if the change is lost.
    var isRepeatable: Bool
    /// What begins when the reply is let through, for a read that is worked on away from the session.
    var start: (@Sendable () -> Void)?
    /// What tells of the requests when these frames leave; nil where the client wants none.
    var traces: Traces?

    /// All that leaves now.
    var output: [UInt8] {
      guard let traces else { return frames }
      var output = OutgoingFrames(framing: traces.framing)
      for trace in traces.traces { trace.write(to: &output) }
      return frames + output.writer.buffer
    }
  }

  /// Traces, and how they are framed.
  struct Traces: Sendable {
    let framing: Framing
    let traces: [RequestTrace]
  }

  mutating func hold(_ reply: Reply, at now: Instant) -> Bool {
    guard reply.revision > durable || !held.isEmpty else { return false }
    for (id, method) in reply.answered { _ = add(id, method: "\(method.name)", state: .committing, since: now) }
    held.append(reply)
    return true
  }

  /// Lets through what waits for a revision up to this one; returns what is to be sent, and then begun.
  mutating func open(upTo revision: Int) -> (frames: [UInt8], starts: [@Sendable () -> Void]) {
    durable = max(durable, revision)
    let passing = held.prefix { $0.revision <= revision }
    held.removeFirst(passing.count)
    for (id, _) in passing.flatMap(\.answered) { requests[id] = nil }
    beginning += 1
    return (passing.flatMap(\.output), passing.compactMap(\.start))
  }

  /// Whether no reply waits, and what became of all that waited has begun.
  var hasNoReplies: Bool { held.isEmpty && beginning == 0 }

  /// Takes every held reply back out again; until they are answered again they count as beginning.
  mutating func takeBack() -> [Reply] {
    beginning += 1
    for reply in held {
      for (id, _) in reply.answered { requests[id] = nil }
      for id in reply.deferred { requests[id] = nil }
    }
    defer { held = [] }
    return held
  }
}
