extension StoreFolder {
  /// Takes away what lets others in, of everything in the folder that is ours. What the owner has denied themselves stays
  /// denied; what cannot be repaired is left to the code that needs it.
  func repairModes() {
    guard let root else { return }
    repairModes(in: root, depth: 3)
  }

  private func repairModes(in directory: Descriptor, depth: Int) {
    for name in ((try? fileSystem.names(in: directory)) ?? []).sorted() {
      guard let status = try? fileSystem.status(of: name, in: directory), status.owner == fileSystem.userID else {
        continue
      }
      switch status.kind {
      case .file: try? repairMode(of: name, in: directory)
      case .directory where depth > 0:
        guard let folder = try? fileSystem.openDirectory(name, in: directory) else { continue }
        defer { fileSystem.close(folder) }
        try? repairMode(of: folder)
        repairModes(in: folder, depth: depth - 1)
      default: continue
      }
    }
  }

  // MARK: the reserve

  /// Keeps so many bytes of room back: a file that does nothing but be there. Where there is less room, it takes what there is but for a
  /// sixteenth part of that size, which is left to small changes. Whether so many are kept now.
  @discardableResult mutating func keepReserve(_ size: Int) -> Bool {
    hasLookedForReserve = true
    guard size > 0, let root else { return true }
    let found = try? fileSystem.status(of: Name.reserve, in: root)
    if let found, found.kind != .file || found.owner != fileSystem.userID || found.size >= size { return true }
    let present = found?.size ?? 0
    var missing = size - present
    if let room = fileSystem.room(in: root) {
      missing = min(missing, room - size / 16)
      guard missing >= min(size / 16, size - present) else { return false }
    }
    let opened =
      found == nil
      ? try? fileSystem.createFile(Name.reserve, in: root)
      : try? fileSystem.openFile(Name.reserve, in: root, for: .appending)
    guard let opened else { return false }
    defer { fileSystem.close(opened) }
    guard fileSystem.appendAll([UInt8](repeating: 0, count: missing), to: opened).failure != nil else {
      return present + missing == size
    }
    releaseReserve()
    return false
  }

  /// Gives the room back but for so many bytes, so that deletions and checkpoints can be written, which make more; whether there was
  /// more than that.
  @discardableResult func releaseReserve(keeping kept: Int = 0) -> Bool {
    guard let root else { return false }
    do throws(FileSystemError) {
      guard try fileSystem.status(of: Name.reserve, in: root).size > kept else { return false }
      try fileSystem.unlink(Name.reserve, in: root)
    } catch { return false }
    var folder = self
    if kept > 0 { folder.keepReserve(kept) }
    return true
  }
}
