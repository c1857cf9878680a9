#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// The few files that are looked at outside the store.
package enum Files {
  /// What is found at a path.
  package enum Folder: Equatable, Sendable {
    case missing, empty, notEmpty, notAFolder
  }

  /// What is at `path`.
  package static func look(at path: String) -> Folder {
    guard let names = names(in: path) else { return errno == ENOENT ? .missing : .notAFolder }
    return names.isEmpty ? .empty : .notEmpty
  }

  /// The names in a folder, in no order, but for its own and the one above; nil when it cannot be listed, and `errno` says why.
  package static func names(in path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether this process may not write to the folder at `path`, or not make it in the nearest folder that there is.
  package static func isReadOnly(_ path: String) -> Bool {
    var path = path
    while !exists(path) {
      guard let slash = path.lastIndex(of: "/") else { return access(".", W_OK) != 0 }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    return access(path, W_OK) != 0
  }

  /// Whether anything is at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a program is at `path` that this process may start.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 && look(at: path) == .notAFolder }

  /// Makes a folder of one's own, with the folders above it, and an empty file in it. Returns whether both are there.
  package static func make(folder: String, marker: String) -> Bool {
    _ = make(folder: folder)
    let descriptor = open(folder + "/" + marker, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
