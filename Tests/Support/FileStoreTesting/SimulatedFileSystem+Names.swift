import FileStore

extension SimulatedFileSystem {
  package func makeDirectory(path: String) throws(FileSystemError) {
    try call(.makeDirectory, DiskPlace(path)) { state, _ throws(FileSystemError) in
      let parent = try state.resolve(path, parent: true, .makeDirectory)
      try make(String(path.split(separator: "/").last ?? ""), in: parent, DiskPlace(path), &state)
    }
  }

  package func makeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    let at = DiskPlace(directory.path, name)
    try call(.makeDirectory, at) { state, _ throws(FileSystemError) in
      try make(name, in: try state.node(directory, .makeDirectory, by: place), at, &state)
    }
  }

  private func make(
    _ name: String, in directory: Int, _ at: DiskPlace, _ state: inout DiskState
  ) throws(FileSystemError) {
    // The empty name is the root's.
    guard !name.isEmpty, state.nodes[directory].entries[name] == nil else {
      throw failure(.makeDirectory, at, .alreadyExists)
    }
    if let free = state.faults.freeBytes, free <= 0 { throw failure(.makeDirectory, at, .noSpace) }
    state.change(name, in: directory, to: state.add(.directory, mode: 0o700), order: state.order())
  }

  package func synchronizeDirectory(_ descriptor: Descriptor) throws(FileSystemError) {
    try call(.synchronizeDirectory, DiskPlace(descriptor.path)) { state, _ throws(FileSystemError) in
      let node = try state.node(descriptor, .synchronizeDirectory, by: place)
      state.milliseconds += state.faults.syncMilliseconds
      if state.faults.ignoresSyncs { return }
      let kept = state.nodes[node].pending.filter(\.isForgotten)
      let done = state.nodes[node].pending.filter { !$0.isForgotten }
      state.remember(DiskSync(node: node, pending: done, floor: state.floor))
      state.nodes[node].pending = kept
      state.nodes[node].syncedMode = state.nodes[node].mode
      if let last = done.last { state.floor = max(state.floor, last.order + 1) }
    }
  }

  package func status(of name: String, in directory: Descriptor) throws(FileSystemError) -> FileStatus {
    let at = DiskPlace(directory.path, name)
    return try call(.status, at) { state, _ throws(FileSystemError) in
      state.status(try state.child(name, of: try state.node(directory, .status, by: place), .status, at))
    }
  }

  package func status(path: String) throws(FileSystemError) -> FileStatus {
    try call(.status, DiskPlace(path)) { state, _ throws(FileSystemError) in
      state.status(try state.resolve(path, .status))
    }
  }

  package func rename(
    _ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor
  ) throws(FileSystemError) {
    let at = DiskPlace(directory.path, name)
    try call(.rename, at) { state, effect throws(FileSystemError) in
      let parent = try state.node(directory, .rename, by: place)
      let newParent = try state.node(newDirectory, .rename, by: place)
      let node = try state.child(name, of: parent, .rename, at)
      // Two names of one file: the system does nothing.
      if state.nodes[newParent].entries[newName] == node { return }
      if let old = state.nodes[newParent].entries[newName], state.nodes[old].kind == .directory,
        !state.nodes[old].entries.isEmpty
      {
        throw failure(.rename, at, .other)
      }
      let (order, isForgotten) = (state.order(), effect?.isForgotten ?? false)
      state.change(newName, in: newParent, to: node, order: order, isForgotten: isForgotten)
      state.change(name, in: parent, to: nil, order: order, isForgotten: isForgotten)
    }
  }

  package func link(
    _ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor
  ) throws(FileSystemError) {
    let at = DiskPlace(newDirectory.path, newName)
    try call(.link, at) { state, effect throws(FileSystemError) in
      let node = try state.child(name, of: try state.node(directory, .link, by: place), .link, at)
      let parent = try state.node(newDirectory, .link, by: place)
      guard state.nodes[parent].entries[newName] == nil else { throw failure(.link, at, .alreadyExists) }
      guard state.nodes[node].kind != .directory else { throw failure(.link, at, .permissionDenied) }
      state.change(newName, in: parent, to: node, order: state.order(), isForgotten: effect?.isForgotten ?? false)
    }
  }

  package func unlink(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    let at = DiskPlace(directory.path, name)
    try call(.unlink, at) { state, effect throws(FileSystemError) in
      let parent = try state.node(directory, .unlink, by: place)
      let node = try state.child(name, of: parent, .unlink, at)
      guard state.nodes[node].kind != .directory else { throw failure(.unlink, at, .other) }
      if let free = state.faults.freeBytes, state.nodes[node].links == 1 {
        state.faults.freeBytes = free + state.nodes[node].bytes.count
      }
      state.change(name, in: parent, to: nil, order: state.order(), isForgotten: effect?.isForgotten ?? false)
    }
  }

  package func removeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    let at = DiskPlace(directory.path, name)
    try call(.removeDirectory, at) { state, effect throws(FileSystemError) in
      let parent = try state.node(directory, .removeDirectory, by: place)
      let node = try state.child(name, of: parent, .removeDirectory, at)
      guard state.nodes[node].kind == .directory else { throw failure(.removeDirectory, at, .notADirectory) }
      guard state.nodes[node].entries.isEmpty else {
        throw FileSystemError(
          call: "rmdirat", path: at.text, reason: .other, errno: 39, text: "directory not empty")
      }
      state.change(name, in: parent, to: nil, order: state.order(), isForgotten: effect?.isForgotten ?? false)
    }
  }

  package func names(in directory: Descriptor) throws(FileSystemError) -> [String] {
    try call(.list, DiskPlace(directory.path)) { state, _ throws(FileSystemError) in
      // In an arbitrary but reproducible order, unlike a dictionary's.
      state.nodes[try state.node(directory, .list, by: place)].entries.keys.sorted(by: >)
    }
  }
}

extension DiskFault.Effect {
  /// Whether the next crash reverts the change.
  var isForgotten: Bool {
    if case .isForgotten = self { true } else { false }
  }
}
