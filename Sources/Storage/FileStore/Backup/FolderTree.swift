/// The subfolders of one folder, opened on demand, and created if `creates` is true.
struct FolderTree: ~Copyable {
  private let fileSystem: any FileSystem
  private let root: Descriptor
  private let creates: Bool
  /// By path; the root's is empty.
  private var open: [String: Descriptor]

  /// `root` remains the caller's.
  init(_ fileSystem: any FileSystem, _ root: Descriptor, creates: Bool = false) {
    self.fileSystem = fileSystem
    self.root = root
    self.creates = creates
    open = ["": root]
  }

  deinit { for (path, folder) in open where !path.isEmpty { fileSystem.close(folder) } }

  /// The open folder of a file, and the last part of its path.
  mutating func place(of path: String) throws(FileSystemError) -> (folder: Descriptor, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (root, path) }
    return (try folder(String(path[..<slash])), String(path[path.index(after: slash)...]))
  }

  private mutating func folder(_ path: String) throws(FileSystemError) -> Descriptor {
    if let known = open[path] { return known }
    let (parent, name) = try place(of: path)
    if creates { try fileSystem.makeDirectoryIfMissing(name, in: parent) }
    let folder = try fileSystem.openDirectory(name, in: parent)
    open[path] = folder
    return folder
  }

  /// Syncs all folders used, inner ones first, so that the new names are durable.
  func synchronize() throws(FileSystemError) {
    for (_, folder) in open.sorted(by: { $0.key > $1.key }) { try fileSystem.synchronizeDirectory(folder) }
  }
}
