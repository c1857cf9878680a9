extension Quarantine {
  /// An open file of the store, with its folder.
  struct Source {
    let file: Descriptor
    let directory: Descriptor
    let name: String
    let size: Int
    /// Whether the folder was opened for this and must be closed.
    let ownsDirectory: Bool

    func close(_ fileSystem: any FileSystem) {
      fileSystem.close(file)
      if ownsDirectory { fileSystem.close(directory) }
    }
  }

  /// Opens a file by its path in the data folder; nil when it is missing or not a file of ours.
  func open(_ file: String) throws(StoreError) -> Source? {
    guard let root = folder.root else { return nil }
    let fileSystem = folder.fileSystem
    var parts = file.split(separator: "/").map(String.init)
    guard let name = parts.popLast(), !(parts + [name]).contains("..") else { return nil }
    return try StoreError.readingIfPresent { () throws(FileSystemError) in
      var directory = root
      do throws(FileSystemError) {
        for part in parts {
          let next = try fileSystem.openDirectory(part, in: directory)
          if directory != root { fileSystem.close(directory) }
          directory = next
        }
        let opened = try fileSystem.openFile(name, in: directory, for: .reading)
        let status = try fileSystem.status(of: opened)
        guard status.kind == .file, status.owner == fileSystem.userID else {
          fileSystem.close(opened)
          throw FileSystemError(
            call: "open", path: opened.path, reason: .notFound, errno: 0, text: "not one of the store's files")
        }
        return Source(
          file: opened, directory: directory, name: name, size: status.size, ownsDirectory: directory != root)
      } catch {
        if directory != root { fileSystem.close(directory) }
        throw error
      }
    }
  }

  /// The entries for findings not quarantined yet, with the records concerned. Writes nothing.
  func suspects(_ findings: [Finding]) -> [QuarantineEntry] {
    var files: [String: [Finding]] = [:]
    for finding in findings where finding.kind.hasBytes && finding.kind.isLossPossible {
      files[finding.file, default: []].append(finding)
    }
    return files.flatMap { file, findings -> [QuarantineEntry] in
      guard let source = try? open(file) else { return [] }
      defer { source.close(folder.fileSystem) }
      return entries(findings, contents(source).bytes, .max)
    }
  }

  /// The readable bytes of a file, up to the copy limit.
  func contents(_ source: Source) -> (bytes: [UInt8], failure: FileSystemError?) {
    folder.fileSystem.contents(of: source.file, size: min(source.size, Quarantine.longestCopy))
  }
}
