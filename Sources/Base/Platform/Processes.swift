#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// This process and others.
package enum Processes {
  /// The name of this machine; nil if it has none.
  package static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The id of this process.
  package static var current: Int { Int(getpid()) }

  /// Whether a process with that id is visible; one in another container is not, although it may live.
  package static func isVisible(_ id: Int) -> Bool {
    guard id > 0, let id = pid_t(exactly: id) else { return false }
    return kill(id, 0) == 0 || errno == EPERM
  }

  /// Whether a process has ended but was not yet reaped by its parent; false where the system does not tell.
  package static func isZombie(_ id: Int) -> Bool {
    #if os(Linux)
      guard let text = Files.contents(of: "/proc/\(id)/stat", limit: 4096),
        let end = text.lastIndex(of: UInt8(ascii: ")")),
        end + 2 < text.count
      else { return false }
      return text[end + 2] == UInt8(ascii: "Z") || text[end + 2] == UInt8(ascii: "X")
    #else
      return false
    #endif
  }

  /// Ends the process at once, without running exit handlers.
  package static func end(_ status: Int32) -> Never { _exit(status) }

  /// The value of an environment variable; nil when it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The folder that relative paths start from; nil when it was deleted, or its path is too long.
  package static var currentFolder: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&path, path.count) != nil else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of this process's executable; nil when the system does not tell.
  package static var executable: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if os(Linux)
      let length = readlink("/proc/self/exe", &path, path.count - 1)
      guard length > 0 else { return nil }
      return String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      var size = UInt32(path.count)
      guard _NSGetExecutablePath(&path, &size) == 0, let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return String(cString: real)
    #endif
  }

  /// The default data folder: `$DAYBOOK_HOME`, else the platform's folder for application data.
  package static func defaultDataFolder() -> String? {
    if let folder = environment("DAYBOOK_HOME") { return folder }
    #if os(Linux)
      if let folder = environment("XDG_DATA_HOME"), folder.hasPrefix("/") { return folder + "/daybook" }
      return environment("HOME").map { $0 + "/.local/share/daybook" }
    #else
      return environment("HOME").map { $0 + "/Library/Application Support/daybook" }
    #endif
  }
}
