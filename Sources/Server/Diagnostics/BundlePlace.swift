import FileStore

/// Where a bundle comes to be: a file that nobody else can read, and that nobody sees half of.
struct BundlePlace {
  private let fileSystem: any FileSystem
  private let folder: Descriptor
  private let name: String
  /// The name it has until it is whole.
  private let unfinished: String
  private let replacing: Bool
  /// The file to write to.
  let file: Descriptor

  /// Makes an empty file beside the path. Throws `alreadyExists` when something is there that is not to be replaced, or cannot be;
  /// `noFolder`, `unwritable`, `diskFull`, `invalidName`.
  init(
    _ path: String, replacing: Bool, outside dataFolder: String, _ fileSystem: any FileSystem
  ) throws(DiagnosticsError) {
    let (parent, name) = BundlePlace.split(path)
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw DiagnosticsError(.invalidName, "The path of a bundle ends with a file's name.", path: path)
    }
    guard !fileSystem.isFolder(parent, within: dataFolder) else {
      throw DiagnosticsError(.unwritable, "The data folder is no place for a bundle.", path: path)
    }
    self.fileSystem = fileSystem
    self.name = name
    self.replacing = replacing
    unfinished = ".\(name).\(fileSystem.processID).tmp"
    do throws(FileSystemError) { folder = try fileSystem.openDirectory(path: parent, followingLinks: true) } catch {
      throw DiagnosticsError(writing: error)
    }
    do throws(DiagnosticsError) {
      try BundlePlace.refuse(name, in: folder, replacing, fileSystem)
      file = try BundlePlace.create(unfinished, in: folder, fileSystem)
    } catch {
      fileSystem.close(folder)
      throw error
    }
  }

  /// Refuses what must not be written over.
  private static func refuse(
    _ name: String, in folder: Descriptor, _ replacing: Bool, _ fileSystem: any FileSystem
  ) throws(DiagnosticsError) {
    guard let status = try? fileSystem.status(of: name, in: folder) else { return }
    guard replacing, status.kind == .file else {
      throw DiagnosticsError(
        .alreadyExists, replacing ? "What is there is no file." : "Something is there already.",
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
        // A process of this number was killed over it.
        try fileSystem.unlink(name, in: folder)
        return try fileSystem.createFile(name, in: folder)
      }
    } catch { throw DiagnosticsError(writing: error) }
  }

  /// Gives the finished file its name.
  func publish() throws(DiagnosticsError) {
    if replacing {
      try rename()
    } else {
      do throws(FileSystemError) {
        // Unlike renaming, this refuses what has come there meanwhile.
        try fileSystem.link(unfinished, in: folder, to: name, in: folder)
        try? fileSystem.unlink(unfinished, in: folder)
      } catch {
        if error.reason == .alreadyExists { throw DiagnosticsError(writing: error) }
        // Not every file system gives a file two names.
        try BundlePlace.refuse(name, in: folder, replacing, fileSystem)
        try rename()
      }
    }
    // What a crash takes now can be made again.
    try? fileSystem.synchronizeDirectory(folder)
    close()
  }

  private func rename() throws(DiagnosticsError) {
    do throws(FileSystemError) { try fileSystem.rename(unfinished, in: folder, to: name, in: folder) } catch {
      throw DiagnosticsError(writing: error)
    }
  }

  /// Leaves nothing behind.
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
