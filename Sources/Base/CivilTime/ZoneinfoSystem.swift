#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// The calls to the operating system that time zones need, all of them: reading a small file, a link, and the environment.
enum ZoneinfoSystem {
  /// The largest zone file, in bytes; the largest of tzdata has about five thousand.
  static let maximumLength = 1 << 18

  /// What became of reading a file.
  enum Contents {
    case bytes([UInt8])
    /// No such file or folder.
    case absent
    /// There, and not a readable regular file of at most `maximumLength` bytes; says why.
    case unreadable(String)
  }

  /// The bytes of the regular file at `path`. Never waits: a pipe or a device is opened without blocking, and refused.
  static func contents(ofFile path: String) -> Contents {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      let code = errno
      return code == ENOENT || code == ENOTDIR ? .absent : .unreadable("the file cannot be opened: error \(code)")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .unreadable("not a regular file")
    }
    guard let length = Int(exactly: status.st_size), (0...maximumLength).contains(length) else {
      return .unreadable("the file is too large for a time zone")
    }
    guard length > 0 else { return .bytes([]) }
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length, let base = buffer.baseAddress {
        let got = read(file, base + count, length - count)
        if got > 0 {
          count += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    if let failure { return .unreadable("the file cannot be read: error \(failure)") }
    return .bytes(bytes)
  }

  /// What the symbolic link at `path` points to; nil when it is none.
  static func target(ofLink path: String) -> String? {
    let length = 4096
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      let got = buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink(path, $0, length) } ?? 0
      }
      count = max(got, 0)
    }
    // A target that fills the buffer was cut off.
    return (1..<length).contains(bytes.count) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of an environment variable; nil when it is not set.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }
}
