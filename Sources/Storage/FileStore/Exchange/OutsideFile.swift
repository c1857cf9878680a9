/// A file outside the data folder named by the caller: an export to write, or a text to import.
package struct OutsideFile: ~Copyable {
  private let path: String
  /// The open folder of the file, and its name there.
  private let folder: Descriptor
  private let name: String
  private let configuration: FileStore.Configuration
  private var fileSystem: any FileSystem { configuration.fileSystem }

  /// - Throws: `fileUnusable` when the path names no file, or its folder cannot be opened.
  package init(_ path: String, _ configuration: FileStore.Configuration) throws(StoreError) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw StoreError(.fileUnusable, "The path names no file.", path: path)
    }
    do throws(FileSystemError) {
      folder = try configuration.fileSystem.openDirectory(path: parent, followingLinks: true)
    } catch { throw OutsideFile.failure(error, path) }
    self.path = path
    self.name = name
    self.configuration = configuration
  }

  deinit { configuration.fileSystem.close(folder) }

  /// The whole content.
  ///
  /// - Throws: `fileUnusable` when it cannot be read, is no regular file, or has more than `limit` bytes.
  package func contents(limit: Int) throws(StoreError) -> [UInt8] {
    let file = try calling { () throws(FileSystemError) in try fileSystem.openFile(name, in: folder, for: .reading) }
    defer { fileSystem.close(file) }
    let status = try calling { () throws(FileSystemError) in try fileSystem.status(of: file) }
    guard status.kind == .file else { throw StoreError(.fileUnusable, "It is not a regular file.", path: path) }
    guard status.size <= limit else {
      throw StoreError(
        .fileUnusable, "The file is too large.", path: path,
        details: ["bytes": String(status.size), "limit": String(limit)])
    }
    let (bytes, problem) = fileSystem.contents(of: file, size: status.size)
    if let problem { throw failure(problem) }
    return bytes
  }

  /// Lets `body` write the file piece by piece; the file appears complete or not at all.
  ///
  /// - Throws: `fileExists` when the name exists and `overwrites` is false; `fileUnusable`, `diskFull`, and what `body`
  ///   throws.
  package func write<Value>(
    overwrites: Bool, _ body: (_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    guard !fileSystem.isFolder(folder.path, within: configuration.folder) else {
      throw StoreError(.fileUnusable, "An export cannot be written into the data folder.", path: path)
    }
    if let present = try? fileSystem.status(of: name, in: folder) {
      guard overwrites else { throw exists }
      guard present.kind == .file else { throw StoreError(.fileUnusable, "It is not a regular file.", path: path) }
    }
    let temporary = ".\(name).\(fileSystem.processID).\(configuration.newID())"
    let file = try calling { () throws(FileSystemError) in try fileSystem.createFile(temporary, in: folder) }
    defer { fileSystem.close(file) }
    var size = 0
    do throws(StoreError) {
      let value = try body { text throws(StoreError) in
        if let failure = fileSystem.appendAll(text, to: file).failure { throw self.failure(failure) }
        fileSystem.beginWriteback(of: file, from: size, count: text.count)
        size += text.count
      }
      try calling { () throws(FileSystemError) in
        try fileSystem.synchronizeFile(file)
        if overwrites {
          try fileSystem.rename(temporary, in: folder, to: name, in: folder)
        } else {
          // Also correct when another process creates one at this moment.
          try fileSystem.link(temporary, in: folder, to: name, in: folder)
          try fileSystem.unlink(temporary, in: folder)
        }
        try fileSystem.synchronizeDirectory(folder)
      }
      return value
    } catch {
      try? fileSystem.unlink(temporary, in: folder)
      throw error
    }
  }

  // MARK: errors

  private var exists: StoreError {
    StoreError(.fileExists, "A file or folder with that name already exists.", path: path)
  }

  private func calling<Value>(_ body: () throws(FileSystemError) -> Value) throws(StoreError) -> Value {
    do throws(FileSystemError) { return try body() } catch { throw failure(error) }
  }

  private func failure(_ error: FileSystemError) -> StoreError {
    error.reason == .alreadyExists ? exists : OutsideFile.failure(error, path)
  }

  private static func failure(_ error: FileSystemError, _ path: String) -> StoreError {
    if error.reason == .noSpace { return StoreError(writing: error) }
    let message = error.reason == .symbolicLink ? "The path leads to a symbolic link." : "The file cannot be used."
    return StoreError(.fileUnusable, message, path: path, systemText: error.text)
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
