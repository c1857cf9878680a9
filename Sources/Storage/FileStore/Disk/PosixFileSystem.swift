import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The real file system. Makes all C calls, except one that Swift cannot import; interrupted calls are retried.
package struct PosixFileSystem: FileSystem {
  package init() {}

  package let userID = geteuid()
  package let processID = getpid()

  // O_NONBLOCK: opening a stray FIFO must not wait for its other end.
  private static let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  package func openDirectory(path: String, followingLinks: Bool) throws(FileSystemError) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    return Descriptor(number: try check("open", path) { openat(AT_FDCWD, path, flags) }, path: path)
  }

  package func openDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    let path = directory.path + "/" + name
    let number = try check("openat", path) { openat(directory.number, name, O_RDONLY | O_DIRECTORY | Self.always) }
    return Descriptor(number: number, path: path)
  }

  package func makeDirectory(path: String) throws(FileSystemError) {
    _ = try check("mkdir", path) { mkdirat(AT_FDCWD, path, 0o700) }
  }

  package func makeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    _ = try check("mkdirat", directory.path + "/" + name) { mkdirat(directory.number, name, 0o700) }
  }

  package func openFile(_ name: String, in directory: Descriptor, for access: FileAccess) throws(FileSystemError)
    -> Descriptor
  {
    let mode =
      switch access {
      case .reading: O_RDONLY
      case .appending: O_WRONLY | O_APPEND
      case .updating: O_RDWR
      }
    let path = directory.path + "/" + name
    let number = try check("openat", path) { openat(directory.number, name, mode | Self.always) }
    return Descriptor(number: number, path: path)
  }

  package func createFile(_ name: String, in directory: Descriptor) throws(FileSystemError) -> Descriptor {
    let path = directory.path + "/" + name
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | Self.always
    let number = try check("openat", path) { openat(directory.number, name, flags, 0o600) }
    return Descriptor(number: number, path: path)
  }

  package func close(_ descriptor: Descriptor) {
    // Not retried when interrupted: Linux has closed it already.
    _ = systemClose(descriptor.number)
  }

  package func read(_ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer)
    throws(FileSystemError) -> Int
  { try check("pread", descriptor.path) { pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)) } }

  package func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor) throws(FileSystemError) -> Int {
    try check("write", descriptor.path) { write(descriptor.number, bytes.baseAddress, bytes.count) }
  }

  package func overwrite(_ bytes: UnsafeRawBufferPointer, of descriptor: Descriptor, at offset: Int)
    throws(FileSystemError) -> Int
  {
    try check("pwrite", descriptor.path) {
      pwrite(descriptor.number, bytes.baseAddress, bytes.count, off_t(offset))
    }
  }

  #if os(Linux)
    package func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError) {
      _ = try check("fdatasync", descriptor.path) { fdatasync(descriptor.number) }
    }
  #else
    package func synchronizeFile(_ descriptor: Descriptor) throws(FileSystemError) {
      // On Apple systems fsync only hands the data to the drive; file systems without F_FULLFSYNC get that at least.
      if fcntl(descriptor.number, F_FULLFSYNC) == 0 { return }
      guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY || errno == EINTR else {
        throw failure("fcntl", descriptor.path, errno)
      }
      _ = try check("fsync", descriptor.path) { fsync(descriptor.number) }
    }
  #endif

  package func synchronizeDirectory(_ descriptor: Descriptor) throws(FileSystemError) {
    _ = try check("fsync", descriptor.path) { fsync(descriptor.number) }
  }

  package func status(of descriptor: Descriptor) throws(FileSystemError) -> FileStatus {
    try status("fstat", descriptor.path) { $0.look(at: descriptor.number) }
  }

  package func status(of name: String, in directory: Descriptor) throws(FileSystemError) -> FileStatus {
    try status("fstatat", directory.path + "/" + name) { $0.look(at: name, in: directory.number) }
  }

  package func status(path: String) throws(FileSystemError) -> FileStatus {
    try status("lstat", path) { $0.look(at: path, in: AT_FDCWD) }
  }

  private func status(_ call: String, _ path: String, _ look: (inout FileFacts) -> Int32) throws(FileSystemError)
    -> FileStatus
  {
    var facts = FileFacts()
    _ = try check(call, path) { look(&facts) }
    return FileStatus(facts)
  }

  package func modificationTime(of name: String, in directory: Descriptor) -> Int64? {
    var status = stat()
    guard fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    #if os(Linux)
      let modified = status.st_mtim
    #else
      let modified = status.st_mtimespec
    #endif
    let (milliseconds, overflow) = Int64(modified.tv_sec).multipliedReportingOverflow(by: 1000)
    return overflow ? nil : milliseconds &+ Int64(modified.tv_nsec) / 1_000_000
  }

  package func medium(of descriptor: Descriptor) -> FileMedium {
    switch Mounts.kind(of: descriptor.number) {
    case .network(let name): .network(name)
    case .program: .program
    case .local: .local
    }
  }

  package func map(_ file: Descriptor) -> (@Sendable (_ offset: Int) -> UInt64)? {
    // On other file systems, another machine's writes do not appear in mapped memory.
    guard medium(of: file) == .local, let mapped = MappedFile(descriptor: file.number) else { return nil }
    return { mapped.word(at: $0) }
  }

  package func beginWriteback(of file: Descriptor, from offset: Int, count: Int) {
    Writeback.begin(of: file.number, from: offset, count: count)
  }

  package func room(in descriptor: Descriptor) -> Int? {
    var status = statvfs()
    guard fstatvfs(descriptor.number, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
  }

  package func setMode(_ mode: UInt32, of descriptor: Descriptor) throws(FileSystemError) {
    _ = try check("fchmod", descriptor.path) { fchmod(descriptor.number, mode_t(truncatingIfNeeded: mode)) }
  }

  package func rename(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  {
    _ = try check("renameat", directory.path + "/" + name) {
      renameat(directory.number, name, newDirectory.number, newName)
    }
  }

  package func link(_ name: String, in directory: Descriptor, to newName: String, in newDirectory: Descriptor)
    throws(FileSystemError)
  {
    _ = try check("linkat", newDirectory.path + "/" + newName) {
      linkat(directory.number, name, newDirectory.number, newName, 0)
    }
  }

  package func unlink(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    _ = try check("unlinkat", directory.path + "/" + name) { unlinkat(directory.number, name, 0) }
  }

  package func removeDirectory(_ name: String, in directory: Descriptor) throws(FileSystemError) {
    _ = try check("unlinkat", directory.path + "/" + name) { unlinkat(directory.number, name, AT_REMOVEDIR) }
  }

  package func names(in directory: Descriptor) throws(FileSystemError) -> [String] {
    // A separate open file description, because reading moves its position.
    let number = try check("openat", directory.path) {
      openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = fdopendir(number) else {
      let code = errno
      _ = systemClose(number)
      throw failure("fdopendir", directory.path, code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw failure("readdir", directory.path, errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  package func lock(_ descriptor: Descriptor, _ kind: LockKind) throws(FileSystemError) -> Bool {
    while flock(descriptor.number, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw failure("flock", descriptor.path, errno)
      }
    }
    return true
  }

  package func unlock(_ descriptor: Descriptor) { _ = flock(descriptor.number, LOCK_UN) }

  /// Repeats a call while it is interrupted, and converts its error.
  private func check<Number: SignedInteger>(_ call: String, _ path: String, _ body: () -> Number)
    throws(FileSystemError) -> Number
  {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw failure(call, path, code) }
    }
  }

  private func failure(_ call: String, _ path: String, _ code: Int32) -> FileSystemError {
    let reason: FileSystemError.Reason =
      switch code {
      case ENOENT: .notFound
      case EEXIST: .alreadyExists
      case ENOTDIR: .notADirectory
      case ELOOP: .symbolicLink
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnly
      case ENOSPC, EDQUOT, EFBIG: .noSpace
      case EIO: .inputOutput
      default: .other
      }
    return FileSystemError(
      call: call, path: path, reason: reason, errno: code, text: strerror(code).map { String(cString: $0) } ?? "?")
  }
}

/// The C function, which the method's name would hide.
private func systemClose(_ number: Int32) -> Int32 { close(number) }

extension FileStatus {
  init(_ facts: FileFacts) {
    let kind: Kind =
      switch mode_t(facts.mode) & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    self.init(
      kind: kind, size: facts.size, mode: facts.mode & 0o7777, owner: facts.owner, linkCount: facts.linkCount,
      device: facts.device, inode: facts.inode)
  }
}
