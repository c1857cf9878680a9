#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// Which version of a file stands under a name: another one as soon as it was replaced or written to.
package struct FileMark: Equatable, Sendable {
  private let inode: UInt64
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// What stands at `path` now; nil when nothing does.
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
  /// All bytes of the regular file at `path`; nil when it is none, cannot be read, or is longer than `limit`. Never waits for anybody,
  /// as a pipe would have it.
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

  /// Puts a file of mode 0600 in the place of the file at `path`, if any. Returns whether it is there; nothing is synchronized.
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

  /// Removes the file at `path`; whether nothing is there now.
  package static func remove(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }

  /// Makes a folder of mode 0700 at `path`, with those above it; whether it is there now.
  package static func make(folder path: String) -> Bool {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
      if made != "/", !made.isEmpty { mkdir(made, 0o700) }
    }
    return exists(path)
  }
}
