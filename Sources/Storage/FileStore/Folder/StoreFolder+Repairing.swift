extension StoreFolder {
  /// Removes permissions of others from everything in the folder that is ours. Permissions denied by the owner stay
  /// denied; failures are left to the code that needs the file.
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
      case .file: try? repairMode(of: name, status, in: directory)
      case .directory where depth > 0:
        guard let folder = try? fileSystem.openDirectory(name, in: directory) else { continue }
        defer { fileSystem.close(folder) }
        try? repairMode(of: folder)
        repairModes(in: folder, depth: depth - 1)
      default: continue
      }
    }
  }
}
