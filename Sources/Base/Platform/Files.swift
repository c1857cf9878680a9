#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Access to the few files outside the store.
package enum Files {
  /// The state of a folder.
  package enum Folder: Equatable, Sendable {
    case missing, empty, notEmpty, notAFolder
  }

  /// The state of the folder at `path`.
  package static func look(at path: String) -> Folder {
    guard let names = names(in: path) else { return errno == ENOENT ? .missing : .notAFolder }
    return names.isEmpty ? .empty : .notEmpty
  }

  /// The absolute path of what `path` names, without links; nil if there is nothing.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The names in a folder, unordered, without `.` and `..`; nil with `errno` set when it cannot be listed.
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

  /// Whether this process cannot write to the folder at `path`, or create it in its nearest existing ancestor.
  package static func isReadOnly(_ path: String) -> Bool {
    var path = path
    while !exists(path) {
      guard let slash = path.lastIndex(of: "/") else { return access(".", W_OK) != 0 }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    return access(path, W_OK) != 0
  }

  /// Whether `path` exists.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether `path` is a file that this process may execute.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 && look(at: path) == .notAFolder }

  /// Creates a folder, its missing ancestors and an empty file in it; returns whether the file exists.
  package static func make(folder: String, marker: String) -> Bool {
    _ = make(folder: folder)
    let descriptor = open(folder + "/" + marker, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
