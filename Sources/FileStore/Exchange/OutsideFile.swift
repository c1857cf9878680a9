import Values

/// A file outside of the data folder that a caller named: an export to be made, or a text to be imported.
package struct OutsideFile: Sendable {
  private let path: String
  private let configuration: FileStore.Configuration

  package init(_ path: String, _ configuration: FileStore.Configuration) {
    self.path = path
    self.configuration = configuration
  }

  /// All its bytes.
  ///
  /// - Throws: `fileUnusable` when it cannot be read, is no regular file, or has more than `limit` bytes.
  package func contents(limit: Int) throws(StoreError) -> [UInt8] {
    try NamedFile(path, configuration.fileSystem).contents(limit: limit)
  }

  /// Has `body` write the file piece by piece; it is there wholly or not at all.
  ///
  /// - Throws: `fileExists` when something has that name and is not to be replaced; `fileUnusable`, `diskFull`, and what `body`
  ///   throws otherwise.
  package func write<Value>(
    overwrites: Bool, _ body: (_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let target = try NamedFile(path, configuration.fileSystem)
    let fileSystem = configuration.fileSystem
    if let present = try? fileSystem.status(of: target.name, in: target.folder) {
      guard overwrites else { throw target.exists }
      guard present.kind == .file else { throw StoreError(.fileUnusable, "It is no regular file.", path: path) }
    }
    guard !isOwn(target.folder) else {
      throw StoreError(.fileUnusable, "The data folder is no place for an export.", path: path)
    }
    let temporary = ".\(target.name).\(fileSystem.processID).\(configuration.newID())"
    let file = try target.calling { () throws(FileSystemError) in
      try fileSystem.createFile(temporary, in: target.folder)
    }
    defer { fileSystem.close(file) }
    do throws(StoreError) {
      let value = try body { text throws(StoreError) in
        let failure = text.withUnsafeBytes { fileSystem.appendAll($0, to: file) }
        if let failure { throw target.failure(failure) }
      }
      try target.calling { () throws(FileSystemError) in
        try fileSystem.synchronizeFile(file)
        if overwrites {
          try fileSystem.rename(temporary, in: target.folder, to: target.name, in: target.folder)
        } else {
          // Exact also when somebody else makes one at this moment.
          try fileSystem.link(temporary, in: target.folder, to: target.name, in: target.folder)
          try fileSystem.unlink(temporary, in: target.folder)
        }
        try fileSystem.synchronizeDirectory(target.folder)
      }
      return value
    } catch {
      try? fileSystem.unlink(temporary, in: target.folder)
      throw error
    }
  }

  /// Whether a folder is the data folder or one of those in it.
  private func isOwn(_ folder: Descriptor) -> Bool {
    let fileSystem = configuration.fileSystem
    guard let status = try? fileSystem.status(of: folder) else { return false }
    let names = [
      "", StoreFolder.Name.journal, StoreFolder.Name.segments, Quarantine.Name.folder, BackupPlace.folderName,
    ]
    return names.contains { name in
      (try? fileSystem.status(path: configuration.folder + (name.isEmpty ? "" : "/" + name)))?.isSameFile(as: status)
        ?? false
    }
  }
}
