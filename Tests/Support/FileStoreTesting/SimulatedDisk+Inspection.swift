import FileStore
import Platform

extension SimulatedDisk {
  /// An entry of the disk.
  package struct Found: Sendable, Equatable {
    /// Relative to the walked folder.
    package var path: String
    package var kind: FileStatus.Kind
    package var mode: UInt32
    package var size: Int
  }

  /// The disk after a power failure: without descriptors, locks and faults.
  package func afterCrash(_ survival: Survival) -> SimulatedDisk {
    var (state, isTracing) = guts.withLock { ($0.state, $0.isTracing) }
    state.crash(survival)
    return SimulatedDisk(state, isTracing: isTracing)
  }

  /// All entries below a folder, sorted by path; empty when it is missing.
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

  /// Whether a folder and its contents are private; true when it is missing.
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

  /// The visible contents of a file; nil when it is missing.
  package func contents(_ path: String) -> [UInt8]? {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return nil }
      return guts.state.nodes[node].bytes
    }
  }

  /// Replaces a file's contents durably, creating it if its folder exists.
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

  /// Replaces a name by an entry of some kind, durably.
  package func replace(_ path: String, with kind: FileStatus.Kind) {
    guts.withLock { $0.state.put(path, kind, mode: 0o700) }
  }

  /// Removes a name and everything below it, durably.
  package func remove(_ path: String) { guts.withLock { $0.state.put(path, nil, mode: 0) } }

  /// Changes the permission bits of an entry, durably.
  package func setMode(_ path: String, _ mode: UInt32) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].mode = mode
      guts.state.nodes[node].syncedMode = mode
    }
  }

  /// Changes the owner of an entry, durably.
  package func setOwner(_ path: String, _ owner: UInt32) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].owner = owner
    }
  }

  /// Adds a hard link, durably.
  package func link(_ path: String, to newPath: String) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.put(newPath, to: node)
    }
  }

  /// Renames an entry, durably.
  package func move(_ path: String, to newPath: String) {
    guts.withLock { guts in
      guard let node = try? guts.state.resolve(path, .status) else { return }
      guts.state.nodes[node].holds += 1
      guts.state.put(path, nil, mode: 0)
      guts.state.put(newPath, to: node)
      guts.state.release(node)
    }
  }

  /// Drops the page cache: ranges lost by a failed sync read as zeros from now on.
  package func dropCaches() {
    guts.withLock { guts in
      for number in guts.state.nodes.indices { guts.state.nodes[number].forgetLost() }
    }
  }
}

extension DiskState {
  /// Points a name at a new entry, or removes it, durably.
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
