import CivilTime
import FileStore
import SyncRules

/// One exchange with the remote: reads what others have said, applies it, and says what is unsent. It can end at any
/// point, by a failure or a crash; the next one goes on where it stands.
package struct Pass<Remote: SyncRemote, Device: SyncDevice> {
  private let remote: Remote
  private let device: Device
  private let trigger: PassTrigger
  private let program: Program
  private let limits: SyncLimits

  /// What the head says of this device.
  package struct Program: Sendable {
    package let device: String
    package let version: String

    package init(device: String, version: String) {
      self.device = device
      self.version = version
    }
  }

  package struct Outcome: Sendable, Equatable {
    package var sent = 0
    package var received = Replica.Applied()
    /// Nothing is unsent, all heads were read, everything they name was applied, and the own head is there.
    package var isSynced = false
  }

  package init(
    _ remote: Remote, _ device: Device, _ trigger: PassTrigger, _ program: Program, limits: SyncLimits = SyncLimits()
  ) {
    self.limits = limits
    self.remote = remote
    self.device = device
    self.trigger = trigger
    self.program = program
  }

  package func run() throws(PassFailure) -> Outcome {
    guard var state = try step({ replica throws(StoreError) in try replica.state() }) else { return Outcome() }
    var outcome = Outcome()
    let names = try asking(.list) { () throws(RemoteFailure) in try remote.list("heads/") }
    try checkOwn(&state)
    var pull = try read(names, &state)
    outcome.received = try apply(&pull, &state)
    let hasRest = try send(pull, &state, &outcome)
    let heads = pull.heads
    let present = state
    try step { replica throws(StoreError) in try replica.prune(heads, present) }
    outcome.isSynced = pull.isWhole && !hasRest
    return outcome
  }

  // MARK: the own stream

  /// Checks that the own head and its batches are there; starts over if not.
  private func checkOwn(_ state: inout DeviceState) throws(PassFailure) {
    let (name, before) = (Layout.head(of: state.stream), state)
    let bytes = try asking(.pull) { () throws(RemoteFailure) in try remote.get(name) }
    let own = bytes.flatMap { StreamHead(bytes: $0) }
    if let intent = state.intent, let own, own == intent.head {
      state = try step { replica throws(StoreError) in try replica.finish(intent, before) }
    } else if own != state.head {
      // A newer head is that of a copy at work; anything else was set back or lost.
      return try startOver(&state, leaves: own.map { $0.counter < before.counter } ?? true)
    }
    guard let head = state.head else { return }
    let prefix = Layout.batches(of: state.stream)
    let found = try asking(.pull) { () throws(RemoteFailure) in try remote.list(prefix) }
    let there = Set(found.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil })
    guard there.isSuperset(of: head.batches) else { return try startOver(&state, leaves: true) }
    for stray in there.subtracting(head.batches).sorted() where Layout.isBatch(stray) {
      try asking(.compact) { () throws(RemoteFailure) in try remote.delete(prefix + stray) }
    }
  }

  private func startOver(_ state: inout DeviceState, leaves: Bool) throws(PassFailure) {
    let before = state
    state = try step { replica throws(StoreError) in
      var state = before
      state.startOver(stream: replica.newStream(), leaves: leaves)
      try replica.save(state)
      return state
    }
  }

  // MARK: what others say

  /// What was read of the other streams.
  private struct Pull {
    var heads: [StreamHead] = []
    /// Whether every head was read, and every batch that counts.
    var isWhole = true
    /// What each stream says, joined by record.
    var said: [String: [EntityKey: SyncLine]] = [:]
    /// The batches that were read now, by stream.
    var batches: [String: [String]] = [:]
    /// The streams that were read completely.
    var complete: Set<String> = []
  }

  private func read(_ names: [String], _ state: inout DeviceState) throws(PassFailure) -> Pull {
    var pull = Pull()
    for name in names.sorted() {
      guard let stream = Layout.stream(ofHead: name), stream != state.stream else { continue }
      let bytes = try asking(.pull) { () throws(RemoteFailure) in try remote.get(name) }
      guard let head = bytes.flatMap({ StreamHead(bytes: $0) }), head.stream == stream else {
        pull.isWhole = false
        continue
      }
      guard head.requires <= StreamHead.requirement else { throw .needsUpdate }
      pull.heads.append(head)
    }
    var marks = state.marks
    for head in pull.heads { marks.merge(head.marks) { max($0, $1) } }
    for head in pull.heads {
      let isComplete = try read(head, state, &pull)
      if isComplete { pull.complete.insert(head.stream) }
      if !isComplete, head.counter > marks[head.stream] ?? 0 { pull.isWhole = false }
    }
    return pull
  }

  /// Reads the batches of a head that were not applied yet; false if one is missing or damaged.
  private func read(_ head: StreamHead, _ state: DeviceState, _ pull: inout Pull) throws(PassFailure) -> Bool {
    var isComplete = true
    for batch in head.batches where state.applied[head.stream]?.contains(batch) != true {
      let name = Layout.batches(of: head.stream) + batch
      let bytes = Layout.isBatch(batch) ? try asking(.pull) { () throws(RemoteFailure) in try remote.get(name) } : nil
      guard let content = bytes.flatMap({ BatchContent($0, name: batch) }) else {
        isComplete = false
        continue
      }
      pull.batches[head.stream, default: []].append(batch)
      for line in content.lines {
        let joined = try pull.said[head.stream]?[line.key].map { known throws(PassFailure) in
          try merged(known, line)
        }
        pull.said[head.stream, default: [:]][line.key] = joined ?? line
      }
    }
    return isComplete
  }

  private func merged(_ left: SyncLine, _ right: SyncLine) throws(PassFailure) -> SyncLine {
    try step { replica throws(StoreError) in
      guard let policy = replica.collections(left.key.collection)?.policy else { return right }
      return SyncLine(left.key, policy.merged(left.record, right.record))
    }
  }

  private func apply(_ pull: inout Pull, _ state: inout DeviceState) throws(PassFailure) -> Replica.Applied {
    var incoming: [Replica.Incoming] = []
    for head in pull.heads {
      for line in (pull.said[head.stream] ?? [:]).values {
        incoming.append(Replica.Incoming(line: line, stream: head.stream, seen: head.seen))
      }
    }
    // Deletions first; the order of the others is of no importance, but the same in every run.
    incoming.sort { left, right in
      if left.line.record.isDeleted != right.line.record.isDeleted { return left.line.record.isDeleted }
      return (left.line.key, left.stream) < (right.line.key, right.stream)
    }
    try hold(&incoming)
    var applied = Replica.Applied()
    var rest = incoming[...]
    while rest.count > limits.stepLength {
      let (part, present) = (Array(rest.prefix(limits.stepLength)), state)
      applied += try step { replica throws(StoreError) in try replica.apply(part, present) }
      rest = rest.dropFirst(part.count)
    }
    var after = state
    for head in pull.heads {
      let known = (state.applied[head.stream] ?? []).union(pull.batches[head.stream] ?? [])
      after.applied[head.stream] = known.intersection(head.batches)
      if pull.complete.contains(head.stream) {
        after.seen[head.stream] = max(head.counter, state.seen[head.stream] ?? 0)
      }
    }
    guard !rest.isEmpty || after != state else { return applied }
    let (last, new) = (Array(rest), after)
    applied += try step { replica throws(StoreError) in try replica.apply(last, new) }
    state = after
    return applied
  }

  /// Takes out the deletions about which the user has to be asked.
  private func hold(_ incoming: inout [Replica.Incoming]) throws(PassFailure) {
    guard incoming.contains(where: \.line.record.isDeleted) else { return }
    var said: [EntityKey: SyncLine] = [:]
    for one in incoming {
      said[one.line.key] =
        try said[one.line.key].map { known throws(PassFailure) in try merged(known, one.line) } ?? one.line
    }
    let lines = Array(said.values)
    let held = try step { replica throws(StoreError) in try replica.deletionsToHold(lines) }
    guard !held.isEmpty else { return }
    let waiting = incoming.filter { $0.line.record.isDeleted && held.contains($0.line.key) }.map(\.line)
    incoming.removeAll { $0.line.record.isDeleted && held.contains($0.line.key) }
    try step { replica throws(StoreError) in try replica.hold(waiting) }
  }

  // MARK: what is to be said

  /// Sends the outbox and a part of everything, and the head; true if something is left unsent.
  private func send(
    _ pull: Pull, _ state: inout DeviceState, _ outcome: inout Outcome
  ) throws(PassFailure) -> Bool {
    let (trigger, everything) = (trigger, state.everything)
    var sendings = try step { replica throws(StoreError) in try replica.pending(trigger) }
    let versions = sendings.reduce(into: [:]) { $0.merge($1.versions) { $1 } }
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
    if let compacted = try compacted(batches, &state) { (batches, obsolete) = ([compacted], batches) }
    var head = StreamHead(stream: state.stream)
    (head.device, head.version) = (program.device, program.version)
    (head.batches, head.seen, head.marks) = (batches, state.seen, state.marks)
    let isNew = !sendings.isEmpty || !obsolete.isEmpty || state.head == nil
    head.counter = state.counter + (isNew ? 1 : 0)
    head.at = state.head?.at ?? head.at
    if state.head.map({ !$0.hasSameContent(as: head) }) ?? true || next != state.everything {
      try counting(versions.keys) { () throws(PassFailure) in try publish(head, versions, next, &state) }
      for name in obsolete {
        let name = Layout.batches(of: state.stream) + name
        try asking(.compact) { () throws(RemoteFailure) in try remote.delete(name) }
      }
    }
    let isLeft = try step { replica throws(StoreError) in
      let (rows, held) = (try replica.entries(), try replica.held())
      return rows.contains { $0.isPending } || !held.isEmpty
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
    let name = Layout.batches(of: state.stream) + batch.name
    try asking(.push) { () throws(RemoteFailure) in try remote.put(name, batch.bytes) }
    return batch.name
  }

  /// The name of one batch that says what many small ones say, with the present versions; nil if there are not many.
  private func compacted(_ batches: [String], _ state: inout DeviceState) throws(PassFailure) -> String? {
    guard batches.count > limits.batches else { return nil }
    var keys: Set<EntityKey> = []
    for batch in batches {
      let name = Layout.batches(of: state.stream) + batch
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
    let name = Layout.head(of: state.stream)
    try asking(.publish) { () throws(RemoteFailure) in try remote.put(name, intent.head.bytes) }
    let noted = state
    state = try step { replica throws(StoreError) in try replica.finish(intent, noted) }
  }

  // MARK: steps

  private func step<Value: Sendable>(
    _ body: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(PassFailure) -> Value {
    do throws(StoreError) { return try device.perform(body) } catch { throw .store(error) }
  }

  private func asking<Value>(
    _ phase: PassFailure.Phase, _ body: () throws(RemoteFailure) -> Value
  ) throws(PassFailure) -> Value {
    do throws(RemoteFailure) { return try body() } catch { throw .remote(error, phase) }
  }
}

/// The names of files at a remote.
enum Layout {
  static func head(of stream: String) -> String { "heads/\(stream).json" }

  static func batches(of stream: String) -> String { "batches/\(stream)/" }

  /// The stream of a head; nil for a file of another name, as synchronisers and systems leave them.
  static func stream(ofHead name: String) -> String? {
    guard name.hasPrefix("heads/"), name.hasSuffix(".json") else { return nil }
    let stream = name.dropFirst(6).dropLast(5)
    return stream.count == 32 && stream.utf8.allSatisfy(isHexadecimal) ? String(stream) : nil
  }

  /// Whether a name has the exact form of a batch's.
  static func isBatch(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count >= 8 && parts[0].utf8.allSatisfy { (48...57).contains($0) }
      && parts[1].hasSuffix(".jsonl") && parts[1].utf8.count == 22 && parts[1].utf8.prefix(16).allSatisfy(isHexadecimal)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}

extension Replica.Applied {
  static func += (left: inout Replica.Applied, right: Replica.Applied) {
    left.changed += right.changed
    left.deleted += right.deleted
    left.conflicts += right.conflicts
  }
}
