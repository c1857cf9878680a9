#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Identifies one version of the file at a path; differs once the file was replaced or written to.
package struct FileMark: Equatable, Sendable {
  private let inode: UInt64
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The mark of the file at `path`; nil when there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if os(Linux)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #endif
  }
}

extension Files {
  /// All bytes of the regular file at `path`; nil when it is not one, cannot be read, or exceeds `limit` bytes. Never
  /// blocks, not even on a pipe.
  package static func contents(of path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16384)
    while bytes.count <= limit {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
    return nil
  }

  /// Atomically replaces the file at `path` by one of mode 0600 with these bytes, without syncing. Returns whether it
  /// succeeded.
  package static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    close(descriptor)
    return done == bytes.count && rename(temporary, path) == 0
  }

  /// Removes the file at `path`; returns whether none is left.
  package static func remove(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }

  /// Creates a folder of mode 0700 at `path`, with its missing ancestors; returns whether it exists now.
  package static func make(folder path: String) -> Bool {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
      if made != "/", !made.isEmpty { mkdir(made, 0o700) }
    }
    return exists(path)
  }
}
