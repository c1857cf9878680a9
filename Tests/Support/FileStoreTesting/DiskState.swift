import FileStore

/// A process of a simulated machine.
struct DiskProcess: Sendable {
  /// An open file description.
  struct Opened: Sendable {
    var node: Int
    var path: String
    var lock: LockKind?
  }

  let id: Int32
  /// From 3; numbers are not reused, so that use after close is detected.
  var descriptors: [Opened?] = []
  /// The number of calls until it is killed.
  var callsLeft: Int?
  var isDead = false
}

/// The complete state of a simulated disk; a value, so that it can be copied.
struct DiskState: Sendable {
  var nodes = [DiskNode(kind: .directory, mode: 0o755, inode: 1)]
  /// Free nodes.
  var freeNodes: [Int] = []
  var nextInode: UInt64 = 2
  var processes = [DiskProcess(id: 42)]
  var faults = SimulatedDisk.Faults()
  var calls = 0
  var changes = 0
  var misuses = 0
  /// The number of failed file syncs since the last power failure.
  var failedSyncs = 0
  var mark = 0
  var milliseconds: Int64 = 0
  var isPowerOff = false
  /// The place of the next change of names, and up to where a journaled file system has them on the medium.
  var nextOrder = 0
  var floor = 0
  /// The latest syncs, oldest first.
  var syncs: [DiskSync] = []

  /// The maximum number of syncs that a lying disk reverts.
  static let rememberedSyncs = 4
}

/// The purpose of a call; its text is created on demand.
struct DiskPlace {
  var directory: String
  var name: String?

  init(_ directory: String, _ name: String? = nil) {
    self.directory = directory
    self.name = name
  }

  var text: String { name.map { directory + "/" + $0 } ?? directory }

  func hasSuffix(_ suffix: String) -> Bool { (name ?? directory).hasSuffix(suffix) }
}

func failure(_ call: DiskCall, _ place: DiskPlace, _ reason: FileSystemError.Reason) -> FileSystemError {
  let (errno, text) = reason.system
  return FileSystemError(call: call.rawValue, path: place.text, reason: reason, errno: errno, text: text)
}

extension DiskState {
  /// The node behind a descriptor.
  mutating func node(
    _ descriptor: Descriptor, _ call: DiskCall, by process: Int
  ) throws(FileSystemError) -> Int {
    let index = Int(descriptor.number) - 3
    if index >= 0, index < processes[process].descriptors.count,
      let opened = processes[process].descriptors[index]
    {
      return opened.node
    }
    // The dead have no descriptors.
    if !processes[process].isDead { misuses += 1 }
    throw FileSystemError(
      call: call.rawValue, path: descriptor.path, reason: .other, errno: 9, text: "bad file descriptor")
  }

  /// The node of a name in a folder.
  func child(
    _ name: String, of directory: Int, _ call: DiskCall, _ place: DiskPlace
  ) throws(FileSystemError) -> Int {
    guard nodes[directory].kind == .directory else { throw failure(call, place, .notADirectory) }
    guard let node = nodes[directory].entries[name] else { throw failure(call, place, .notFound) }
    return node
  }

  /// The node at a path; of its folder with `parent`.
  func resolve(_ path: String, parent: Bool = false, _ call: DiskCall) throws(FileSystemError) -> Int {
    var node = 0
    // Without links a folder's parent is the name before it.
    var components: [Substring] = []
    for component in path.split(separator: "/") where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    for component in parent ? components.dropLast() : components[...] {
      node = try child(String(component), of: node, call, DiskPlace(path))
    }
    return node
  }

  /// A new descriptor of a node.
  mutating func open(_ node: Int, _ path: String, by process: Int) -> Descriptor {
    nodes[node].holds += 1
    processes[process].descriptors.append(.init(node: node, path: path))
    return Descriptor(number: Int32(truncatingIfNeeded: processes[process].descriptors.count + 2), path: path)
  }

  /// Closes a descriptor, which releases its lock.
  mutating func close(_ index: Int, by process: Int) {
    guard index >= 0, index < processes[process].descriptors.count,
      let opened = processes[process].descriptors[index]
    else {
      if !processes[process].isDead { misuses += 1 }
      return
    }
    unlock(index, by: process)
    processes[process].descriptors[index] = nil
    release(opened.node)
  }

  /// Ends a process.
  mutating func kill(_ process: Int) {
    guard !processes[process].isDead else { return }
    for index in processes[process].descriptors.indices where processes[process].descriptors[index] != nil {
      close(index, by: process)
    }
    processes[process].isDead = true
  }

  /// Takes a lock as flock does on Linux: one that is held is given up before the other kind is asked for, and does not
  /// come back when that is refused.
  mutating func lock(_ index: Int, _ kind: LockKind, by process: Int) -> Bool {
    guard let opened = processes[process].descriptors[index] else { return false }
    if opened.lock == kind { return true }
    unlock(index, by: process)
    switch kind {
    case .shared:
      if nodes[opened.node].isLockedExclusively { return false }
      nodes[opened.node].sharedLocks += 1
    case .exclusive:
      if nodes[opened.node].isLockedExclusively || nodes[opened.node].sharedLocks > 0 { return false }
      nodes[opened.node].isLockedExclusively = true
    }
    processes[process].descriptors[index]?.lock = kind
    return true
  }

  /// Releases a lock.
  mutating func unlock(_ index: Int, by process: Int) {
    guard let opened = processes[process].descriptors[index] else { return }
    switch opened.lock {
    case .shared: nodes[opened.node].sharedLocks -= 1
    case .exclusive: nodes[opened.node].isLockedExclusively = false
    case nil: return
    }
    processes[process].descriptors[index]?.lock = nil
  }

  /// A new node without a name.
  mutating func add(_ kind: FileStatus.Kind, mode: UInt32) -> Int {
    let new = DiskNode(kind: kind, mode: mode, inode: nextInode)
    nextInode += 1
    if let number = freeNodes.popLast() {
      nodes[number] = new
      return number
    }
    nodes.append(new)
    return nodes.count - 1
  }

  /// Releases a reference to a node.
  mutating func release(_ number: Int) {
    nodes[number].holds -= 1
    freeIfUnused(number)
  }

  mutating func freeIfUnused(_ number: Int) {
    guard nodes[number].holds == 0, nodes[number].links == 0, number != 0, nodes[number].inode != 0 else { return }
    let pending = nodes[number].pending
    nodes[number] = DiskNode(kind: .other, mode: 0, inode: 0)
    freeNodes.append(number)
    for change in pending { release(change) }
  }

  /// Releases the references of an unsynced change.
  mutating func release(_ change: DiskNode.EntryChange) {
    if let old = change.old { release(old) }
    if let new = change.new { release(new) }
  }

  /// Changes the target of a name, visible at once.
  mutating func change(_ name: String, in directory: Int, to new: Int?, order: Int, isForgotten: Bool = false) {
    let old = nodes[directory].entries[name]
    if let old {
      nodes[old].links -= 1
      nodes[old].holds += 1
    }
    if let new {
      nodes[new].links += 1
      nodes[new].holds += 1
    }
    nodes[directory].entries[name] = new
    nodes[directory].pending.append(
      .init(name: name, old: old, new: new, order: order, isForgotten: isForgotten))
  }

  /// The place of a new change of names.
  mutating func order() -> Int {
    nextOrder += 1
    return nextOrder - 1
  }

  /// Remembers what a sync made durable.
  mutating func remember(_ sync: DiskSync) {
    nodes[sync.node].holds += 1
    syncs.append(sync)
    guard syncs.count > DiskState.rememberedSyncs else { return }
    let oldest = syncs.removeFirst()
    for change in oldest.pending { release(change) }
    release(oldest.node)
  }

  /// The kind of the node.
  func status(_ number: Int) -> FileStatus {
    FileStatus(
      kind: nodes[number].kind, size: nodes[number].bytes.count, mode: nodes[number].mode,
      owner: faults.owner ?? nodes[number].owner, linkCount: UInt64(truncatingIfNeeded: nodes[number].links), device: 1,
      inode: nodes[number].inode)
  }
}
