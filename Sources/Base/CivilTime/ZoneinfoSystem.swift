#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls of this module: reading a small file, a link, and the environment.
enum ZoneinfoSystem {
  /// The maximum length of a zone file, in bytes; tzdata's largest has about five thousand.
  static let maximumLength = 1 << 18

  /// The outcome of reading a file.
  enum Contents {
    case bytes([UInt8])
    /// No such file or folder.
    case absent
    /// Not a readable regular file of at most `maximumLength` bytes, with the reason.
    case unreadable(String)
  }

  /// The contents of the regular file at `path`. Never blocks: pipes and devices are opened non-blocking and rejected.
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

  /// The target of the symbolic link at `path`; nil when it is not one.
  static func target(ofLink path: String) -> String? {
    let length = 4096
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      let got = buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink(path, $0, length) } ?? 0
      }
      count = max(got, 0)
    }
    // A target that fills the buffer may be truncated.
    return (1..<length).contains(bytes.count) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of an environment variable; nil when it is not set.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }
}
