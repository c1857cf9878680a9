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
