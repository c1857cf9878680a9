import JSON

/// A small file of the data folder outside the store: one JSON object that is read on its own and replaced as a whole.
/// It is available before the store is opened, and even if the store cannot be.
package struct SmallFile: Sendable {
  package enum Name: String, Sendable, CaseIterable {
    /// What the start needs first.
    case flags = "flags.json"
    /// The last known premium status.
    case premium = "premium.json"
    /// The reminders that were fired.
    case reminders = "reminders.json"
    /// The configuration of meal estimation.
    case estimator = "estimator.json"
    /// Keys and passwords.
    case secrets = "secrets.json"
  }

  package enum Content: Sendable, Equatable {
    case missing
    /// It is damaged, untrusted or unreadable, for the given reason.
    case damaged(String)
    case value(JSONObject)
  }

  /// The maximum size of a file that is read or written, in bytes.
  package static let sizeLimit = 1 << 20

  let name: Name
  let folder: String
  let fileSystem: any FileSystem
  /// How long to wait for another process that replaces such a file, in milliseconds.
  let patience: Int
  /// The folder that the path must name for the file to be written; nil for any.
  let home: FileStatus?

  /// - Parameters:
  ///   - folder: The path of the data folder.
  ///   - patience: How long `replace` and `update` wait for others, in milliseconds.
  ///   - home: The status of the folder that the content belongs to. When another folder has its path, nothing is
  ///     written.
  package init(
    _ name: Name, in folder: String, _ fileSystem: any FileSystem = PosixFileSystem(), patience: Int = 2000,
    home: FileStatus? = nil
  ) {
    self.name = name
    self.folder = folder
    self.fileSystem = fileSystem
    self.patience = patience
    self.home = home
  }

  /// Where it is, or would be.
  package var path: String { "\(folder)/\(name.rawValue)" }

  package func read() -> Content { SmallFile.read([name], in: folder, fileSystem).first ?? .missing }

  /// Reads several files in the given order, with the fewest calls.
  package static func read(_ names: [Name], in folder: String, _ fileSystem: any FileSystem = PosixFileSystem())
    -> [Content]
  {
    var opened: StoreFolder
    do throws(StoreError) { opened = try StoreFolder(rootOf: folder, fileSystem) } catch {
      return names.map { _ in .damaged(error.description) }
    }
    defer { opened.close() }
    var ignored = RecoveryReport()
    // Files being erased count as missing, even if a killed process has left them.
    let leaving = opened.erasure?.parts
    return names.map { leaving.map($0.isAmong) == true ? .missing : opened.read($0, &ignored) }
  }
}

extension StoreFolder {
  /// Reads a small file of this folder; permissions for others are noted.
  func read(_ name: SmallFile.Name, _ report: inout RecoveryReport) -> SmallFile.Content {
    guard let root else { return .missing }
    let file: Descriptor
    // Unlike for other files, the name is not examined first: no call follows a link or waits for a pipe.
    do throws(FileSystemError) { file = try fileSystem.openFile(name.rawValue, in: root, for: .reading) } catch {
      return error.reason == .notFound ? .missing : .damaged(StoreError(reading: error).description)
    }
    defer { fileSystem.close(file) }
    do throws(StoreError) {
      let status = try StoreError.reading(fileSystem.status(of: file))
      try trust(status, as: .file, file.path)
      if status.mode & 0o077 != 0 { report.note(.openToOthers(name.rawValue, status)) }
      guard status.size <= SmallFile.sizeLimit else { return .damaged("it is too long") }
      let (bytes, failure) = fileSystem.contents(of: file, size: status.size)
      if let failure { throw StoreError(reading: failure) }
      return SmallFile.content(of: bytes)
    } catch { return .damaged(error.description) }
  }
}
