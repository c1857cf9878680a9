import CivilTime
import FileStore
import SyncRules

/// One exchange with the remote: reads what others have said, applies it, and says what is unsent. It can end at any
/// point, by a failure or a crash; the next one goes on where it stands.
package struct Pass<Remote: PassRemote, Device: PassDevice> {
  let remote: Remote
  let trigger: PassTrigger
  let sender: Sender
  let limits: SyncLimits
  private let device: Device
  private let collections: SyncedCollections

  /// What the head says of this device.
  package struct Sender: Sendable {
    package let device: String
    package let version: String

    package init(device: String, version: String) {
      self.device = device
      self.version = version
    }
  }

  package init(
    _ remote: Remote, _ device: Device, _ collections: @escaping SyncedCollections, _ trigger: PassTrigger,
    _ sender: Sender, limits: SyncLimits = SyncLimits()
  ) {
    self.remote = remote
    self.device = device
    self.collections = collections
    self.trigger = trigger
    self.sender = sender
    self.limits = limits
  }

  package func run() throws(PassFailure) -> PassOutcome {
    let version = sender.version
    let begun = try step { replica throws(StoreError) in try replica.begin(version) }
    guard var state = begun else { return PassOutcome() }
    var outcome = PassOutcome()
    let names = try asking(.list) { () throws(RemoteFailure) in try remote.list("heads/") }
    var pull = try readHeads(names)
    try checkOwn(pull.heads.first { $0.stream == state.stream }, &state)
    try read(&pull, state)
    pull.sort()
    (outcome.unreadable, outcome.incomplete) = (pull.unreadable, pull.incomplete)
    guard pull.isWhole || !state.keepsLocal else {
      throw .remote(RemoteFailure(.awaited, "Not all that the other devices have said is there yet."), .pull)
    }
    outcome.early = try devicesAhead(pull)
    if state.applied.isEmpty, !pull.batches.isEmpty {
      do throws(StoreError) { try device.backUp() } catch { throw .store(error) }
    }
    outcome.received = try apply(pull, &state)
    let heads = pull.heads
    let marks = heads.marks(with: state.marks)
    try step { replica throws(StoreError) in try replica.mirror(heads, marks: marks) }
    var hasRest: Bool
    repeat { hasRest = try send(&state, &outcome) } while state.everything != nil
    outcome.devices = heads.map {
      SyncReport.Device(
        stream: $0.stream, name: $0.device, version: $0.version, at: $0.at, counter: $0.counter,
        isRemoved: $0.counter <= marks[$0.stream] ?? 0)
    }
    let present = state
    try step { replica throws(StoreError) in try replica.prune(heads, present) }
    outcome.isSynced = pull.isWhole && !hasRest
    return outcome
  }

  // MARK: what others say

  /// Reads all heads, before anything is changed: one may need a newer version of the program.
  private func readHeads(_ names: [String]) throws(PassFailure) -> Pull {
    var pull = Pull()
    for name in names.sorted() {
      guard let stream = RemoteLayout.stream(ofHead: name) else { continue }
      let file = try fetch(name, of: stream)
      let content = file.bytes.flatMap { StreamHead.verified($0) }
      if let content, StreamHead.isNewer(content) { throw .needsUpdate }
      if let head = content.flatMap({ StreamHead($0) }), head.stream == stream {
        pull.heads.append(head)
      } else {
        pull.unread.append((stream, file.unread))
      }
    }
    return pull
  }

  /// Reads what the other devices' heads name.
  private func read(_ pull: inout Pull, _ state: DeviceState) throws(PassFailure) {
    pull.heads.removeAll { $0.stream == state.stream }
    let marks = pull.heads.marks(with: state.marks)
    // The head of a device that has left its stream may never be whole again.
    pull.incomplete = pull.unread.filter { $0.stream != state.stream && marks[$0.stream] == nil }.map(\.file)
    for head in pull.heads {
      let missing = try read(head, state, &pull)
      if missing.isEmpty { pull.complete.insert(head.stream) }
      if head.counter > marks[head.stream] ?? 0 { pull.incomplete += missing }
    }
    pull.isWhole = pull.incomplete.isEmpty
  }

  /// Reads the batches of a head that were not applied yet; returns those that are missing or damaged.
  private func read(
    _ head: StreamHead, _ state: DeviceState, _ pull: inout Pull
  ) throws(PassFailure) -> [PassOutcome.Incomplete] {
    var missing: [PassOutcome.Incomplete] = []
    for batch in head.batches where state.applied[head.stream]?.contains(batch) != true {
      guard RemoteLayout.isBatch(batch) else {
        missing.append(PassOutcome.Incomplete(device: head.device, file: batch, isDamaged: true))
        continue
      }
      let file = try fetch(RemoteLayout.batches(of: head.stream) + batch, of: head.device)
      if let bytes = file.bytes, BatchContent.isNewer(bytes) { throw .needsUpdate }
      if let content = file.bytes.flatMap({ BatchContent($0, name: batch) }) {
        pull.add(content, named: batch, of: head.stream, merged)
      } else {
        missing.append(file.unread)
      }
    }
    return missing
  }

  /// A file of another device, without bytes if it is missing or may not be read; and what to say if it is of no use.
  func fetch(
    _ name: String, of device: String
  ) throws(PassFailure) -> (bytes: [UInt8]?, unread: PassOutcome.Incomplete) {
    do throws(RemoteFailure) {
      let bytes = try remote.get(name)
      return (bytes, PassOutcome.Incomplete(device: device, file: name, isDamaged: bytes != nil))
    } catch {
      // One file that cannot be read holds nobody up.
      guard error.cause == .notPermitted || error.cause == .damaged else { throw .remote(error, .pull) }
      return (nil, PassOutcome.Incomplete(device: device, file: name, isDamaged: true))
    }
  }

  /// The names of the devices that said something now that was made more than a day later.
  private func devicesAhead(_ pull: Pull) throws(PassFailure) -> [String] {
    guard !pull.said.isEmpty else { return [] }
    let limit = try step { replica in replica.now().advanced(by: 86_400_000) }
    let streams = Set(pull.said.lazy.filter { $0.time > limit }.map(\.stream))
    return pull.heads.filter { streams.contains($0.stream) }.map(\.device)
  }

  private func merged(_ left: SyncLine, _ right: SyncLine) -> SyncLine {
    guard let policy = collections(left.key.collection)?.policy else { return right }
    return SyncLine(left.key, policy.merged(left.record, right.record))
  }

  private func apply(_ pull: Pull, _ state: inout DeviceState) throws(PassFailure) -> Replica.Applied {
    let keepsLocal = state.keepsLocal
    let said = keepsLocal ? joined(pull.said).map { Said($0, "") } : try hold(pull.said)
    let seen = Dictionary(pull.heads.map { ($0.stream, $0.seen) }) { first, _ in first }
    let take = { @Sendable (replica: Replica, part: [Said], state: DeviceState) throws(StoreError) in
      if keepsLocal { return try replica.keepLocal(part.compactMap(\.line), state) }
      let incoming = part.compactMap { one in
        one.line.map { Replica.Incoming(line: $0, stream: one.stream, seen: seen[one.stream] ?? [:]) }
      }
      return try replica.apply(incoming, state)
    }
    var applied = Replica.Applied()
    var rest = said[...]
    while rest.count > limits.stepLength {
      let (part, present) = (Array(rest.prefix(limits.stepLength)), state)
      applied += try step { replica throws(StoreError) in try take(replica, part, present) }
      rest = rest.dropFirst(part.count)
    }
    var after = state
    after.keepsLocal = false
    for head in pull.heads {
      let known = (state.applied[head.stream] ?? []).union(pull.batches[head.stream] ?? [])
      after.applied[head.stream] = known.intersection(head.batches)
      if pull.complete.contains(head.stream) {
        after.seen[head.stream] = max(head.counter, state.seen[head.stream] ?? 0)
      }
    }
    guard !rest.isEmpty || after != state else { return applied }
    let (last, new) = (Array(rest), after)
    applied += try step { replica throws(StoreError) in try take(replica, last, new) }
    state = after
    return applied
  }

  /// Keeps the deletions about which the user has to be asked, and returns the rest.
  private func hold(_ said: [Said]) throws(PassFailure) -> [Said] {
    let deleted = Set(said.lazy.filter(\.isDeletion).map(\.key))
    guard !deleted.isEmpty else { return said }
    let lines = joined(said.filter { deleted.contains($0.key) })
    let held = try step { replica throws(StoreError) in try replica.deletionsToHold(lines) }
    guard !held.isEmpty else { return said }
    let waiting = said.filter { $0.isDeletion && held.contains($0.key) }.compactMap(\.line)
    try step { replica throws(StoreError) in try replica.hold(waiting) }
    return said.filter { !$0.isDeletion || !held.contains($0.key) }
  }

  /// What all streams together say of each record.
  private func joined(_ said: [Said]) -> [SyncLine] {
    var lines: [EntityKey: SyncLine] = [:]
    for line in said.lazy.compactMap(\.line) { lines[line.key] = lines[line.key].map { merged($0, line) } ?? line }
    return lines.values.sorted { $0.key < $1.key }
  }

  // MARK: steps

  func step<Value: Sendable>(
    _ body: @Sendable (Replica) throws(StoreError) -> Value
  ) throws(PassFailure) -> Value {
    do throws(StoreError) { return try device.perform(body) } catch { throw .store(error) }
  }

  func asking<Value>(
    _ phase: PassFailure.Phase, _ body: () throws(RemoteFailure) -> Value
  ) throws(PassFailure) -> Value {
    do throws(RemoteFailure) { return try body() } catch { throw .remote(error, phase) }
  }
}
