import CivilTime
import JSON

/// The data folder: what of it is open, and the rules by which its files are trusted.
struct StoreFolder: Sendable {
  /// Names within the folder.
  enum Name {
    static let identity = "store.json"
    static let lock = "lock"
    static let journal = "journal"
  }

  let fileSystem: any FileSystem
  /// Without a slash at its end, which would make the system follow a link.
  let path: String
  /// Nil while the folder is not there.
  var root: Descriptor?
  /// Open and locked, or nil while there is no lock file.
  var lock: Descriptor?
  var journal: Descriptor?
  /// The journal files found, in order.
  var files: [JournalFile] = []
  var identity: StoreIdentity?

  /// Opens what is there, takes the lock (unless it is only to be read) if it can be taken without writing, and reads the
  /// identity.
  init(
    opening path: String, _ fileSystem: any FileSystem, _ report: inout RecoveryReport, locks: Bool = true
  ) throws(StoreError) {
    self.fileSystem = fileSystem
    self.path = try StoreFolder.normalized(path)
    do throws(StoreError) {
      guard try openRoot() else { return }
      if locks { try takeLock() }
      try readIdentity(&report)
      try openJournal(&report)
    } catch {
      close()
      throw error
    }
  }

  /// Closes everything, which gives the lock back.
  mutating func close() {
    for descriptor in [journal, root, lock] {
      if let descriptor { fileSystem.close(descriptor) }
    }
    (journal, root, lock) = (nil, nil, nil)
  }

  private static func normalized(_ path: String) throws(StoreError) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.storeUnavailable, "The data folder's path is empty or has a zero in it.", path: path)
    }
    return path
  }

  /// Opens the folder if it is there.
  mutating func openRoot() throws(StoreError) -> Bool {
    let root: Descriptor
    do throws(FileSystemError) {
      root = try fileSystem.openDirectory(path: path, followingLinks: false)
    } catch {
      if error.reason == .notFound { return false }
      // The system's own error does not tell a link from a file.
      if let status = try? fileSystem.status(path: path) { try trust(status, as: .directory, path) }
      throw StoreError(reading: error)
    }
    self.root = root
    try trust(
      try StoreError.reading { () throws(FileSystemError) in try fileSystem.status(of: root) }, as: .directory, path)
    return true
  }

  /// Reads `store.json`; what is wrong with it is noted.
  mutating func readIdentity(_ report: inout RecoveryReport) throws(StoreError) {
    guard let root else { return }
    func lose(_ reason: String, _ length: Int) {
      report.note(
        RecoveryFinding(
          kind: .identityLost, file: Name.identity, offset: 0, length: length, previousSequence: 0, reason: reason))
    }
    guard let file = try openTrusted(Name.identity, in: root, .file, &report) else { return }
    defer { fileSystem.close(file.descriptor) }
    let (bytes, failure) = fileSystem.contents(of: file.descriptor, size: min(file.status.size, 65536))
    if let failure {
      lose(failure.description, 0)
      return
    }
    do throws(JSONError) {
      identity = try StoreIdentity(reading: bytes)
    } catch { lose(error.description, bytes.count) }
  }

  private mutating func openJournal(_ report: inout RecoveryReport) throws(StoreError) {
    guard let root, let folder = try openTrusted(Name.journal, in: root, .directory, &report) else { return }
    journal = folder.descriptor
    files = try listJournal()
  }

  /// The journal files there are now, in order; other names are none of ours.
  func listJournal() throws(StoreError) -> [JournalFile] {
    guard let journal else { return [] }
    do throws(FileSystemError) {
      var files: [JournalFile] = []
      for name in try fileSystem.names(in: journal) {
        guard let number = JournalFile.number(of: name) else { continue }
        files.append(JournalFile(number: number, size: try fileSystem.status(of: name, in: journal).size))
      }
      return files.sorted { $0.number < $1.number }
    } catch { throw StoreError(reading: error) }
  }

  /// Opens a file or folder that must be ours if it is there at all; a mode that lets others in is noted.
  func openTrusted(
    _ name: String, in directory: Descriptor, _ kind: FileStatus.Kind, _ report: inout RecoveryReport
  ) throws(StoreError) -> (descriptor: Descriptor, status: FileStatus)? {
    let path = directory.path + "/" + name
    let named = try StoreError.readingIfPresent { () throws(FileSystemError) in
      try fileSystem.status(of: name, in: directory)
    }
    guard let named else { return nil }
    try trust(named, as: kind, path)
    let opened = try StoreError.readingIfPresent { () throws(FileSystemError) in
      kind == .directory
        ? try fileSystem.openDirectory(name, in: directory)
        : try fileSystem.openFile(name, in: directory, for: .reading)
    }
    guard let opened else { return nil }
    do throws(StoreError) {
      let status = try StoreError.reading { () throws(FileSystemError) in try fileSystem.status(of: opened) }
      try trust(status, as: kind, path)
      if status.mode & 0o077 != 0 {
        report.note(
          RecoveryFinding(
            kind: .wrongMode, file: String(path.dropFirst(self.path.count + 1)), offset: 0, length: 0,
            previousSequence: 0, reason: "mode \(String(status.mode, radix: 8))"))
      }
      return (opened, status)
    } catch {
      fileSystem.close(opened)
      throw error
    }
  }

  /// Refuses what is not ours or not what it should be.
  func trust(_ status: FileStatus, as kind: FileStatus.Kind, _ path: String) throws(StoreError) {
    guard status.kind == kind else {
      let what =
        status.kind == .symbolicLink
        ? "A symbolic link stands" : "Something that is no \(kind == .file ? "regular file" : "folder") stands"
      throw StoreError(.storeUntrusted, what + " in the place of the store's own.", path: path)
    }
    guard status.owner == fileSystem.userID else {
      throw StoreError(
        .storeUntrusted, "The store belongs to another user.", path: path,
        details: ["owner": String(status.owner), "user": String(fileSystem.userID)])
    }
  }
}

/// A file of the journal.
struct JournalFile: Sendable, Equatable {
  let number: Int
  /// Bytes when it was looked at.
  var size: Int

  /// `000001.jsonl` and so on.
  var name: String { JournalFile.name(number) }

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".jsonl"
  }

  /// The number in a journal file's name; nil for other names.
  static func number(of name: String) -> Int? {
    guard name.hasSuffix(".jsonl"), let number = Int(name.dropLast(6)), number > 0, JournalFile.name(number) == name
    else { return nil }
    return number
  }
}

extension FileSystem {
  /// The first `size` bytes of a file, or those before the place where reading fails, and why.
  func contents(of descriptor: Descriptor, size: Int) -> (bytes: [UInt8], failure: FileSystemError?) {
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    var failure: FileSystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(FileSystemError) {
        while count < size {
          let read = try self.read(
            descriptor, at: count, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
          if read == 0 { break }
          count += read
        }
      } catch { failure = error }
    }
    bytes.removeLast(size - count)
    return (bytes, failure)
  }
}
