import Values

/// A file outside the data folder named by the caller: an export to write, or a text to import.
package struct OutsideFile: Sendable {
  private let path: String
  private let configuration: FileStore.Configuration

  package init(_ path: String, _ configuration: FileStore.Configuration) {
    self.path = path
    self.configuration = configuration
  }

  /// The whole content.
  ///
  /// - Throws: `fileUnusable` when it cannot be read, is no regular file, or has more than `limit` bytes.
  package func contents(limit: Int) throws(StoreError) -> [UInt8] {
    try NamedFile(path, configuration.fileSystem).contents(limit: limit)
  }

  /// Lets `body` write the file piece by piece; the file appears complete or not at all.
  ///
  /// - Throws: `fileExists` when the name exists and `overwrites` is false; `fileUnusable`, `diskFull`, and what
  ///   `body` throws.
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
          // Also correct when another process creates one at this moment.
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
  /// Whether a folder is `outer` or inside it, also through links and “..”; true as well when that is unknown.
  package func isFolder(_ path: String, within outer: String) -> Bool {
    let own: FileStatus
    do throws(FileSystemError) { own = try status(path: outer + "/.") } catch { return error.reason != .notFound }
    var path = path + "/."
    var last: FileStatus?
    // Without a folder nothing can be written.
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
