import JSON
import Platform

/// A small file of the data folder beside the store: one JSON object, which is read by itself and replaced as a whole. What it says
/// is there before the store is opened, and whether or not the store can be.
package struct SmallFile: Sendable {
  /// The files there are of this kind.
  package enum Name: String, Sendable, CaseIterable {
    /// What the start needs to know first.
    case flags = "flags.json"
    /// What was last known of the premium status.
    case premium = "premium.json"
    /// Which reminders were fired.
    case reminders = "reminders.json"
    /// How meals are estimated.
    case estimator = "estimator.json"
    /// Keys and passwords.
    case secrets = "secrets.json"
  }

  /// What a file turned out to be.
  package enum Content: Sendable, Equatable {
    case missing
    /// It is not what was once written, or is not to be trusted or read, for the reason given.
    case damaged(String)
    case value(JSONObject)
  }

  /// Bytes of the longest file that is read or written.
  package static let sizeLimit = 1 << 20

  let name: Name
  let folder: String
  let fileSystem: any FileSystem
  /// How long to wait for another process that replaces such a file, in milliseconds.
  let patience: Int
  /// The folder that the path must lead to for the file to be written; nil when any will do.
  let home: FileStatus?

  /// - Parameters:
  ///   - folder: The path of the data folder.
  ///   - patience: How long `replace` and `update` wait for others, in milliseconds.
  ///   - home: The status of the folder that the content belongs to. When another folder has its path, nothing is written.
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

  /// What the file says. Writes nothing.
  package func read() -> Content { SmallFile.read([name], in: folder, fileSystem).first ?? .missing }

  /// What some files say, in the order asked for: of the folder and of each file the fewest calls.
  package static func read(_ names: [Name], in folder: String, _ fileSystem: any FileSystem = PosixFileSystem())
    -> [Content]
  {
    var opened: StoreFolder
    do throws(StoreError) { opened = try StoreFolder(rootOf: folder, fileSystem) } catch {
      return names.map { _ in .damaged(error.description) }
    }
    defer { opened.close() }
    var ignored = RecoveryReport()
    // What is being deleted is gone, although a process that was killed may have left it.
    let leaving = opened.erasure?.parts
    return names.map { leaving.map($0.isAmong) == true ? .missing : opened.read($0, &ignored) }
  }
}

extension StoreFolder {
  /// What a small file of this folder says; a mode that lets others in is noted.
  func read(_ name: SmallFile.Name, _ report: inout RecoveryReport) -> SmallFile.Content {
    guard let root else { return .missing }
    let file: Descriptor
    // Without looking at the name first, as for other files: no call follows a link or waits for a pipe.
    do throws(FileSystemError) { file = try fileSystem.openFile(name.rawValue, in: root, for: .reading) } catch {
      return error.reason == .notFound ? .missing : .damaged(StoreError(reading: error).description)
    }
    defer { fileSystem.close(file) }
    do throws(StoreError) {
      let status = try StoreError.reading(fileSystem.status(of: file))
      try trust(status, as: .file, file.path)
      if status.mode & 0o077 != 0 { report.note(.openToOthers(name.rawValue, status)) }
      guard status.size <= SmallFile.sizeLimit else { return .damaged("it is longer than such a file may be") }
      let (bytes, failure) = fileSystem.contents(of: file, size: status.size)
      if let failure { throw StoreError(reading: failure) }
      return SmallFile.content(of: bytes)
    } catch { return .damaged(error.description) }
  }
}
