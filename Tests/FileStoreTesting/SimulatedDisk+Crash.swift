import FileStore
import Synchronization

/// What of the unsynced changes a power cut leaves.
package enum Survival: Sendable {
  case nothing
  case everything
  /// Any part: names kept or not one by one, files cut anywhere, with zeros in the place of bytes.
  case random(seed: UInt64)
}

/// A small reproducible source of randomness (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

extension SimulatedDisk.Node {
  /// The first `count` bytes as the medium would have them.
  func surviving(_ count: Int) -> [UInt8] {
    var bytes = Array(visible[..<count])
    if let lost {
      for index in lost where index < count { bytes[index] = 0 }
    }
    return bytes
  }
}

extension SimulatedDisk {
  /// The disk as it is found after a power cut: all descriptors and locks gone, no faults.
  package func afterCrash(_ survival: Survival) -> SimulatedDisk {
    var new = state.withLock { $0 }
    new.open = [:]
    new.locks = [:]
    new.faults = Faults()
    (new.calls, new.changes, new.trace) = (0, 0, [])
    var generator = SeededGenerator(seed: 0)
    if case .random(let seed) = survival { generator = SeededGenerator(seed: seed) }
    for number in new.nodes.keys.sorted() {
      guard var node = new.nodes[number] else { continue }
      switch survival {
      case .nothing: break
      case .everything:
        node.durable = node.surviving(node.visible.count)
        node.durableEntries = node.entries
      case .random:
        for changes in node.pending where Bool.random(using: &generator) {
          for change in changes { node.durableEntries[change.name] = change.node }
        }
        let full = node.surviving(node.visible.count)
        if full.starts(with: node.durable) {
          var kept = Array(full.prefix(Int.random(in: node.durable.count...full.count, using: &generator)))
          if Int.random(in: 0..<3, using: &generator) == 0 {
            // The length got through, the content did not.
            let zeros = Int.random(in: node.durable.count...kept.count, using: &generator)
            for index in zeros..<kept.count { kept[index] = 0 }
          }
          node.durable = kept
        }
      }
      node.visible = node.durable
      node.entries = node.durableEntries
      node.pending = []
      node.lost = nil
      new.nodes[number] = node
    }
    return SimulatedDisk(new)
  }

  /// The bytes of a file as calls see them; nil when it is not there.
  package func contents(_ path: String) -> [UInt8]? {
    state.withLock { state in
      guard let node = try? state.resolve(path, "test") else { return nil }
      return state.nodes[node]?.visible
    }
  }

  /// Gives a file other bytes, durably.
  package func setContents(_ path: String, _ bytes: [UInt8]) {
    state.withLock { state in
      guard let node = try? state.resolve(path, "test") else { return }
      state.nodes[node]?.visible = bytes
      state.nodes[node]?.durable = bytes
    }
  }

  /// Puts a thing of that kind in the place of a name, durably.
  package func replace(_ path: String, with kind: FileStatus.Kind) {
    state.withLock { state in
      guard let parent = try? state.resolve(path, parent: true, "test"), let name = path.split(separator: "/").last
      else { return }
      let number = state.nextNode
      state.nextNode += 1
      state.nodes[number] = Node(kind: kind, mode: 0o700)
      state.nodes[parent]?.entries[String(name)] = number
      state.nodes[parent]?.durableEntries[String(name)] = number
    }
  }
}
