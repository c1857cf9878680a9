import Spawning

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and folders, by path.
package enum Files {
  /// The bytes of a file; nil when it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return ferror(file) == 0 ? result : nil }
      result += piece[0..<count]
    }
  }

  /// Writes a file again; whether that went well.
  package static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "wb") else { return false }
    let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
    return fclose(file) == 0 && isWhole
  }

  /// Writes a file below a folder, for its owner alone, with the folders it needs; whether that went well.
  package static func put(_ bytes: [UInt8], _ path: String, below folder: String) -> Bool {
    let parts = path.split(separator: "/")
    for count in 0..<parts.count {
      let place = ([folder] + parts.prefix(count).map { String($0) }).joined(separator: "/")
      guard mkdir(place, 0o700) == 0 || errno == EEXIST else { return false }
    }
    let file = "\(folder)/\(path)"
    return write(bytes, to: file) && chmod(file, 0o600) == 0
  }

  /// Removes a file; whether there was one.
  package static func take(_ path: String) -> Bool { unlink(path) == 0 }

  /// Copies a folder and everything in it; whether that went well.
  package static func copy(folder: String, to target: String) -> Bool {
    guard mkdir(target, 0o700) == 0, let names = entries(of: folder) else { return false }
    return names.allSatisfy { name in
      let (source, copied) = ("\(folder)/\(name)", "\(target)/\(name)")
      if entries(of: source) != nil { return copy(folder: source, to: copied) }
      guard let bytes = read(source), write(bytes, to: copied) else { return false }
      return chmod(copied, 0o600) == 0
    }
  }

  /// Gives a file or folder another name; whether that went well.
  package static func move(_ path: String, to target: String) -> Bool { rename(path, target) == 0 }

  /// The names in a folder, in order, those that begin with a dot left out; nil when it is no folder.
  package static func names(in folder: String) -> [String]? {
    entries(of: folder)?.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// All that is in a folder, but itself and the one it is in; nil when it is no folder.
  private static func entries(of folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The paths below a folder of the files whose name ends so, in order.
  package static func paths(below folder: String, ending: String, prefix: String = "") -> [String] {
    (names(in: folder) ?? []).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      if names(in: path) != nil { return paths(below: path, ending: ending, prefix: "\(prefix)\(name)/") }
      return name.hasSuffix(ending) ? [prefix + name] : []
    }
  }

  /// Makes a fresh folder for temporary things; nil when there is no room for one.
  package static func temporaryFolder() -> String? {
    let place = SystemText.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(place)/daybook-case-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
  }

  /// Removes a file, or a folder with everything in it.
  package static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in entries(of: path) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
