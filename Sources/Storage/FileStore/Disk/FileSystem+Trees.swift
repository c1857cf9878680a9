import Platform

extension FileSystem {
  /// Lends a file's bytes piece by piece, up to `limit`.
  func forEachPiece(
    of file: Descriptor, limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let size = min(try status(of: file).size, limit)
    var at = 0
    while at < size {
      let (bytes, failure) = contents(of: file, from: at, size: min(longestRead, size - at))
      if let failure { throw failure }
      if bytes.isEmpty { return }
      at += bytes.count
      try bytes.lend(body)
    }
  }

  /// Throws unless a file has exactly these bytes.
  func verify(_ bytes: [UInt8], in file: Descriptor) throws(FileSystemError) {
    guard try status(of: file).size == bytes.count else {
      throw FileSystemError.differs(file.path, "the length differs")
    }
    for start in stride(from: 0, to: bytes.count, by: longestRead) {
      let expected = Array(bytes[start...].prefix(longestRead))
      let (found, failure) = contents(of: file, from: start, size: expected.count)
      if let failure { throw failure }
      guard found.withUnsafeBytes({ $0.isSame(as: expected) }) else {
        throw FileSystemError.differs(file.path, "the bytes differ from those written")
      }
    }
  }

  func hash(_ name: String, in folder: Descriptor) throws(FileSystemError) -> (bytes: Int, sha256: SHA256Digest) {
    let file = try openFile(name, in: folder, for: .reading)
    defer { close(file) }
    guard try status(of: file).kind == .file else {
      throw FileSystemError(call: "open", path: file.path, reason: .other, errno: 0, text: "not a file")
    }
    var count = 0
    var hash = SHA256()
    try forEachPiece(of: file) { bytes throws(FileSystemError) in
      hash.update(bytes)
      count += bytes.count
    }
    return (count, hash.finish())
  }

  /// Makes a synced copy of a file, or of its first `limit` bytes.
  func copy(_ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor, limit: Int = .max)
    throws(FileSystemError) -> (bytes: Int, sha256: SHA256Digest)
  {
    let file = try openFile(name, in: folder, for: .reading)
    defer { close(file) }
    let new = try createFile(newName, in: newFolder)
    defer { close(new) }
    var count = 0
    var hash = SHA256()
    try forEachPiece(of: file, limit: limit) { bytes throws(FileSystemError) in
      hash.update(bytes)
      count += bytes.count
      if let failure = appendAll(bytes, to: new).failure { throw failure }
    }
    try synchronizeFile(new)
    return (count, hash.finish())
  }

  /// Removes a folder with everything in it, to a limited depth.
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
