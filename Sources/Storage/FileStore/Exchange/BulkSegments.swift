import Platform

/// Writes the segments of a large import on several threads.
struct BulkSegments: Sendable {
  let content: ImportContent
  let snapshot: Snapshot
  let folder: StoreFolder
  let plan: ImportPlan
  /// The lines to put, by month, in order of positions.
  let new: [SegmentKey: [ImportLine]]
  let revision: Int
  let count: Int
  let monitor: WorkMonitor
  let removed: Set<RecordName>
  let digests: [Digest]

  private final class Outcome: Sendable {
    let state: Guarded<(written: [SegmentKey: SegmentEntry?], digests: NewDigests, done: Int, failure: StoreError?)>

    init(_ digests: [Digest]) { state = Guarded((written: [:], digests: NewDigests(digests), done: 0, failure: nil)) }
  }

  /// Writes and syncs the months' segments; a month without records gets none. Returns the entries and their digests.
  func write(_ keys: [SegmentKey], threads: Int) throws(StoreError) -> ([SegmentKey: SegmentEntry?], NewDigests) {
    let outcome = Outcome(digests)
    var helpers: [CommitThread] = []
    let parts = max(1, min(threads, keys.count / 2))
    func own(_ part: Int) -> [SegmentKey] { stride(from: part, to: keys.count, by: parts).map { keys[$0] } }
    for part in 1..<max(1, parts) {
      let keys = own(part)
      if let helper = CommitThread({ write(keys, outcome) }) { helpers.append(helper) } else { write(keys, outcome) }
    }
    write(own(0), outcome)
    for helper in helpers { helper.join() }
    if let failure = outcome.state.withLock({ $0.failure }) { throw failure }
    return outcome.state.withLock { ($0.written, $0.digests) }
  }

  private func write(_ keys: [SegmentKey], _ outcome: Outcome) {
    do throws(StoreError) {
      var files = try SegmentFiles(folder, digests)
      for key in keys {
        try monitor.check()
        if outcome.state.withLock({ $0.failure != nil }) { break }
        let records = merged(key, new[key] ?? [])
        try files.write(try SegmentWriter.segment(key, snapshot.base.nextGeneration, records), key) {
          records.lendNewestFirst(to: $0)
        }
        let done = outcome.state.withLock { state in
          state.done += 1
          return state.done
        }
        monitor.report(done * 95 / max(1, count))
      }
      try files.synchronize()
      let (written, made) = (files.written, files.digests)
      outcome.state.withLock { state in
        state.written.merge(written) { _, new in new }
        state.digests.merge(made)
      }
    } catch { outcome.state.withLock { $0.failure = $0.failure ?? error } }
  }

  /// The records of a month after the import, oldest first.
  private func merged(_ key: SegmentKey, _ new: [ImportLine]) -> [Record] {
    let number = content.collections.firstIndex(of: key.collection)
    let old = snapshot.records(of: key).filter { record in
      let line = number.flatMap { content.index[$0][record.id] }
      let isReplaced = line.map { plan.puts[$0] } ?? false
      return !isReplaced && !removed.contains(RecordName(collection: key.collection, id: record.id))
    }
    let added = new.map { content.record($0, revision: revision) }
    guard !old.isEmpty else { return added }
    var records: [Record] = []
    records.reserveCapacity(old.count + added.count)
    var next = added[...]
    for record in old {
      while let first = next.first, first.position < record.position {
        records.append(first)
        next.removeFirst()
      }
      records.append(record)
    }
    return records + next
  }
}
