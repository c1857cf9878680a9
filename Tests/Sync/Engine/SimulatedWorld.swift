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

  let epoch = Instant(milliseconds: 1_000_000)
  var now = Instant(milliseconds: 2_000_000)
  var oracle = Oracle()
  private(set) var devices: [SimulatedDevice] = []
  private let mode: Mode
  private var random: SeededGenerator
  private var ids: SeededGenerator
  private var isNested = false
  private var snapshot: [String: SimulatedRemote.File]?
  /// Whether somebody set the remote back: then streams may miss batches for ever, which a person has to say.
  private(set) var wasSetBack = false
  private var wasRestored = false
  private var lies: [String] = []

  init(_ mode: Mode, seed: UInt64, _ number: Int) throws {
    self.mode = mode
    random = SeededGenerator(seed: seed, number: number)
    ids = SeededGenerator(seed: seed ^ 0xABCD, number: number)
    let shared = SimulatedRemote()
    for name in ["A", "B", "C"] {
      devices.append(try SimulatedDevice(name, self, mode == .shared ? shared : SimulatedRemote()))
    }
  }

  func newID() -> EntityID { EntityID(randomHigh: ids.next(), randomLow: ids.next()) }

  /// Something that happens to somebody.
  func step() throws {
    now = now.advanced(by: Int64(random.below(3)))
    let device = devices[random.below(devices.count)]
    switch random.below(100) {
    case 0..<50: try device.edit(SimulatedWorld.keys[random.below(SimulatedWorld.keys.count)], &random)
    case 50..<75: try pass(device, fails: true)
    case 75..<83: try pass(device, fails: false)
    case 83..<86: if try device.replica.state() == nil { try device.replica.configure() }
    case 86: device.isOff.toggle()
    case 87: device.skew = [0, 0, 500, -500, 5, -5][random.below(6)]
    case 88 where devices.count < 5 && !wasRestored:
      guard try device.replica.state() != nil else { return }
      let remote = mode == .shared ? device.remote : SimulatedRemote()
      if mode == .synced { remote.files = device.remote.files }
      devices.append(try device.copied("\(device.name)\(devices.count)", remote))
    case 89 where mode == .shared: snapshot = device.remote.files
    case 90 where mode == .shared && devices.allSatisfy({ !$0.isOff }) && !wasRestored:
      guard let snapshot else { return }
      device.remote.files = snapshot
      wasSetBack = true
    case 91: try device.crash()
    case 92: try device.backUp()
    case 93 where devices.count == 3 && !wasSetBack:
      // Only what was sent can be had again.
      wasRestored = true
      try device.restore()
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
      device.remote.give(names[random.below(names.count)], to: other.remote, isCut: random.below(20) == 0)
    }
  }

  private func pass(_ device: SimulatedDevice, fails: Bool) throws {
    guard !device.isOff else { return }
    let remote = device.remote
    remote.callsUntilFailure = fails ? random.below(20) : nil
    remote.losesAnswer = random.below(2) == 0
    remote.betweenCalls = { [unowned self] in interrupt() }
    defer {
      remote.callsUntilFailure = nil
      remote.betweenCalls = {}
    }
    do throws(PassFailure) {
      if try device.pass().isSynced, !wasSetBack, devices.count == 3 { lies += untruths(of: device) }
    } catch {
      guard case .remote = error else { throw error }
      // Half of the failures are the end of the process.
      if random.below(2) == 0 { try device.crash() }
    }
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
    try? device.edit(SimulatedWorld.keys[random.below(SimulatedWorld.keys.count)], &random)
  }

  /// Everybody comes back, and passes go on until nothing happens any longer.
  ///
  /// - Returns: What is wrong then.
  func settle() throws -> [String] {
    for device in devices {
      device.isOff = false
      if try device.replica.state() == nil { try device.replica.configure() }
      try device.replica.retry()
    }
    var synced: [Bool] = []
    var quiet = 0
    for _ in 0..<60 {
      now = now.advanced(by: 30)
      let before = devices.reduce(0) { $0 + $1.remote.puts }
      synced = try devices.map { device in try device.pass().isSynced }
      if mode == .synced {
        for device in devices {
          for other in devices where other !== device {
            for name in device.remote.files.keys.sorted() { device.remote.give(name, to: other.remote) }
          }
        }
      }
      quiet = before == devices.reduce(0) { $0 + $1.remote.puts } ? quiet + 1 : 0
      if quiet == 2 { break }
    }
    var problems = lies
    if quiet < 2 { problems.append("heads are written for ever") }
    if synced.contains(false), !wasSetBack, devices.count == 3 { problems.append("synced: \(synced)") }
    for key in oracle.keys {
      let expected = oracle.view(key)
      for device in devices where try device.view(key) != expected {
        problems.append(
          "\(key) on \(device.name): \(String(describing: try device.view(key))), expected \(String(describing: expected))"
        )
      }
    }
    return problems
  }
}
