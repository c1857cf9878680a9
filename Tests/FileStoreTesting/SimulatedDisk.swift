import FileStore
import Synchronization

/// A disk in memory with two worlds: what calls see, and what would be there after a power cut. It counts its calls,
/// and can be made to fail in the ways disks do.
package final class SimulatedDisk: FileSystem {
  struct State {
    var nodes: [UInt64: Node] = [1: Node(kind: .directory, mode: 0o755)]
    var nextNode: UInt64 = 2
    var open: [Int32: UInt64] = [:]
    var nextDescriptor: Int32 = 3
    /// The descriptors that hold the lock of a file, and how.
    var locks: [UInt64: [Int32: LockKind]] = [:]
    var faults = Faults()
    var calls = 0
    var changes = 0
    var trace: [String] = []
  }

  /// A file, folder or link.
  struct Node {
    var kind: FileStatus.Kind
    var mode: UInt32
    var owner: UInt32 = 1000
    /// A file's bytes, as seen, and the part of them that would survive.
    var visible: [UInt8] = []
    var durable: [UInt8] = []
    /// What a failed sync threw away: bytes that reading still shows and that no later sync will save.
    var lost: Range<Int>?
    /// A folder's names, as seen, and as they would survive.
    var entries: [String: UInt64] = [:]
    var durableEntries: [String: UInt64] = [:]
    /// Changes of names since the last sync of the folder; each happens as a whole or not.
    var pending: [[EntryChange]] = []
  }

  /// A name that from now on stands for a node, or for nothing.
  struct EntryChange {
    var name: String
    var node: UInt64?
  }

  /// How the disk misbehaves.
  package struct Faults: Sendable {
    /// The power goes off before the call with this number, counted from 0: it and all later ones fail and do nothing.
    package var powerOffAtCall: Int?
    /// Bytes that can still be written.
    package var freeBytes: Int?
    /// The most bytes that one call appends.
    package var longestAppend: Int?
    /// How many of the next syncs of files fail.
    package var failingSyncs = 0
    /// How many of the next makings of files fail.
    package var failingCreations = 0
    /// Every change is refused.
    package var isReadOnly = false
    /// Reading any file at or behind this offset fails.
    package var unreadableFrom: Int?
    /// Whose files they are said to be, if not the user's.
    package var owner: UInt32?
  }

  let state: Mutex<State>
  package let userID: UInt32 = 1000
  package let processID: Int32 = 42

  package init() { state = Mutex(State()) }

  init(_ start: State) { state = Mutex(start) }

  /// Calls made so far.
  package var calls: Int { state.withLock { $0.calls } }

  /// Calls so far that changed something.
  package var changes: Int { state.withLock { $0.changes } }

  /// The names of the calls made so far, with what they were made for.
  package var trace: [String] { state.withLock { $0.trace } }

  /// Changes how the disk misbehaves.
  package func setFaults(_ change: @Sendable (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

  /// Makes the power go off before that many further calls.
  package func cutPower(afterCalls count: Int) {
    state.withLock { $0.faults.powerOffAtCall = $0.calls + count }
  }
}

extension SimulatedDisk.State {
  /// Counts a call; throws if the power is off, or if it would change something and may not.
  mutating func begin(_ call: String, _ path: String, changes: Bool = false) throws(FileSystemError) {
    defer { calls += 1 }
    if let cut = faults.powerOffAtCall, calls >= cut {
      throw FileSystemError(call: call, path: path, reason: .inputOutput, errno: 5, text: "power off")
    }
    trace.append("\(call) \(path)")
    guard changes else { return }
    if faults.isReadOnly {
      throw FileSystemError(call: call, path: path, reason: .readOnly, errno: 30, text: "read-only file system")
    }
    self.changes += 1
  }

  /// The node behind a descriptor.
  func node(_ descriptor: Descriptor) throws(FileSystemError) -> UInt64 {
    guard let node = open[descriptor.number] else {
      throw FileSystemError(call: "?", path: descriptor.path, reason: .other, errno: 9, text: "bad descriptor")
    }
    return node
  }

  /// The node with that name in a folder.
  func child(_ name: String, of directory: UInt64, _ call: String) throws(FileSystemError) -> UInt64 {
    guard let node = nodes[directory]?.entries[name] else {
      throw FileSystemError(call: call, path: name, reason: .notFound, errno: 2, text: "no such file or directory")
    }
    return node
  }

  /// The node at a path, with or without its last component.
  func resolve(_ path: String, parent: Bool = false, _ call: String) throws(FileSystemError) -> UInt64 {
    var node: UInt64 = 1
    let components = path.split(separator: "/")
    for component in parent ? components.dropLast() : components[...] {
      node = try child(String(component), of: node, call)
    }
    return node
  }

  /// A new descriptor of a node.
  mutating func descriptor(_ node: UInt64, _ path: String) -> Descriptor {
    open[nextDescriptor] = node
    defer { nextDescriptor += 1 }
    return Descriptor(number: nextDescriptor, path: path)
  }

  /// A new node with a name; the name is not durable yet.
  mutating func add(_ new: SimulatedDisk.Node, _ name: String, in directory: UInt64) -> UInt64 {
    let number = nextNode
    nextNode += 1
    nodes[number] = new
    nodes[directory]?.change([.init(name: name, node: number)])
    return number
  }

  /// What the node is.
  func status(_ number: UInt64) -> FileStatus {
    let node = nodes[number] ?? SimulatedDisk.Node(kind: .other, mode: 0)
    let names = nodes.values.reduce(0) { $0 + $1.entries.values.count { $0 == number } }
    return FileStatus(
      kind: node.kind, size: node.visible.count, mode: node.mode, owner: faults.owner ?? node.owner,
      linkCount: UInt64(names), device: 1, inode: number)
  }
}

extension SimulatedDisk.Node {
  /// Changes names, visibly at once.
  mutating func change(_ changes: [SimulatedDisk.EntryChange]) {
    for change in changes { entries[change.name] = change.node }
    pending.append(changes)
  }
}
