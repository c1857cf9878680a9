import FileStore

/// The open folder of the log files within a data folder.
struct LogFolder: ~Copyable {
  static let folderName = "logs"
  static let lockName = "lock"
  /// The maximum number of files: the present one and older ones.
  static let fileCount = 4

  /// `daybook.log`, `daybook.1.log` and so on; older files have higher numbers.
  static func name(_ number: Int) -> String { number == 0 ? "daybook.log" : "daybook.\(number).log" }

  let fileSystem: any FileSystem
  let folder: Descriptor

  private init(_ folder: Descriptor, _ fileSystem: any FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(folder) }

  /// Opens the folder; nil if it does not exist.
  static func open(
    forReading dataFolder: String, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> LogFolder? {
    guard let root = try root(dataFolder, fileSystem) else { return nil }
    defer { fileSystem.close(root) }
    return try open(in: root, fileSystem)
  }

  /// Opens the folder, and creates it if necessary; nil when there is no data folder, or an empty one: the log does not
  /// decide whether that becomes a store.
  static func open(
    forWriting dataFolder: String, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> LogFolder? {
    guard let root = try root(dataFolder, fileSystem) else { return nil }
    defer { fileSystem.close(root) }
    if let place = try open(in: root, fileSystem) { return place }
    guard try !fileSystem.names(in: root).isEmpty else { return nil }
    do throws(FileSystemError) {
      try fileSystem.makeDirectory(folderName, in: root)
    } catch  where error.reason != .alreadyExists { throw error } catch {}
    return try open(in: root, fileSystem)
  }

  /// Opens the data folder and checks that it is ours; nil if it does not exist.
  static func root(_ path: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> Descriptor? {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    do throws(FileSystemError) {
      let root = try fileSystem.openDirectory(path: path, followingLinks: false)
      return try trusted(root, .directory, fileSystem)
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }

  private static func open(in root: Descriptor, _ fileSystem: any FileSystem) throws(FileSystemError) -> LogFolder? {
    do throws(FileSystemError) {
      let folder = try fileSystem.openDirectory(folderName, in: root)
      return LogFolder(try trusted(folder, .directory, fileSystem), fileSystem)
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }

  /// Opens a file and checks that it is ours; nil if it does not exist.
  func open(_ name: String, for access: FileAccess) throws(FileSystemError) -> Descriptor? {
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(name, in: folder, for: access)
      return try LogFolder.trusted(file, .file, fileSystem)
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }

  /// Opens a file that is ours, and creates it if necessary.
  func openOrCreate(_ name: String, for access: FileAccess) throws(FileSystemError) -> Descriptor {
    for _ in 0..<8 {
      if let file = try open(name, for: access) { return file }
      do throws(FileSystemError) {
        fileSystem.close(try fileSystem.createFile(name, in: folder))
      } catch  where error.reason != .alreadyExists { throw error } catch {}
    }
    throw LogFolder.failure(folder.path + "/" + name, "it is being taken away all the time")
  }

  /// Returns the descriptor if it is ours and of the expected kind; closes it otherwise.
  private static func trusted(
    _ descriptor: Descriptor, _ kind: FileStatus.Kind, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> Descriptor {
    do throws(FileSystemError) {
      let status = try fileSystem.status(of: descriptor)
      guard status.kind == kind, status.owner == fileSystem.userID else {
        throw failure(descriptor.path, "it is another user's, or no \(kind)")
      }
      guard kind == .directory || status.linkCount <= 1 else {
        throw failure(descriptor.path, "it has a second name, and what has that would be changed with it")
      }
      return descriptor
    } catch {
      fileSystem.close(descriptor)
      throw error
    }
  }

  private static func failure(_ path: String, _ text: String) -> FileSystemError {
    FileSystemError(call: "open", path: path, reason: .permissionDenied, errno: 0, text: text)
  }
}
