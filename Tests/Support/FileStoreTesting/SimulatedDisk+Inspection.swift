import FileStore
import Platform

extension SimulatedDisk {
  /// A file or folder found on a disk.
  package struct Found: Sendable, Equatable {
    /// Relative to where the walk began.
    package var path: String
    package var kind: FileStatus.Kind
    package var mode: UInt32
    package var size: Int
  }

  /// The disk as it is found after a power cut: all descriptors and locks gone, no faults.
  package func afterCrash(_ survival: Survival) -> SimulatedDisk {
    var (state, isTracing) = guts.withLock { ($0.state, $0.isTracing) }
    state.crash(survival)
    return SimulatedDisk(state, isTracing: isTracing)
  }

  /// Everything below a folder, sorted by path; nothing when it is not there.
  package func walk(_ path: String) -> [Found] {
    guts.withLock { guts in
      guard let root = try? guts.state.resolve(path, .status) else { return [] }
      var found: [Found] = []
      var waiting = [(root, "")]
      while let (folder, prefix) = waiting.popLast() {
        for (name, node) in guts.state.nodes[folder].entries {
          let here = guts.state.nodes[node]
          found.append(Found(path: prefix + name, kind: here.kind, mode: here.mode, size: here.bytes.count))
          if here.kind == .directory { waiting.append((node, prefix + name + "/")) }
        }
      }
      return found.sorted { $0.path < $1.path }
    }
  }

  /// Whether a folder and everything in it is closed to others; true when it is not there.
  package func isPrivate(_ path: String) -> Bool {
    guts.withLock { guts in
      guard let root = try? guts.state.resolve(path, .status) else { return true }
      var waiting = [root]
      while let node = waiting.popLast() {
        let isFolder = guts.state.nodes[node].kind == .directory
        if guts.state.nodes[node].mode != (isFolder ? 0o700 : 0o600) { return false }
        if isFolder { waiting += guts.state.nodes[node].entries.values }
      }
      return true
    }
  }

  /// The bytes of a file as calls see them; nil when it is not there.
  package func contents(_ path: String) -> [UInt8]? {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return nil }
      return guts.state.nodes[node].bytes
    }
  }

  /// Gives a file other bytes, durably, and makes it if its folder is there.
  package func setContents(_ path: String, _ bytes: [UInt8]) {
    guts.withLock { guts in
      if (try? guts.state.resolve(path, .status)) == nil { guts.state.put(path, .file, mode: 0o600) }
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].bytes = bytes
      guts.state.nodes[node].syncedCount = bytes.count
      guts.state.nodes[node].appends = []
      guts.state.nodes[node].overwrites = []
      guts.state.nodes[node].lostOverwrites = []
      guts.state.nodes[node].lost = []
    }
  }

  /// Puts a thing of that kind in the place of a name, durably.
  package func replace(_ path: String, with kind: FileStatus.Kind) {
    guts.withLock { $0.state.put(path, kind, mode: 0o700) }
  }

  /// Takes a name away, durably, with everything below it.
  package func remove(_ path: String) { guts.withLock { $0.state.put(path, nil, mode: 0) } }

  /// Gives a file or folder other permission bits, durably.
  package func setMode(_ path: String, _ mode: UInt32) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].mode = mode
      guts.state.nodes[node].syncedMode = mode
    }
  }

  /// Gives a file or folder another owner, durably.
  package func setOwner(_ path: String, _ owner: UInt32) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].owner = owner
    }
  }

  /// Gives a file a second name, durably.
  package func link(_ path: String, to newPath: String) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.put(newPath, to: node)
    }
  }

  /// Gives a file or folder another name, durably.
  package func move(_ path: String, to newPath: String) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].holds += 1
      guts.state.put(path, nil, mode: 0)
      guts.state.put(newPath, to: node)
      guts.state.release(node)
    }
  }

  /// Lets go of what the system has cached: what a failed sync threw away reads as zeros from now on.
  package func dropCaches() {
    guts.withLock { guts in
      for number in guts.state.nodes.indices { guts.state.nodes[number].forgetLost() }
    }
  }
}

extension DiskState {
  /// Makes a name stand for a new thing of that kind, or for nothing, durably.
  fileprivate mutating func put(_ path: String, _ kind: FileStatus.Kind?, mode: UInt32) {
    put(path, to: kind.map { add($0, mode: mode) })
  }

  fileprivate mutating func put(_ path: String, to node: Int?) {
    guard let parent = try? resolve(path, parent: true, .status), let name = path.split(separator: "/").last else {
      return
    }
    change(String(name), in: parent, to: node, order: order())
    guard let change = nodes[parent].pending.popLast() else { return }
    release(change)
  }
}
