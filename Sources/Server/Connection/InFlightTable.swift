import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import Synchronization

/// The requests that are not answered yet and that outlive the moment they were read in: queued, running elsewhere, or
/// waiting for the disk. What is answered on the spot never enters.
final class InFlightTable: Sendable {
  struct Entry: Sendable {
    var method: String
    var state: ActivityState
    var since: Instant
    var isCancelled = false
    var order = 0
    /// Ends the work early.
    var cancel: (@Sendable () -> Void)?
  }

  private struct State {
    var entries: [RequestID: Entry] = [:]
    var order = 0
    /// The request that was taken out to be tried, and whether it was cancelled meanwhile.
    var tried: (id: RequestID, isCancelled: Bool)?
    /// Answers on their way to the channel, whose ids are free again.
    var leaving = 0

    /// What the end of the process has to wait for.
    var unfinished: Int { entries.count + leaving }
  }

  private let table = Guarded(State())
  private let size = Atomic<Int>(0)

  /// Whether no request is in flight, and no answer on its way to the channel.
  var isEmpty: Bool { size.load(ordering: .acquiring) == 0 }

  /// Registers a request; false when one with that id is in flight already.
  func add(_ id: RequestID, method: String, state: ActivityState, since: Instant) -> Bool {
    table.withLock { table in
      guard table.entries[id] == nil else { return false }
      table.order += 1
      table.entries[id] = Entry(
        method: method, state: state, since: since,
        isCancelled: table.tried?.id == id && table.tried?.isCancelled == true,
        order: table.order)
      size.store(table.unfinished, ordering: .releasing)
      return true
    }
  }

  func contains(_ id: RequestID) -> Bool { table.withLock { $0.entries[id] != nil } }

  func set(_ id: RequestID, _ state: ActivityState) { table.withLock { $0.entries[id]?.state = state } }

  /// Says how to end a request early; if it was cancelled before, that is done at once.
  func attach(_ id: RequestID, cancel: @escaping @Sendable () -> Void) {
    let isCancelled = table.withLock { table in
      table.entries[id]?.cancel = cancel
      return table.entries[id]?.isCancelled ?? false
    }
    if isCancelled { cancel() }
  }

  /// Takes a request out, and says whether it was cancelled.
  @discardableResult
  func remove(_ id: RequestID) -> Bool {
    table.withLock { table in
      let entry = table.entries.removeValue(forKey: id)
      size.store(table.unfinished, ordering: .releasing)
      return entry?.isCancelled ?? false
    }
  }

  /// Takes a request out to be tried, and says whether it was cancelled. What cancels it until `endTrying` is remembered for when it
  /// is registered again, be it because it has to wait on or because it goes on elsewhere.
  func take(_ id: RequestID) -> Bool {
    table.withLock { table in
      let entry = table.entries.removeValue(forKey: id)
      table.tried = (id, false)
      size.store(table.unfinished, ordering: .releasing)
      return entry?.isCancelled ?? false
    }
  }

  /// What was taken out is answered, or registered again.
  func endTrying() { table.withLock { $0.tried = nil } }

  /// Takes a request out and sends its answer. The id is free before the answer can be seen, and the table is not empty
  /// until it was handed over: a process that ends once nothing is in flight must not lose the last answer.
  func leave(_ id: RequestID, _ send: () -> Void) {
    table.withLock { table in
      table.entries[id] = nil
      table.leaving += 1
    }
    send()
    table.withLock { table in
      table.leaving -= 1
      size.store(table.unfinished, ordering: .releasing)
    }
  }

  /// Marks a request as cancelled. One that waits for the disk is past that; unknown ids are ignored.
  func cancel(_ id: RequestID) {
    let cancel = table.withLock { table -> (@Sendable () -> Void)? in
      if table.entries[id] == nil, table.tried?.id == id { table.tried?.isCancelled = true }
      guard let entry = table.entries[id], entry.state != .committing else { return nil }
      table.entries[id]?.isCancelled = true
      return entry.cancel
    }
    cancel?()
  }

  /// Cancels everything that can still be cancelled.
  func cancelAll() {
    let ids = table.withLock { Array($0.entries.keys) }
    for id in ids { cancel(id) }
  }

  /// All requests in flight, oldest first.
  var activities: [Activity] {
    table.withLock { table in
      table.entries.sorted { $0.value.order < $1.value.order }.map { id, entry in
        Activity(id: Token(unchecked: id.lexeme), method: entry.method, state: entry.state, since: entry.since)
      }
    }
  }
}
