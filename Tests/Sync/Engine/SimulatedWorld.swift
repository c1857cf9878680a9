import CivilTime
import FileStore
import FileStoreTesting
import Values

@testable import SyncEngine
@testable import SyncRules

/// Some devices, and the folder that they share, or the copies of it that another program keeps alike.
final class SimulatedWorld: @unchecked Sendable {
  /// How the devices reach each other.
  enum Mode: CaseIterable { case shared, synced }

  static let keys =
    (0..<4).map { EntityKey(SimulatedDevice.whole, EntityID(high: 1, low: UInt64($0))) }
    + [EntityKey(SimulatedDevice.members, EntityID(high: 2, low: 0))]
    + (0..<3).map { EntityKey(SimulatedDevice.parts, EntityID(high: 3, low: UInt64($0))) }

  /// In milliseconds.
  private static let day: Int64 = 86_400_000

  let epoch = Instant(milliseconds: 1_000_000)
  /// So late that a clock may be a day behind.
  var now = Instant(milliseconds: 10 * SimulatedWorld.day)
  var oracle = Oracle()
  private(set) var devices: [SimulatedDevice] = []
  private let mode: Mode
  private var random: SeededGenerator
  private var ids: SeededGenerator
  private var isNested = false
  private var snapshot: [String: SimulatedRemote.File]?
  /// Whether the remote was set back, or lost a file: then streams may miss batches for ever, which a person has to say.
  private var wasSetBack = false
  private var wasRestored = false
  /// The data folders that were copied.
  private var copies = 0
  private var lies: [String] = []

  init(_ mode: Mode, seed: UInt64, _ number: Int, devices count: Int = 3) throws {
    self.mode = mode
    random = SeededGenerator(seed: seed, number: number)
    ids = SeededGenerator(seed: seed ^ 0xABCD, number: number)
    let shared = SimulatedRemote()
    for name in ["A", "B", "C", "D", "E"].prefix(count) {
      devices.append(try SimulatedDevice(name, self, mode == .shared ? shared : SimulatedRemote()))
    }
  }

  func newID() -> EntityID { EntityID(randomHigh: ids.next(), randomLow: ids.next()) }

  /// Something that happens to somebody.
  func step() throws {
    now = now.advanced(
      by: random.once(in: 200) ? Int64(random.below(366)) * SimulatedWorld.day : Int64(random.below(3)))
    let device = devices[random.below(devices.count)]
    do { try step(device) } catch {
      guard device.isFull else { throw error }
    }
  }

  private func step(_ device: SimulatedDevice) throws {
    switch random.below(104) {
    case 0..<50: try device.edit(SimulatedWorld.keys[random.below(SimulatedWorld.keys.count)], &random)
    case 50..<75: try pass(device, fails: true)
    case 75..<83: try pass(device, fails: false)
    case 83..<86: if try device.replica.state() == nil { try device.replica.configure() }
    case 86: device.isOff.toggle()
    case 87: device.skew = [0, 500, -500, 5, -5, SimulatedWorld.day, -SimulatedWorld.day][random.below(7)]
    case 88 where copies < 2 && !wasRestored:
      guard try device.replica.state() != nil else { return }
      let remote = mode == .shared ? device.remote : SimulatedRemote()
      if mode == .synced { remote.files = device.remote.files }
      copies += 1
      devices.append(try device.copied("\(device.name)\(copies)", remote))
    case 89 where mode == .shared: snapshot = device.remote.files
    case 90 where mode == .shared && devices.allSatisfy({ !$0.isOff }) && !wasRestored:
      guard let snapshot else { return }
      device.remote.files = snapshot
      wasSetBack = true
    case 91: try device.crash()
    case 92: try device.backUp()
    case 93 where copies == 0 && !wasSetBack:
      // Only what was sent can be had again.
      wasRestored = true
      try device.restore()
    case 94: device.isFull.toggle()
    case 95 where random.once(in: 4): try device.replica.forget()
    case 96 where mode == .shared && !wasRestored && random.once(in: 4):
      guard let name = device.remote.files.keys.sorted().randomElement(using: &random) else { return }
      device.remote.lose(name)
      wasSetBack = true
    default: spread(from: device)
    }
  }

  /// Some files reach another copy, in any order, some cut off.
  private func spread(from device: SimulatedDevice) {
    guard mode == .synced else { return }
    let other = devices[random.below(devices.count)]
    guard other !== device else { return }
    let names = device.remote.files.keys.sorted()
    guard !names.isEmpty else { return }
    for _ in 0..<[1, 3, 10][random.below(3)] {
      let name = names[random.below(names.count)]
      device.remote.give(name, to: other.remote, isCut: random.once(in: 20))
      if random.once(in: 50) { other.remote.double(name) }
    }
  }

  private func pass(_ device: SimulatedDevice, fails: Bool) throws {
    guard !device.isOff else { return }
    let (remote, losesPower) = (device.remote, fails && random.once(in: 6))
    remote.callsUntilFailure = fails ? random.below(20) : nil
    remote.losesAnswer = random.below(2) == 0
    remote.cause = [.timedOut, .full, .missing, .notPermitted][random.below(4)]
    remote.betweenCalls = { [unowned self] in interrupt() }
    if losesPower { device.disk.cutPower(afterCalls: random.below(100)) }
    defer {
      remote.callsUntilFailure = nil
      remote.betweenCalls = {}
    }
    var isSynced = false
    do throws(PassFailure) { isSynced = try device.pass().isSynced } catch {
      if case .store = error, !device.isFull, !losesPower { throw error }
    }
    // Half of the failures are the end of the process.
    if losesPower || !isSynced && random.once(in: 2) { try device.crash() }
    if isSynced, !wasSetBack, copies == 0 { lies += untruths(of: device) }
  }

  /// What is wrong with a device's saying that it is synced: everything at the remote is merged here, and everything
  /// here can be had from the remote.
  private func untruths(of device: SimulatedDevice) -> [String] {
    var far: [EntityKey: SyncedRecord] = [:]
    for (name, file) in device.remote.files where RemoteLayout.stream(ofHead: name) != nil {
      guard let head = file.bytes.flatMap({ StreamHead(bytes: $0) }) else { continue }
      for batch in head.batches {
        let bytes = device.remote.files[RemoteLayout.batches(of: head.stream) + batch]?.bytes
        guard let content = bytes.flatMap({ BatchContent($0, name: batch) }) else {
          // One that was applied may be damaged since.
          if isApplied(batch, head.stream, on: device) { continue }
          return ["\(device.name) said synced, but a batch was not read"]
        }
        for line in content.lines {
          far[line.key] = far[line.key].map { merged(line.key, $0, line.record) } ?? line.record
        }
      }
    }
    return SimulatedWorld.keys.compactMap { key in
      let here = try? device.replica.record(key)
      guard let policy = SimulatedDevice.collections(key.collection)?.policy else { return nil }
      switch (here ?? nil, far[key]) {
      case (nil, nil): return nil
      case (let here?, let far?):
        let all = policy.version(of: policy.merged(here, far))
        if all != policy.version(of: here) { return "\(device.name) said synced, but \(key) is not merged" }
        return all == policy.version(of: policy.merged(far, far))
          ? nil : "\(device.name) said synced, but \(key) is not at the remote"
      case (nil, _), (_, nil): return "\(device.name) said synced, but \(key) is on one side"
      }
    }
  }

  private func isApplied(_ batch: String, _ stream: String, on device: SimulatedDevice) -> Bool {
    guard let state = try? device.replica.state() else { return false }
    return state.stream == stream || state.applied[stream]?.contains(batch) == true
  }

  private func merged(_ key: EntityKey, _ left: SyncedRecord, _ right: SyncedRecord) -> SyncedRecord {
    SimulatedDevice.collections(key.collection)?.policy.merged(left, right) ?? right
  }

  /// Now and then somebody edits while a pass is under way.
  private func interrupt() {
    guard !isNested, random.below(12) == 0 else { return }
    isNested = true
    defer { isNested = false }
    let device = devices[random.below(devices.count)]
    // Whether an edit that meets a power failure is stored, nobody knows.
    guard device.disk.faults.powerOffAtCall == nil else { return }
    do { try device.edit(SimulatedWorld.keys[random.below(SimulatedWorld.keys.count)], &random) } catch {
      if !device.isFull { lies.append("an edit failed: \(error)") }
    }
  }

  /// Everybody comes back, or all but one, and passes go on until nothing happens any longer.
  ///
  /// - Returns: What is wrong then.
  func settle(withoutOne: Bool = false) throws -> [String] {
    // What one that is switched off has left must be there.
    let absent = withoutOne && copies == 0 && !wasSetBack ? devices.last : nil
    let present = devices.filter { $0 !== absent }
    if let absent, mode == .synced { giveAll(from: absent, to: present[0]) }
    for device in present {
      (device.isOff, device.isFull) = (false, false)
      if try device.replica.state() == nil { try device.replica.configure() }
      try device.replica.retry()
    }
    var synced: [Bool] = []
    var quiet = 0
    for _ in 0..<60 {
      now = now.advanced(by: 30)
      let before = present.reduce(0) { $0 + $1.remote.puts }
      synced = try present.map { device in try device.pass().isSynced }
      if mode == .synced {
        for device in present { for other in present where other !== device { giveAll(from: device, to: other) } }
      }
      quiet = before == present.reduce(0) { $0 + $1.remote.puts } ? quiet + 1 : 0
      if quiet == 2 { break }
    }
    var problems = lies
    if quiet < 2 { problems.append("heads are written for ever") }
    if synced.contains(false), !wasSetBack, copies == 0 { problems.append("synced: \(synced)") }
    // What it has not sent nobody else can have.
    let isAllKnown = try absent?.isSent() ?? true
    for key in oracle.keys {
      let expected = isAllKnown ? oracle.view(key) : try present[0].view(key)
      for device in present where try device.view(key) != expected {
        problems.append(
          "\(key) on \(device.name): \(String(describing: try device.view(key))), expected \(String(describing: expected))"
        )
      }
    }
    return problems
  }

  private func giveAll(from device: SimulatedDevice, to other: SimulatedDevice) {
    for name in device.remote.files.keys.sorted() { device.remote.give(name, to: other.remote) }
  }
}
