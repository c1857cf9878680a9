extension StoreFolder {
  /// Throws if this version of the program must not write in the folder, because a newer one wrote it. Every writer
  /// except the log checks this first; a loaded store knows the answer already (`FileStore.refusal`).
  ///
  /// - Throws: `storeReadOnly`.
  func checkWritable() throws(StoreError) {
    guard let root else { return }
    if let text = ownContents(Name.identity, in: root, limit: 65536), let obstacle = StoreIdentityReading(text).obstacle
    {
      throw StoreError.newerVersion(path, obstacle)
    }
    let files = ManifestFiles(folder: self, root: root)
    for name in [ManifestFiles.Name.current] + (try files.predecessors()).map(ManifestFiles.Name.predecessor) {
      guard let text = ownContents(name, in: root, limit: ManifestFiles.longestFile) else { continue }
      switch ManifestHead.read(text) {
      case .damaged: continue
      case .newer(let reason): throw StoreError.newerVersion(path, reason)
      case .readable(let head):
        if head.isWritable { return }
        throw StoreError.newerVersion(path, "its manifest forbids it")
      }
    }
  }

  /// The text of a file that is ours, or its `first` bytes; nil when it is missing, longer than `limit`, or unreadable.
  func ownContents(_ name: String, in directory: Descriptor, limit: Int, first: Int = .max) -> [UInt8]? {
    readOwn(name, in: directory, limit: limit) { file, size in
      let size = min(size, first)
      let (bytes, failure) = fileSystem.contents(of: file, size: size)
      return failure == nil && bytes.count == size ? bytes : nil
    }
  }

  /// Opens a file that is ours while `body` reads it; nil when it is missing, or longer than `limit`.
  func readOwn<Value>(_ name: String, in directory: Descriptor, limit: Int, _ body: (Descriptor, _ size: Int) -> Value?)
    -> Value?
  {
    guard let file = try? fileSystem.openFile(name, in: directory, for: .reading) else { return nil }
    defer { fileSystem.close(file) }
    guard let status = try? fileSystem.status(of: file), status.kind == .file, status.owner == fileSystem.userID,
      status.size <= limit
    else { return nil }
    return body(file, status.size)
  }
}

extension StoreError {
  /// The refusal to write to a newer version's store.
  static func newerVersion(_ path: String, _ reason: String? = nil) -> StoreError {
    StoreError(
      .storeReadOnly, "A newer version of this program wrote the store; this one can only read it.", path: path,
      details: reason.map { ["reason": $0] } ?? [:])
  }
}
