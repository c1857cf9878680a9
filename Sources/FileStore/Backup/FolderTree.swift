/// The folders within one folder, opened, and made if need be, when a file in them is asked for.
struct FolderTree: ~Copyable {
  private let fileSystem: any FileSystem
  private let root: Descriptor
  private let makes: Bool
  /// By path; the root's is empty.
  private var open: [String: Descriptor]

  /// `root` stays the caller's.
  init(_ fileSystem: any FileSystem, _ root: Descriptor, makes: Bool = false) {
    self.fileSystem = fileSystem
    self.root = root
    self.makes = makes
    open = ["": root]
  }

  deinit {
    for (path, folder) in open where !path.isEmpty { fileSystem.close(folder) }
  }

  /// The folder that a file is in, and the last part of its path.
  mutating func place(of path: String) throws(FileSystemError) -> (folder: Descriptor, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (root, path) }
    return (try folder(String(path[..<slash])), String(path[path.index(after: slash)...]))
  }

  private mutating func folder(_ path: String) throws(FileSystemError) -> Descriptor {
    if let known = open[path] { return known }
    let (parent, name) = try place(of: path)
    if makes {
      do throws(FileSystemError) {
        try fileSystem.makeDirectory(name, in: parent)
      } catch  where error.reason != .alreadyExists { throw error } catch {}
    }
    let folder = try fileSystem.openDirectory(name, in: parent)
    open[path] = folder
    return folder
  }

  /// Returns when all names in the folders used are on the medium, those in the inner ones first.
  func synchronize() throws(FileSystemError) {
    for (_, folder) in open.sorted(by: { $0.key > $1.key }) { try fileSystem.synchronizeDirectory(folder) }
  }
}

extension FileSystem {
  /// Bytes that are read and written at a time.
  private var piece: Int { 1 << 20 }

  /// Lends a file's bytes piece by piece, up to `limit`.
  func forEachPiece(
    of file: Descriptor, limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let size = min(try status(of: file).size, limit)
    var at = 0
    while at < size {
      let (bytes, failure) = contents(of: file, from: at, size: min(piece, size - at))
      if let failure { throw failure }
      if bytes.isEmpty { return }
      at += bytes.count
      var thrown: FileSystemError?
      bytes.withUnsafeBytes { buffer in
        do throws(FileSystemError) { try body(buffer) } catch { thrown = error }
      }
      if let thrown { throw thrown }
    }
  }

  /// The length and the hash of a file.
  func hash(_ name: String, in folder: Descriptor) throws(FileSystemError) -> (bytes: Int, sha256: SHA256Digest) {
    let file = try openFile(name, in: folder, for: .reading)
    defer { close(file) }
    guard try status(of: file).kind == .file else {
      throw FileSystemError(call: "open", path: file.path, reason: .other, errno: 0, text: "it is no file")
    }
    var count = 0
    var hash = SHA256()
    try forEachPiece(of: file) { bytes throws(FileSystemError) in
      hash.update(bytes)
      count += bytes.count
    }
    return (count, hash.finish())
  }

  /// Makes a synchronized copy of a file, or of its first `limit` bytes.
  func copy(
    _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor, limit: Int = .max
  ) throws(FileSystemError) -> (bytes: Int, sha256: SHA256Digest) {
    let file = try openFile(name, in: folder, for: .reading)
    defer { close(file) }
    let new = try createFile(newName, in: newFolder)
    defer { close(new) }
    var count = 0
    var hash = SHA256()
    try forEachPiece(of: file, limit: limit) { bytes throws(FileSystemError) in
      hash.update(bytes)
      count += bytes.count
      if let failure = appendAll(bytes, to: new) { throw failure }
    }
    try synchronizeFile(new)
    return (count, hash.finish())
  }

  /// Makes a synchronized file of those bytes.
  func create(_ name: String, in folder: Descriptor, _ bytes: [UInt8]) throws(FileSystemError) {
    let file = try createFile(name, in: folder)
    defer { close(file) }
    if let failure = appendAll(bytes, to: file).failure { throw failure }
    try synchronizeFile(file)
  }

  /// Appends bytes, calling again after a short write; returns why not all of them are in the file.
  func appendAll(_ bytes: UnsafeRawBufferPointer, to file: Descriptor) -> FileSystemError? {
    var rest = bytes
    while !rest.isEmpty {
      do throws(FileSystemError) {
        let taken = try append(rest, to: file)
        if taken == 0 {
          return FileSystemError(
            call: "write", path: file.path, reason: .noSpace, errno: 0, text: "nothing was written")
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      } catch { return error }
    }
    return nil
  }

  /// Removes a folder with everything in it, which is never more than some folders deep.
  func removeTree(_ name: String, in parent: Descriptor, depth: Int = 8) throws(FileSystemError) {
    guard depth > 0 else { return }
    do throws(FileSystemError) {
      let folder = try openDirectory(name, in: parent)
      defer { close(folder) }
      for entry in try names(in: folder) {
        if try status(of: entry, in: folder).kind == .directory {
          try removeTree(entry, in: folder, depth: depth - 1)
        } else {
          try unlink(entry, in: folder)
        }
      }
    } catch {
      if error.reason == .notFound { return }
      throw error
    }
    try removeDirectory(name, in: parent)
  }
}
