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
    guard !fileSystem.isFolder(target.folder.path, within: configuration.folder) else {
      throw StoreError(.fileUnusable, "The data folder is no place for an export.", path: path)
    }
    if let present = try? fileSystem.status(of: target.name, in: target.folder) {
      guard overwrites else { throw target.exists }
      guard present.kind == .file else { throw StoreError(.fileUnusable, "It is no regular file.", path: path) }
    }
    let temporary = ".\(target.name).\(fileSystem.processID).\(configuration.newID())"
    let file = try target.calling { () throws(FileSystemError) in
      try fileSystem.createFile(temporary, in: target.folder)
    }
    defer { fileSystem.close(file) }
    var size = 0
    do throws(StoreError) {
      let value = try body { text throws(StoreError) in
        if let failure = fileSystem.appendAll(text, to: file).failure { throw target.failure(failure) }
        fileSystem.beginWriteback(of: file, from: size, count: text.count)
        size += text.count
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
}

extension FileSystem {
  /// Whether a folder is another one or lies in it, also through links and “..”; true as well when that cannot be told.
  package func isFolder(_ path: String, within outer: String) -> Bool {
    let own: FileStatus
    do throws(FileSystemError) { own = try status(path: outer + "/.") } catch { return error.reason != .notFound }
    var path = path + "/."
    var last: FileStatus?
    // Where there is no folder nothing can be written.
    do throws(FileSystemError) { _ = try status(path: path) } catch { return error.reason != .notFound }
    while let status = try? status(path: path) {
      if status.isSameFile(as: own) { return true }
      // The root is its own parent.
      if let last, status.isSameFile(as: last) { return false }
      last = status
      path += "/.."
    }
    return true
  }
}
