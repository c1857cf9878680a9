import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import Synchronization

/// Holds back replies until the changes they rest on are on disk: of the write itself, and of whatever came behind it.
final class ReplyGate: Sendable {
  /// A reply that is ready but not to be sent yet.
  struct Held: Sendable {
    /// The revision that has to be durable first.
    var revision: Int
    /// Whole frames: the reply and the events that follow it.
    var frames: [UInt8]
    /// The message it answers, none for an event of its own, to answer it again if the change could not be made durable.
    var message: [UInt8]
    /// The requests these frames answer.
    var answered: [(id: RequestID, method: Method)]
    /// The requests that `start` begins to work on.
    var elsewhere: [RequestID]
    /// Whether answering again makes sense, or the frames stay right whatever becomes of the change.
    var isRepeatable: Bool
    /// What begins when the gate opens, for a read that works elsewhere.
    var start: (@Sendable () -> Void)?
  }

  private struct State {
    var held: [Held] = []
    var durable = 0
    /// How many openings are about to begin what waited for them.
    var beginning = 0
  }

  private let state = Guarded(State())
  private let channel: OutputChannel
  private let inFlight: InFlightTable
  private let opened = Atomic<Int>(0)

  init(channel: OutputChannel, inFlight: InFlightTable) {
    self.channel = channel
    self.inFlight = inFlight
  }

  /// The revision up to which everything was let through.
  var openedRevision: Int { opened.load(ordering: .acquiring) }

  /// Whether nothing is held, and everything that waited has begun.
  var isEmpty: Bool { state.withLock { $0.held.isEmpty && $0.beginning == 0 } }

  /// Whether replies wait.
  var holdsReplies: Bool { state.withLock { !$0.held.isEmpty } }

  /// Sets where it starts, for a store that has just been opened.
  func begin(at revision: Int) {
    state.withLock { state in
      state.durable = revision
      opened.store(revision, ordering: .releasing)
    }
  }

  /// Holds back what comes next until `revision` is let through again, as what it rests on is not proven to be on disk.
  func close(at revision: Int) {
    state.withLock { state in
      state.durable = min(state.durable, revision - 1)
      opened.store(state.durable, ordering: .releasing)
    }
  }

  /// Takes a reply, unless nothing holds it back any more; says whether it did.
  func hold(_ reply: Held, at now: Instant) -> Bool {
    state.withLock { state in
      guard reply.revision > state.durable || !state.held.isEmpty else { return false }
      for (id, method) in reply.answered {
        _ = inFlight.add(id, method: "\(method.name)", state: .committing, since: now)
      }
      state.held.append(reply)
      return true
    }
  }

  /// Everything up to `revision` is on disk: lets through what waited for it.
  func open(upTo revision: Int) {
    var starts: [@Sendable () -> Void] = []
    state.withLock { state in
      state.durable = max(state.durable, revision)
      let count = state.held.firstIndex { $0.revision > revision } ?? state.held.count
      var frames: [UInt8] = []
      for reply in state.held[..<count] {
        frames += reply.frames
        for (id, _) in reply.answered { inFlight.remove(id) }
        if let start = reply.start { starts.append(start) }
      }
      state.held.removeFirst(count)
      frames.withUnsafeBytes { channel.send($0) }
      opened.store(state.durable, ordering: .releasing)
      state.beginning += 1
    }
    for start in starts { start() }
    state.withLock { $0.beginning -= 1 }
  }

  /// Takes everything held back out again, for the changes did not become durable.
  func takeBack() -> [Held] {
    state.withLock { state in
      defer { state.held = [] }
      for reply in state.held {
        for (id, _) in reply.answered { inFlight.remove(id) }
        for id in reply.elsewhere { inFlight.remove(id) }
      }
      return state.held
    }
  }
}
