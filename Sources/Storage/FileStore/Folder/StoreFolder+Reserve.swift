enum ReserveUse {
  /// A deletion, which may use all of it.
  case deletions
  /// A checkpoint, which nobody waits for: the space for deletions is left.
  case checkpoints

  /// The files whose space it may use, in order.
  fileprivate var files: [String] {
    switch self {
    case .deletions: [StoreFolder.Name.reserve, StoreFolder.Name.checkpointReserve]
    case .checkpoints: [StoreFolder.Name.checkpointReserve]
    }
  }
}

extension StoreFolder {
  /// Reserves `size` bytes in filler files, half of them for deletions only. On a fuller disk it takes what is free,
  /// except for a sixteenth of `size` left for small changes. Returns whether all is reserved.
  @discardableResult mutating func keepReserve(_ size: Int) -> Bool {
    hasCheckedReserve = true
    let isKept = ReserveUse.deletions.files.map { keep($0, size / 2, leaving: size / 16) }
    return isKept.allSatisfy { $0 }
  }

  private func keep(_ name: String, _ size: Int, leaving margin: Int) -> Bool {
    guard size > 0, let root else { return true }
    let found = try? fileSystem.status(of: name, in: root)
    if let found, found.kind != .file || found.owner != fileSystem.userID || found.size >= size { return true }
    let present = found?.size ?? 0
    var missing = size - present
    if let room = fileSystem.room(in: root) {
      missing = min(missing, room - margin)
      guard missing >= min(margin, size - present) else { return false }
    }
    let opened =
      found == nil
      ? try? fileSystem.createFile(name, in: root) : try? fileSystem.openFile(name, in: root, for: .appending)
    guard let opened else { return false }
    defer { fileSystem.close(opened) }
    guard fileSystem.appendAll([UInt8](repeating: 0, count: missing), to: opened).failure != nil else {
      return present + missing == size
    }
    try? fileSystem.unlink(name, in: root)
    return false
  }

  /// Releases the next part of the reserve for this use; false when there is none.
  func releaseReserve(for use: ReserveUse) -> Bool {
    guard let root else { return false }
    return use.files.contains { name in
      guard let size = try? fileSystem.status(of: name, in: root).size, size > 0 else { return false }
      return (try? fileSystem.unlink(name, in: root)) != nil
    }
  }
}
