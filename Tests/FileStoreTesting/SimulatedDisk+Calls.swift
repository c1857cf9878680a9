import FileStore
import Synchronization

extension SimulatedDisk {
  private func failure(
    _ call: String, _ path: String, _ reason: FileSystemError.Reason, _ text: String
  ) -> FileSystemError {
    FileSystemError(call: call, path: path, reason: reason, errno: -1, text: text)
  }

  /// `Mutex.withLock` with a typed error.
  private func locked<Value: Sendable>(
    _ body: (inout State) throws(FileSystemError) -> Value
  ) throws(FileSystemError) -> Value {
    let result = state.withLock { state -> Result<Value, FileSystemError> in
      do throws(FileSystemError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  package func openDirectory(path: String, followingLinks: Bool) throws(FileSystemError) -> Descriptor {
    try locked { state throws(FileSystemError) in
      try state.begin("open", path)
      let node = try state.resolve(path, "open")
      guard state.nodes[node]?.kind == .directory else { throw failure("open", path, .notADirectory, "no folder") }
      return state.descriptor(node, path)
    }
  }

  package func openDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    try locked { state throws(FileSystemError) in
      let path = directory.path + "/" + name
      try state.begin("openat", path)
      let node = try state.child(name, of: try state.node(directory), "openat")
      guard state.nodes[node]?.kind == .directory else { throw failure("openat", path, .notADirectory, "no folder") }
      return state.descriptor(node, path)
    }
  }

  package func makeDirectory(path: String) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("mkdir", path, changes: true)
      let parent = try state.resolve(path, parent: true, "mkdir")
      try make(String(path.split(separator: "/").last ?? ""), in: parent, &state)
    }
  }

  package func makeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("mkdirat", directory.path + "/" + name, changes: true)
      try make(name, in: try state.node(directory), &state)
    }
  }

  private func make(_ name: String, in directory: UInt64, _ state: inout State) throws(FileSystemError) {
    guard state.nodes[directory]?.entries[name] == nil else {
      throw failure("mkdir", name, .alreadyExists, "file exists")
    }
    _ = state.add(Node(kind: .directory, mode: 0o700), name, in: directory)
  }

  package func openFile(
    _ name: String, in directory: Descriptor, for access: FileAccess
  ) throws(FileSystemError) -> Descriptor {
    try locked { state throws(FileSystemError) in
      let path = directory.path + "/" + name
      try state.begin("openat", path)
      if access != .reading, state.faults.isReadOnly { throw failure("openat", path, .readOnly, "read-only") }
      let node = try state.child(name, of: try state.node(directory), "openat")
      guard state.nodes[node]?.kind != .symbolicLink else { throw failure("openat", path, .symbolicLink, "link") }
      return state.descriptor(node, path)
    }
  }

  package func createFile(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    try locked { state throws(FileSystemError) in
      let path = directory.path + "/" + name
      try state.begin("creat", path, changes: true)
      let parent = try state.node(directory)
      if state.nodes[parent]?.entries[name] != nil { throw failure("creat", path, .alreadyExists, "file exists") }
      if state.faults.failingCreations > 0 {
        state.faults.failingCreations -= 1
        throw failure("creat", path, .inputOutput, "input/output error")
      }
      if let free = state.faults.freeBytes, free <= 0 { throw failure("creat", path, .noSpace, "no space left") }
      return state.descriptor(state.add(Node(kind: .file, mode: 0o600), name, in: parent), path)
    }
  }

  package func close(_ descriptor: Descriptor) {
    state.withLock { state in
      guard let node = state.open.removeValue(forKey: descriptor.number) else { return }
      state.locks[node]?[descriptor.number] = nil
    }
  }

  package func read(
    _ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileSystemError) -> Int {
    let limit = buffer.count
    let bytes = try locked { state throws(FileSystemError) in
      try state.begin("pread", descriptor.path)
      let node = try state.node(descriptor)
      var end = state.nodes[node]?.visible.count ?? 0
      if let bad = state.faults.unreadableFrom {
        if offset >= bad { throw failure("pread", descriptor.path, .inputOutput, "input/output error") }
        end = min(end, bad)
      }
      guard offset < end else { return [UInt8]() }
      return Array(state.nodes[node]?.visible[offset..<min(end, offset + limit)] ?? [])
    }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  package func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) throws(FileSystemError) -> Int {
    let bytes = Array(bytes)
    return try locked { state throws(FileSystemError) in
      try state.begin("write", descriptor.path, changes: true)
      let node = try state.node(descriptor)
      var count = min(bytes.count, state.faults.longestAppend ?? .max)
      if let free = state.faults.freeBytes {
        guard free > 0 else { throw failure("write", descriptor.path, .noSpace, "no space left on device") }
        count = min(count, free)
        state.faults.freeBytes = free - count
      }
      state.nodes[node]?.visible += bytes[..<count]
      return count
    }
  }

  package func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor) throws(FileSystemError) {
    let bytes = Array(bytes)
    try locked { state throws(FileSystemError) in
      try state.begin("pwrite", descriptor.path, changes: true)
      let node = try state.node(descriptor)
      let rest = state.nodes[node]?.visible.dropFirst(bytes.count) ?? []
      state.nodes[node]?.visible = bytes + rest
    }
  }

  package func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("fdatasync", descriptor.path, changes: true)
      let number = try state.node(descriptor)
      guard var node = state.nodes[number] else { return }
      if state.faults.failingSyncs > 0 {
        state.faults.failingSyncs -= 1
        node.lost = node.durable.count..<node.visible.count
        state.nodes[number] = node
        throw failure("fdatasync", descriptor.path, .inputOutput, "input/output error")
      }
      node.durable = node.surviving(node.visible.count)
      state.nodes[number] = node
    }
  }

  package func synchronizeDirectory(_ descriptor: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("fsync", descriptor.path, changes: true)
      let node = try state.node(descriptor)
      let entries = state.nodes[node]?.entries ?? [:]
      state.nodes[node]?.durableEntries = entries
      state.nodes[node]?.pending = []
    }
  }

  package func status(of descriptor: Descriptor) throws(FileSystemError) -> FileStatus {
    try locked { state throws(FileSystemError) in
      try state.begin("fstat", descriptor.path)
      return state.status(try state.node(descriptor))
    }
  }

  package func status(of name: String, in directory: Descriptor) throws(FileSystemError) -> FileStatus {
    try locked { state throws(FileSystemError) in
      try state.begin("fstatat", directory.path + "/" + name)
      return state.status(try state.child(name, of: try state.node(directory), "fstatat"))
    }
  }

  package func status(path: String) throws(FileSystemError) -> FileStatus {
    try locked { state throws(FileSystemError) in
      try state.begin("lstat", path)
      return state.status(try state.resolve(path, "lstat"))
    }
  }

  package func setMode(_ mode: UInt32, of descriptor: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("fchmod", descriptor.path, changes: true)
      state.nodes[try state.node(descriptor)]?.mode = mode
    }
  }

  package func rename(
    _ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor
  ) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("renameat", directory.path + "/" + name, changes: true)
      let (parent, newParent) = (try state.node(directory), try state.node(newDirectory))
      let node = try state.child(name, of: parent, "renameat")
      guard parent != newParent else {
        state.nodes[parent]?.change([.init(name: newName, node: node), .init(name: name, node: nil)])
        return
      }
      state.nodes[newParent]?.change([.init(name: newName, node: node)])
      state.nodes[parent]?.change([.init(name: name, node: nil)])
    }
  }

  package func link(
    _ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor
  ) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("linkat", newDirectory.path + "/" + newName, changes: true)
      let node = try state.child(name, of: try state.node(directory), "linkat")
      let parent = try state.node(newDirectory)
      guard state.nodes[parent]?.entries[newName] == nil else {
        throw failure("linkat", newName, .alreadyExists, "file exists")
      }
      state.nodes[parent]?.change([.init(name: newName, node: node)])
    }
  }

  package func unlink(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("unlinkat", directory.path + "/" + name, changes: true)
      let parent = try state.node(directory)
      _ = try state.child(name, of: parent, "unlinkat")
      state.nodes[parent]?.change([.init(name: name, node: nil)])
    }
  }

  package func removeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    try locked { state throws(FileSystemError) in
      try state.begin("unlinkat", directory.path + "/" + name, changes: true)
      let parent = try state.node(directory)
      let node = try state.child(name, of: parent, "unlinkat")
      guard state.nodes[node]?.entries.isEmpty == true else {
        throw failure("unlinkat", name, .other, "directory not empty")
      }
      state.nodes[parent]?.change([.init(name: name, node: nil)])
    }
  }

  package func names(in directory: Descriptor) throws(FileSystemError) -> [String] {
    try locked { state throws(FileSystemError) in
      try state.begin("readdir", directory.path)
      return Array((state.nodes[try state.node(directory)]?.entries ?? [:]).keys)
    }
  }

  package func lock(_ descriptor: Descriptor, _ kind: LockKind) throws(FileSystemError) -> Bool {
    try locked { state throws(FileSystemError) in
      try state.begin("flock", descriptor.path)
      let node = try state.node(descriptor)
      var holders = state.locks[node] ?? [:]
      holders[descriptor.number] = nil
      guard holders.values.allSatisfy({ $0 == .shared && kind == .shared }) else { return false }
      holders[descriptor.number] = kind
      state.locks[node] = holders
      return true
    }
  }

  package func unlock(_ descriptor: Descriptor) {
    state.withLock { state in
      guard let node = state.open[descriptor.number] else { return }
      state.locks[node]?[descriptor.number] = nil
    }
  }
}
