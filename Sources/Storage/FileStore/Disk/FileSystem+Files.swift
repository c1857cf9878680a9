import Platform

extension FileSystem {
  /// The maximum number of bytes per read call: a fraction of a millisecond's work, and small enough that the
  /// allocator reuses the memory.
  var longestRead: Int { 256 << 10 }

  /// `size` bytes of a file from an offset on; after a failure, those before it and the error.
  func contents(of descriptor: Descriptor, from offset: Int = 0, size: Int) -> (
    bytes: [UInt8], failure: FileSystemError?
  ) {
    guard size > 0 else { return ([], nil) }
    var failure: FileSystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      do throws(FileSystemError) {
        while count < size {
          let end = min(size, count + longestRead)
          let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<end]))
          let read = try self.read(descriptor, at: offset + count, into: rest)
          if read == 0 { break }
          count += read
          Threads.yieldIfDue()
        }
      } catch { failure = error }
    }
    return (bytes, failure)
  }

  /// The first `limit` bytes of a file as far as readable, the error if any, and the file's size.
  package func contents(of name: String, in folder: Descriptor, limit: Int = .max) throws(FileSystemError) -> (
    bytes: [UInt8], failure: FileSystemError?, size: Int
  ) {
    let file = try openFile(name, in: folder, for: .reading)
    defer { close(file) }
    let size = try status(of: file).size
    let (bytes, failure) = contents(of: file, size: min(size, limit))
    return (bytes, failure, size)
  }

  /// Appends bytes, continuing after short writes; returns how many were written, and the error if not all were.
  func appendAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) -> (count: Int, failure: FileSystemError?)
  { putAll(bytes, descriptor) { rest, _ throws(FileSystemError) in try append(rest, to: descriptor) } }

  /// Overwrites bytes at an offset, continuing after short writes; returns how many were written, and the error if not
  /// all were.
  func overwriteAll(_ bytes: [UInt8], of descriptor: Descriptor, at offset: Int) -> (
    count: Int, failure: FileSystemError?
  ) {
    bytes.withUnsafeBytes { bytes in
      putAll(bytes, descriptor) { rest, count throws(FileSystemError) in
        try overwrite(rest, of: descriptor, at: offset + count)
      }
    }
  }

  private func putAll(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: Descriptor,
    _ put: (_ rest: UnsafeRawBufferPointer, _ count: Int) throws(FileSystemError) -> Int
  ) -> (count: Int, failure: FileSystemError?) {
    var count = 0
    do throws(FileSystemError) {
      while count < bytes.count {
        let taken = try put(UnsafeRawBufferPointer(rebasing: bytes[count...]), count)
        // No progress without an error counts as a full disk.
        if taken == 0 {
          throw FileSystemError(
            call: "write", path: descriptor.path, reason: .noSpace, errno: 0, text: "nothing was written")
        }
        count += taken
      }
      return (count, nil)
    } catch { return (count, error) }
  }

  func appendAll(_ bytes: [UInt8], to descriptor: Descriptor) -> (count: Int, failure: FileSystemError?) {
    bytes.withUnsafeBytes { appendAll($0, to: descriptor) }
  }

  /// Creates a synced file with those bytes.
  package func create(_ name: String, in folder: Descriptor, _ bytes: [UInt8]) throws(FileSystemError) {
    try fill(try createFile(name, in: folder), with: bytes)
  }

  /// Writes, syncs and closes a new file.
  func fill(_ file: Descriptor, with bytes: [UInt8]) throws(FileSystemError) {
    defer { close(file) }
    if let failure = appendAll(bytes, to: file).failure { throw failure }
    try synchronizeFile(file)
  }

  /// Opens a file for updating, creating it if missing.
  func openOrCreate(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Descriptor {
    if let present = try FileSystemError.ignoring(.notFound, openFile(name, in: folder, for: .updating)) {
      return present
    }
    return try createAndOpen(name, in: folder)
  }

  /// Creates a file if missing, and opens it for updating.
  func createAndOpen(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Descriptor {
    _ = try FileSystemError.ignoring(.alreadyExists, close(createFile(name, in: folder)))
    return try openFile(name, in: folder, for: .updating)
  }

  /// Opens a lock file, creating it if missing, and locks it; nil when another process holds it.
  func tryLock(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Descriptor? {
    let file = try createAndOpen(name, in: folder)
    do throws(FileSystemError) { if try lock(file, .exclusive) { return file } } catch {
      close(file)
      throw error
    }
    close(file)
    return nil
  }

  /// Creates a folder inside another unless the name is taken.
  package func makeDirectoryIfMissing(_ name: String, in folder: Descriptor) throws(FileSystemError) {
    _ = try FileSystemError.ignoring(.alreadyExists, makeDirectory(name, in: folder))
  }

  /// The status of a name; nil when nothing has it.
  func statusIfPresent(of name: String, in folder: Descriptor) throws(FileSystemError) -> FileStatus? {
    try FileSystemError.ignoring(.notFound, status(of: name, in: folder))
  }

  /// Removes a file's name if present; returns whether it was.
  @discardableResult package func unlinkIfPresent(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Bool
  {
    try FileSystemError.ignoring(.notFound, unlink(name, in: folder)) != nil
  }
}
