import CivilTime
import FileStore
import SyncRules
import Values

extension Replica {
  /// Something to send: the lines of one batch, the versions that they say, and, when it says a part of everything,
  /// where that arrives.
  package struct Sending: Sendable {
    package var lines: [SyncLine] = []
    package var versions: [EntityKey: SyncVersion] = [:]
    package var everything: DeviceState.Everything?
    /// Whether everything has been said with it.
    package var endsEverything = false
  }

  /// The records whose rows a pass sends, in the order of the outbox, cut into batches.
  package func pending(_ entries: [OutboxEntry], _ trigger: PassTrigger) throws(StoreError) -> [Sending] {
    var due: [EntityKey: OutboxEntry] = [:]
    for entry in entries where entry.isPending && entry.row.isDue(in: trigger) { due[entry.key] = entry }
    var rows: [(entry: OutboxEntry, record: SyncedRecord, priority: Int)] = []
    SyncedState(try store.snapshot, collections).forEach(due.keys) { key, record in
      if let entry = due[key], let collection = collections(key.collection) {
        rows.append((entry, record, collection.priority))
      }
    }
    rows.sort { left, right in
      OutboxRow.isSent(
        (left.record.isDeleted, left.priority, left.entry.row.position),
        before: (right.record.isDeleted, right.priority, right.entry.row.position))
    }
    var batches: [Sending] = []
    var (count, size) = (0, 0)
    for row in rows {
      let line = SyncLine(row.entry.key, row.record)
      let bytes = line.size
      // What has failed goes in smaller and smaller batches, so that one bad record does not exhaust the others.
      let lines = max(1, limits.batchLines >> (2 * row.entry.row.retryCount))
      if batches.isEmpty || count >= lines || size + bytes > limits.batchBytes {
        batches.append(Sending())
        (count, size) = (0, 0)
      }
      count += 1
      size += bytes
      batches[batches.count - 1].lines.append(line)
      batches[batches.count - 1].versions[line.key] = collections(line.key.collection)?.policy.version(of: line.record)
    }
    return batches
  }

  /// The next part of everything.
  package func next(of everything: DeviceState.Everything) throws(StoreError) -> Sending {
    let snapshot = try store.snapshot
    var present = SyncedState(snapshot, collections)
    var (sending, at, size) = (Sending(), everything, 0)
    for name in snapshot.collections where collections(name) != nil {
      if let begun = at.collection, name.rawValue < begun.rawValue { continue }
      if at.collection != name { (at.collection, at.position) = (name, nil) }
      var isFull = false
      snapshot.forEachRecord(in: name, after: at.position) { stored in
        let stored = copy stored
        let key = EntityKey(name, stored.id)
        if let record = present.record(key, stored) { size += sending.add(SyncLine(key, record)) }
        at.position = stored.position
        isFull = size >= limits.bytesOfEverything
        return !isFull
      }
      if isFull {
        sending.everything = at
        return sending
      }
    }
    // Deletions are few, and short, and so are records that cannot be read.
    snapshot.forEachRecord(in: SyncedState.collection) { stored in
      if let line = (copy stored).object.flatMap({ SyncLine($0) }) { _ = sending.add(line) }
      return true
    }
    sending.endsEverything = true
    return sending
  }

  /// The present versions of records, to say them again.
  package func present(_ keys: [EntityKey]) throws(StoreError) -> Sending {
    var sending = Sending()
    SyncedState(try store.snapshot, collections).forEach(keys) { _ = sending.add(SyncLine($0, $1)) }
    sending.lines.sort { $0.key < $1.key }
    return sending
  }

  /// Notes that the head of an intent is there: rows whose record is still what was sent are marked so.
  package func finish(_ intent: DeviceState.Intent, _ state: DeviceState) throws(StoreError) -> DeviceState {
    var state = state
    (state.head, state.intent, state.counter) = (intent.head, nil, intent.head.counter)
    let saidEverything = state.everything != nil && intent.everything == nil
    (state.everything, state.verifiedAt) = (intent.everything, state.verifiedAt ?? now())
    if saidEverything, state.firstCounter == nil { state.firstCounter = intent.head.counter }
    var sent: [OutboxEntry] = []
    let entries = try entries(of: intent.sent.keys)
    SyncedState(try store.snapshot, collections).forEach(intent.sent.keys) { key, record in
      guard var entry = entries[key], entry.isPending,
        collections(key.collection)?.policy.version(of: record) == intent.sent[key]
      else { return }
      entry.sent = OutboxEntry.Sent(stream: intent.head.stream, counter: intent.head.counter)
      entry.row.retry()
      sent.append(entry)
    }
    let operations: [Operation] = sent.sorted { $0.key < $1.key }.map { .keep($0, at: now()) }
    try commit(operations + (try deletionsOfMirroredRows(in: intent)) + [keep(state)], "sync/now")
    return state
  }

  /// Notes that rows were handed to the remote, and were not taken.
  func fail(_ keys: some Sequence<EntityKey> & Sendable, _ message: String) throws(StoreError) {
    var operations: [Operation] = []
    for var entry in try entries(of: keys).values.sorted(by: { $0.key < $1.key }) where entry.isPending {
      entry.row.failed(message, at: now())
      operations.append(.keep(entry, at: now()))
    }
    try commit(operations, "sync/now")
  }

  /// Has rows sent again that have failed.
  ///
  /// - Parameter keys: Nil for all.
  package func retry(_ keys: Set<EntityKey>? = nil) throws(StoreError) {
    var operations: [Operation] = []
    for var entry in try entries() where entry.row.retryCount > 0 && keys?.contains(entry.key) ?? true {
      entry.row.retry()
      operations.append(.keep(entry, at: now()))
    }
    try commit(operations, "sync/retry")
  }

  /// How long a sent row stays for a device that is not heard of, in milliseconds: 90 days.
  private static let longestWait: Int64 = 90 * 86_400_000

  /// Drops the rows that every head that counts has seen.
  package func prune(_ heads: [StreamHead], _ state: DeviceState) throws(StoreError) {
    let marks = heads.marks(with: state.marks)
    var operations: [Operation] = []
    let oldest = now().advanced(by: -Replica.longestWait)
    for (entry, at) in try datedEntries() {
      guard let sent = entry.sent else { continue }
      let isSeen = heads.allSatisfy { head in
        head.stream == sent.stream || head.counter <= marks[head.stream] ?? 0
          || head.seen[sent.stream] ?? 0 >= sent.counter
      }
      if isSeen || at < oldest { operations.append(.delete(OutboxEntry.collection, id: entry.key.bookkeepingID)) }
    }
    try commit(operations, "sync/now")
  }
}

extension Replica.Sending {
  /// Adds a line, and returns its size.
  fileprivate mutating func add(_ line: SyncLine) -> Int {
    lines.append(line)
    return line.size
  }
}
