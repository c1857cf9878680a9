import FileStore
import SyncRules

/// What is to be said, and the head that says where it is.
extension Pass {
  /// Sends the outbox and a part of everything, and the head; true if something is left unsent.
  func send(_ state: inout DeviceState, _ outcome: inout PassOutcome) throws(PassFailure) -> Bool {
    let (trigger, everything) = (trigger, state.everything)
    var (sendings, (mirrored, rows)) = try step { replica throws(StoreError) in
      let entries = try replica.entries()
      return (try replica.pending(entries, trigger), try replica.mirrored(entries))
    }
    var versions = rows
    outcome.sent += rows.count
    // What is only shown is soon out of date, so it waits for no batch.
    if !rows.isEmpty, !sendings.isEmpty || everything != nil, var head = state.head {
      head.mirrored = mirrored
      try counting(rows.keys) { () throws(PassFailure) in try publish(head, rows, everything, &state) }
      versions = [:]
    }
    let isShown = versions.isEmpty
    for sending in sendings { versions.merge(sending.versions) { $1 } }
    var next: DeviceState.Everything?
    if let everything {
      let part = try step { replica throws(StoreError) in try replica.next(of: everything) }
      next = part.endsEverything ? nil : part.everything
      if !part.lines.isEmpty { sendings.append(part) }
    }
    var batches = state.head?.batches ?? []
    for sending in sendings {
      try counting(sending.versions.keys) { () throws(PassFailure) in
        batches.append(try put(sending.lines, &state))
      }
      outcome.sent += sending.lines.count
    }
    var obsolete: [String] = []
    let small = batches.filter { !state.largeBatches.contains($0) }
    if let compacted = try compacted(small, &state) {
      (batches, obsolete) = (batches.filter(state.largeBatches.contains) + [compacted], small)
    }
    var head = StreamHead(stream: state.stream)
    (head.device, head.version) = (sender.device, sender.version)
    (head.batches, head.seen, head.marks, head.mirrored) = (batches, state.seen, state.marks, mirrored)
    let isNew = !sendings.isEmpty || !obsolete.isEmpty || state.head == nil
    head.counter = state.counter + (isNew ? 1 : 0)
    head.at = state.head?.at ?? head.at
    if !isShown || state.head.map({ !$0.hasSameContent(as: head) }) ?? true || next != state.everything {
      try counting(versions.keys) { () throws(PassFailure) in try publish(head, versions, next, &state) }
      for name in obsolete {
        let name = RemoteLayout.batches(of: state.stream) + name
        try asking(.compact) { () throws(RemoteFailure) in try remote.delete(name) }
      }
    }
    let isLeft = try step { replica throws(StoreError) in
      let (rows, held) = (try replica.entries(), try replica.held())
      return rows.contains(where: \.isUnsent) || !held.isEmpty
    }
    return isLeft || state.everything != nil
  }

  /// Hands rows to the remote; if it does not take them, that is an attempt of each, unless the remote is not there.
  private func counting(
    _ keys: some Collection<EntityKey>, _ body: () throws(PassFailure) -> Void
  ) throws(PassFailure) {
    do throws(PassFailure) { try body() } catch {
      if case .remote(let failure, _) = error, failure.cause != .missing {
        let keys = Array(keys)
        try step { replica throws(StoreError) in try replica.fail(keys, failure.message) }
      }
      throw error
    }
  }

  /// Puts a batch into the own stream, and returns its name.
  private func put(_ lines: [SyncLine], _ state: inout DeviceState) throws(PassFailure) -> String {
    let batch = BatchFile(lines, stream: state.stream, number: state.number)
    state.number += 1
    if batch.bytes.count >= limits.smallBatch { state.largeBatches.insert(batch.name) }
    let name = RemoteLayout.batches(of: state.stream) + batch.name
    try asking(.push) { () throws(RemoteFailure) in try remote.put(name, batch.bytes) }
    return batch.name
  }

  /// The name of one batch that says what many small ones say, with the present versions; nil if there are not many.
  private func compacted(_ batches: [String], _ state: inout DeviceState) throws(PassFailure) -> String? {
    guard batches.count > limits.batches else { return nil }
    var keys: Set<EntityKey> = []
    for batch in batches {
      let name = RemoteLayout.batches(of: state.stream) + batch
      let bytes = try asking(.compact) { () throws(RemoteFailure) in try remote.get(name) }
      guard let content = bytes.flatMap({ BatchContent($0, name: batch) }) else { return nil }
      keys.formUnion(content.lines.map(\.key))
    }
    let sorted = keys.sorted()
    let sending = try step { replica throws(StoreError) in try replica.present(sorted) }
    return try put(sending.lines, &state)
  }

  /// Notes the head, puts it, and notes that it is there.
  private func publish(
    _ head: StreamHead, _ versions: [EntityKey: SyncVersion], _ next: DeviceState.Everything?,
    _ state: inout DeviceState
  ) throws(PassFailure) {
    let before = state
    state = try step { replica throws(StoreError) in
      var (state, head) = (before, head)
      head.at = replica.now()
      state.intent = DeviceState.Intent(head: head, sent: versions, everything: next)
      try replica.save(state)
      return state
    }
    guard let intent = state.intent else { return }
    let name = RemoteLayout.head(of: state.stream)
    try asking(.publish) { () throws(RemoteFailure) in try remote.put(name, intent.head.bytes) }
    let noted = state
    state = try step { replica throws(StoreError) in try replica.finish(intent, noted) }
  }
}
