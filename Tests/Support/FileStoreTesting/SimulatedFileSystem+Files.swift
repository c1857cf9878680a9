import FileStore
import Platform

extension SimulatedFileSystem {
  /// Makes a call: counts it, applies faults, runs `body`.
  @inline(__always)
  func call<Value: Sendable>(
    _ call: DiskCall, _ place: DiskPlace,
    _ body: (inout DiskState, DiskFault.Effect?) throws(FileSystemError) -> Value
  ) throws(FileSystemError) -> Value {
    let process = self.place
    if let act = disk.guts.withLock({ $0.takeInterlude(of: process) }) { act() }
    let result = disk.guts.withLock { guts -> Result<Value, FileSystemError> in
      do throws(FileSystemError) {
        let effect = try guts.begin(call, place, by: process)
        let value = try body(&guts.state, effect)
        if case .happensYetFails(let reason)? = effect { throw failure(call, place, reason) }
        return .success(value)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  package func openDirectory(path: String, followingLinks: Bool) throws(FileSystemError) -> Descriptor {
    let at = DiskPlace(path)
    return try call(.open, at) { state, _ throws(FileSystemError) in
      let node = try state.resolve(path, .open)
      guard state.nodes[node].kind == .directory else { throw failure(.open, at, .notADirectory) }
      return state.open(node, path, by: place)
    }
  }

  package func openDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    let at = DiskPlace(directory.path, name)
    return try call(.open, at) { state, _ throws(FileSystemError) in
      let node = try state.child(name, of: try state.node(directory, .open, by: place), .open, at)
      guard state.nodes[node].kind == .directory else { throw failure(.open, at, .notADirectory) }
      return state.open(node, at.text, by: place)
    }
  }

  package func openFile(
    _ name: String, in directory: Descriptor, for access: FileAccess
  ) throws(FileSystemError) -> Descriptor {
    let at = DiskPlace(directory.path, name)
    return try call(.open, at) { state, _ throws(FileSystemError) in
      if access != .reading, state.faults.isReadOnly { throw failure(.open, at, .readOnly) }
      let node = try state.child(name, of: try state.node(directory, .open, by: place), .open, at)
      guard state.nodes[node].kind != .symbolicLink else { throw failure(.open, at, .symbolicLink) }
      guard access == .reading || state.nodes[node].kind != .directory else { throw failure(.open, at, .other) }
      return state.open(node, at.text, by: place)
    }
  }

  package func createFile(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    let at = DiskPlace(directory.path, name)
    return try call(.create, at) { state, effect throws(FileSystemError) in
      let parent = try state.node(directory, .create, by: place)
      if state.nodes[parent].entries[name] != nil { throw failure(.create, at, .alreadyExists) }
      if state.faults.failingCreations > 0 {
        state.faults.failingCreations -= 1
        throw failure(.create, at, .inputOutput)
      }
      if let free = state.faults.freeBytes, free <= 0 { throw failure(.create, at, .noSpace) }
      let node = state.add(.file, mode: 0o600)
      state.change(name, in: parent, to: node, order: state.order(), isForgotten: effect?.isForgotten ?? false)
      // The caller gets no descriptor, so there must be none.
      if case .happensYetFails(let reason)? = effect { throw failure(.create, at, reason) }
      return state.open(node, at.text, by: place)
    }
  }

  package func close(_ descriptor: Descriptor) {
    let process = place
    disk.guts.withLock { $0.state.close(Int(descriptor.number) - 3, by: process) }
  }

  package func read(
    _ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileSystemError) -> Int {
    let at = DiskPlace(descriptor.path)
    return try call(.read, at) { state, _ throws(FileSystemError) in
      let node = try state.node(descriptor, .read, by: place)
      guard state.nodes[node].kind != .directory else { throw failure(.read, at, .other) }
      var end = state.nodes[node].bytes.count
      if let bad = state.faults.unreadableFrom {
        if offset >= bad { throw failure(.read, at, .inputOutput) }
        end = min(end, bad)
      }
      guard offset < end else { return 0 }
      let count = min(end - offset, buffer.count)
      state.nodes[node].bytes.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
      }
      return count
    }
  }

  package func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) throws(FileSystemError) -> Int {
    let at = DiskPlace(descriptor.path)
    return try call(.append, at) { state, effect throws(FileSystemError) in
      let node = try state.node(descriptor, .append, by: place)
      var count = min(bytes.count, state.faults.longestAppend ?? .max)
      if case .isShort(let limit)? = effect { count = min(count, limit) }
      if let free = state.faults.freeBytes {
        guard free > 0 else { throw failure(.append, at, .noSpace) }
        count = min(count, free)
        state.faults.freeBytes = free - count
      }
      state.nodes[node].appends.append(state.nodes[node].bytes.count)
      state.nodes[node].bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return count
    }
  }

  package func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor, at offset: Int)
    throws(FileSystemError) -> Int
  {
    let at = DiskPlace(descriptor.path)
    return try call(.overwrite, at) { state, effect throws(FileSystemError) in
      let node = try state.node(descriptor, .overwrite, by: place)
      var count = min(bytes.count, state.faults.longestAppend ?? .max)
      if case .isShort(let limit)? = effect { count = min(count, limit) }
      let size = state.nodes[node].bytes.count
      if offset > size { state.nodes[node].bytes += [UInt8](repeating: 0, count: offset - size) }
      // Allocated ranges need no more space.
      let covered = min(count, max(size - offset, 0))
      if let free = state.faults.freeBytes, count > covered {
        guard free > 0 || covered > 0 else { throw failure(.overwrite, at, .noSpace) }
        count = covered + min(count - covered, max(free, 0))
        state.faults.freeBytes = free - (count - covered)
      }
      let end = offset + covered
      if covered > 0 {
        state.nodes[node].overwrites.append(.init(offset: offset, old: Array(state.nodes[node].bytes[offset..<end])))
      }
      if count > covered { state.nodes[node].appends.append(end) }
      state.nodes[node].saveAgain(offset..<(offset + count))
      state.nodes[node].bytes.replaceSubrange(offset..<end, with: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return count
    }
  }

  package func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError) {
    let at = DiskPlace(descriptor.path)
    try call(.synchronizeFile, at) { state, _ throws(FileSystemError) in
      let number = try state.node(descriptor, .synchronizeFile, by: place)
      state.milliseconds += state.faults.syncMilliseconds
      if state.faults.ignoresSyncs { return }
      let end = state.nodes[number].bytes.count
      let synced = state.nodes[number].syncedCount
      if state.faults.failingSyncs > 0 {
        state.faults.failingSyncs -= 1
        state.failedSyncs += 1
        if synced < end { state.nodes[number].lost.append(synced..<end) }
        state.nodes[number].lostOverwrites += state.nodes[number].overwrites
        state.nodes[number].overwrites = []
        throw failure(.synchronizeFile, at, .inputOutput)
      }
      // Length and contents are saved, except ranges lost by an earlier sync.
      state.remember(
        DiskSync(
          node: number, syncedCount: synced, appends: state.nodes[number].appends,
          overwrites: state.nodes[number].overwrites, floor: state.floor))
      state.nodes[number].syncedCount = end
      state.nodes[number].appends = []
      state.nodes[number].overwrites = []
      state.nodes[number].syncedMode = state.nodes[number].mode
    }
  }

  package func status(of descriptor: Descriptor) throws(FileSystemError) -> FileStatus {
    try call(.status, DiskPlace(descriptor.path)) { state, _ throws(FileSystemError) in
      state.status(try state.node(descriptor, .status, by: place))
    }
  }

  package func map(_ file: Descriptor) -> (@Sendable (_ offset: Int) -> UInt64)? {
    let (disk, process) = (disk, place)
    let mapped = disk.guts.withLock { guts -> Int? in
      guard guts.state.faults.mapsFiles, let node = try? guts.state.node(file, .read, by: process) else { return nil }
      // Never freed: the end of its use is unknown.
      guts.state.nodes[node].holds += 1
      return node
    }
    guard let node = mapped else { return nil }
    return { offset in
      disk.guts.withLock { guts in
        let bytes = guts.state.nodes[node].bytes
        return (0..<8).reduce(0) { word, index in
          offset + index < bytes.count ? word | UInt64(bytes[offset + index]) << (8 * index) : word
        }
      }
    }
  }

  package func setMode(_ mode: UInt32, of descriptor: Descriptor) throws(FileSystemError) {
    try call(.setMode, DiskPlace(descriptor.path)) { state, _ throws(FileSystemError) in
      state.nodes[try state.node(descriptor, .setMode, by: place)].mode = mode
    }
  }

  package func lock(_ descriptor: Descriptor, _ kind: LockKind) throws(FileSystemError) -> Bool {
    try call(.lock, DiskPlace(descriptor.path)) { state, _ throws(FileSystemError) in
      _ = try state.node(descriptor, .lock, by: place)
      return state.lock(Int(descriptor.number) - 3, kind, by: place)
    }
  }

  package func unlock(_ descriptor: Descriptor) {
    let process = place
    disk.guts.withLock { guts in
      guard (try? guts.state.node(descriptor, .lock, by: process)) != nil else { return }
      guts.state.unlock(Int(descriptor.number) - 3, by: process)
    }
  }
}
