import FileStore

/// The file of a bundle while it is being written: private to the user, and published only when it is complete.
struct BundleFile {
  private let fileSystem: any FileSystem
  private let folder: Descriptor
  private let name: String
  /// The temporary name of the file.
  private let unfinished: String
  private let replacing: Bool
  let file: Descriptor

  /// Creates an empty file beside the path. Throws `alreadyExists` when the path exists and may not, or cannot, be
  /// replaced; `noFolder`, `unwritable`, `diskFull`, `invalidName`.
  init(
    _ path: String, replacing: Bool, outside dataFolder: String, _ fileSystem: any FileSystem
  ) throws(DiagnosticsError) {
    let (parent, name) = BundleFile.split(path)
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw DiagnosticsError(.invalidName, "The path of a bundle ends with a file's name.", path: path)
    }
    guard !fileSystem.isFolder(parent, within: dataFolder) else {
      throw DiagnosticsError(.unwritable, "A bundle cannot be written into the data folder.", path: path)
    }
    self.fileSystem = fileSystem
    self.name = name
    self.replacing = replacing
    unfinished = ".\(name).\(fileSystem.processID).tmp"
    do throws(FileSystemError) { folder = try fileSystem.openDirectory(path: parent, followingLinks: true) } catch {
      throw DiagnosticsError(writing: error)
    }
    do throws(DiagnosticsError) {
      try BundleFile.refuse(name, in: folder, replacing, fileSystem)
      file = try BundleFile.create(unfinished, in: folder, fileSystem)
    } catch {
      fileSystem.close(folder)
      throw error
    }
  }

  /// Refuses a path that must not be overwritten.
  private static func refuse(
    _ name: String, in folder: Descriptor, _ replacing: Bool, _ fileSystem: any FileSystem
  ) throws(DiagnosticsError) {
    guard let status = try? fileSystem.status(of: name, in: folder) else { return }
    guard replacing, status.kind == .file else {
      throw DiagnosticsError(
        .alreadyExists, replacing ? "The path is not that of a file." : "Something is there already.",
        path: folder.path + "/" + name)
    }
  }

  private static func create(
    _ name: String, in folder: Descriptor, _ fileSystem: any FileSystem
  ) throws(DiagnosticsError) -> Descriptor {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        return try fileSystem.createFile(name, in: folder)
      } catch  where error.reason == .alreadyExists {
        // A process with the same id was killed while it wrote.
        try fileSystem.unlink(name, in: folder)
        return try fileSystem.createFile(name, in: folder)
      }
    } catch { throw DiagnosticsError(writing: error) }
  }

  /// Gives the finished file its final name.
  func publish() throws(DiagnosticsError) {
    if replacing {
      try rename()
    } else {
      do throws(FileSystemError) {
        // Unlike a rename, this refuses a file that has appeared meanwhile.
        try fileSystem.link(unfinished, in: folder, to: name, in: folder)
        try? fileSystem.unlink(unfinished, in: folder)
      } catch {
        if error.reason == .alreadyExists { throw DiagnosticsError(writing: error) }
        // Not every file system supports hard links.
        try BundleFile.refuse(name, in: folder, replacing, fileSystem)
        try rename()
      }
    }
    // A bundle that a crash loses can be made again.
    try? fileSystem.synchronizeDirectory(folder)
    close()
  }

  private func rename() throws(DiagnosticsError) {
    do throws(FileSystemError) { try fileSystem.rename(unfinished, in: folder, to: name, in: folder) } catch {
      throw DiagnosticsError(writing: error)
    }
  }

  func discard() {
    try? fileSystem.unlink(unfinished, in: folder)
    close()
  }

  private func close() {
    fileSystem.close(file)
    fileSystem.close(folder)
  }

  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    return (parent, String(path[path.index(after: slash)...]))
  }
}
