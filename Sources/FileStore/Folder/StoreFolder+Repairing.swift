extension StoreFolder {
  /// Takes away what lets others in, of everything in the folder that is ours. What the owner has denied themselves stays
  /// denied; what cannot be repaired is left to whoever needs it.
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

  /// Keeps so many bytes of room back, if there is room: a file that does nothing but be there. Whether there is one now.
  @discardableResult
  mutating func keepReserve(_ size: Int) -> Bool {
    hasLookedForReserve = true
    guard size > 0, let root, (try? fileSystem.status(of: Name.reserve, in: root)) == nil else { return true }
    guard let file = try? fileSystem.createFile(Name.reserve, in: root) else { return false }
    defer { fileSystem.close(file) }
    guard fileSystem.appendAll([UInt8](repeating: 0, count: size), to: file).failure != nil else { return true }
    releaseReserve()
    return false
  }

  /// Gives the room back, so that deletions and checkpoints can be written, which make more; whether there was any.
  @discardableResult
  func releaseReserve() -> Bool {
    guard let root else { return false }
    do throws(FileSystemError) {
      try fileSystem.unlink(Name.reserve, in: root)
      return true
    } catch { return false }
  }
}
