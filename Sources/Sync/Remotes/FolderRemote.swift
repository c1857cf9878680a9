import FileStore
import SyncEngine
import Values

/// A plain folder that several devices share, or of which each has a copy that another program keeps alike.
///
/// Only whole files appear in it: each is written under a name of its own, synced, renamed, and read back. Files of other
/// names, such as those of programs that keep folders alike, are neither read nor touched.
package struct FolderRemote: PassRemote {
  private let fileSystem: any FileSystem
  /// Absolute.
  private let path: String
  /// Makes temporary names.
  private let newID: @Sendable () -> EntityID

  package init(_ path: String, _ fileSystem: any FileSystem, newID: @escaping @Sendable () -> EntityID) {
    self.path = path
    self.fileSystem = fileSystem
    self.newID = newID
  }

  package func list(_ prefix: String) throws(RemoteFailure) -> [String] {
    let parts = prefix.split(separator: "/").map(String.init)
    return try inFolder(parts, creates: false) { folder throws(FileSystemError) in
      try fileSystem.names(in: folder).filter { !FolderRemote.isForeign($0) }.map { prefix + $0 }
    } ?? []
  }

  package func get(_ name: String) throws(RemoteFailure) -> [UInt8]? {
    let (parts, file) = FolderRemote.split(name)
    let content = try inFolder(parts, creates: false) { folder throws(FileSystemError) in
      try read(file, in: folder)
    }
    switch content {
    case .bytes(let bytes): return bytes
    case .notAFile: throw RemoteFailure(.damaged, "“\(name)” in the folder is not a file.")
    case .missing, nil: return nil
    }
  }

  package func put(_ name: String, _ bytes: [UInt8]) throws(RemoteFailure) {
    let (parts, file) = FolderRemote.split(name)
    let isThere = try inFolder(parts, creates: true) { folder throws(FileSystemError) in
      let temporary = "\(file).\(newID()).part"
      do throws(FileSystemError) {
        try fileSystem.create(temporary, in: folder, bytes)
        try fileSystem.rename(temporary, in: folder, to: file, in: folder)
      } catch {
        // What cannot be removed either is left: its name is nobody's.
        do throws(FileSystemError) { _ = try fileSystem.unlinkIfPresent(temporary, in: folder) } catch {}
        throw error
      }
      try fileSystem.synchronizeDirectory(folder)
      return try read(file, in: folder) == .bytes(bytes)
    }
    guard isThere == true else {
      throw RemoteFailure(.lost, "“\(name)” does not read as it was written; the folder may have been exchanged.")
    }
  }

  package func delete(_ name: String) throws(RemoteFailure) {
    let (parts, file) = FolderRemote.split(name)
    _ = try inFolder(parts, creates: false) { folder throws(FileSystemError) in
      if try fileSystem.unlinkIfPresent(file, in: folder) { try fileSystem.synchronizeDirectory(folder) }
    }
  }

  /// Whether a name is one that systems and programs leave in shared folders: hidden, temporary, or of settings.
  private static func isForeign(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasSuffix(".part") || name.hasSuffix(".tmp") || name.lowercased() == "desktop.ini"
  }

  private static func split(_ name: String) -> (folders: [String], file: String) {
    let parts = name.split(separator: "/").map(String.init)
    return (parts.dropLast(), parts.last ?? "")
  }

  /// The most bytes of a file that are read; a longer one is not ours, and reads as damaged.
  private static let longest = 128 << 20

  private enum Content: Equatable {
    case missing
    case bytes([UInt8])
    /// A folder, a pipe or a device is there. A link is an error of its own.
    case notAFile
  }

  private func read(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Content {
    let (limit, fileSystem) = (FolderRemote.longest, fileSystem)
    guard let status = try FileSystemError.ignoring(.notFound, fileSystem.status(of: name, in: folder)) else {
      return .missing
    }
    guard status.kind == .file || status.kind == .symbolicLink else { return .notAFile }
    guard
      let found = try FileSystemError.ignoring(.notFound, fileSystem.contents(of: name, in: folder, limit: limit))
    else { return .missing }
    if let failure = found.failure { throw failure }
    return .bytes(found.bytes)
  }

  /// Runs `body` in a folder within the remote; nil if it does not exist and is not to be made. The remote itself is
  /// never made: an empty mount point must not become a second remote.
  private func inFolder<Value>(
    _ parts: [String], creates: Bool, _ body: (Descriptor) throws(FileSystemError) -> Value
  ) throws(RemoteFailure) -> Value? {
    do throws(FileSystemError) {
      var folder = try fileSystem.openDirectory(path: path, followingLinks: true)
      defer { fileSystem.close(folder) }
      for part in parts {
        if creates {
          try fileSystem.makeDirectoryIfMissing(part, in: folder)
          try fileSystem.synchronizeDirectory(folder)
        }
        guard let inner = try FileSystemError.ignoring(.notFound, fileSystem.openDirectory(part, in: folder)) else {
          return nil
        }
        fileSystem.close(folder)
        folder = inner
      }
      return try body(folder)
    } catch { throw failure(error) }
  }

  private func failure(_ error: FileSystemError) -> RemoteFailure {
    let isRoot = error.path == path
    return switch error.reason {
    case .notFound where isRoot: RemoteFailure(.missing, "The folder \(path) is not there.")
    case .notADirectory where isRoot, .symbolicLink where isRoot:
      RemoteFailure(.notAFolder, "\(path) is not a folder.")
    case .permissionDenied, .readOnly:
      RemoteFailure(.notPermitted, "\(error.path) cannot be used: \(error.text).")
    case .noSpace: RemoteFailure(.full, "There is no room left in \(path).")
    case .symbolicLink: RemoteFailure(.damaged, "\(error.path) is a link, which daybook does not make.")
    case .notADirectory: RemoteFailure(.damaged, "\(error.path) is not a folder, as daybook makes it.")
    case .notFound, .alreadyExists, .inputOutput, .other:
      RemoteFailure(.timedOut, "\(error.path): \(error.text).")
    }
  }
}
