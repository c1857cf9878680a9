import CivilTime

/// The data folder: what of it is open, and the rules by which its files are trusted.
struct StoreFolder: Sendable {
  /// Names within the folder.
  enum Name {
    static let identity = "store.json"
    static let lock = "lock"
    static let journal = "journal"
    static let segments = "segments"
    static let reserve = "reserve"
    static let checkpointReserve = "checkpoint.reserve"
    static let checkpointLock = "checkpoint.lock"
    static let scrubbed = "scrubbed"
    /// Locked by the process that gives reminders; not of the store's making.
    static let reminderTurn = "reminders.turn"
  }

  let fileSystem: any FileSystem
  /// Without a slash at its end, which would make the system follow a link.
  let path: String
  /// Nil while the folder is not there.
  var root: Descriptor?
  /// The lock file, open; nil as long as this process has not asked for the lock.
  var lock: Descriptor?
  /// Which file that was when it was last locked.
  var lockedFile: FileStatus?
  var journal: Descriptor?
  /// `store.json`, held open with a shared lock: it tells a restore that somebody uses this store.
  var presence: Descriptor?
  var identity: StoreIdentity?
  /// Why `store.json` forbids this version to write; nil when it does not.
  var obstacle: String?
  /// Whether this process has made sure that there is a reserve.
  var hasLookedForReserve = false
  /// What the end of the last journal lacked when the folder was opened.
  var lost: LostLines?
  /// Whether this process has created what a writer needs and was not there.
  var hasCreatedMissingFiles = false
  /// Whether the names of the files and folders here are known to be on the medium.
  var namesAreDurable = false

  /// Opens what is there and reads the identity. Never writes, unless a deletion of everything has to be brought to its end.
  init(opening path: String, _ fileSystem: any FileSystem, _ report: inout RecoveryReport) throws(StoreError) {
    self.fileSystem = fileSystem
    self.path = try StoreFolder.normalized(path)
    do throws(StoreError) {
      guard try openRoot() else { return }
      try finishErasing()
      try readIdentity(&report)
      try openJournal(&report)
      lost = findLostLines(isInOrder: true)
    } catch {
      close()
      throw error
    }
  }

  init(opening path: String, _ fileSystem: any FileSystem) throws(StoreError) {
    var ignored = RecoveryReport()
    try self.init(opening: path, fileSystem, &ignored)
  }

  /// Closes everything, which gives all locks back.
  mutating func close() {
    for descriptor in [journal, presence, root, lock] { if let descriptor { fileSystem.close(descriptor) } }
    (journal, presence, root, lock) = (nil, nil, nil, nil)
  }

  static func normalized(_ path: String) throws(StoreError) -> String {
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
    do throws(FileSystemError) { root = try fileSystem.openDirectory(path: path, followingLinks: false) } catch {
      if error.reason == .notFound { return false }
      // The system's own error does not tell a link from a file.
      if let status = try? fileSystem.status(path: path) { try trust(status, as: .directory, path) }
      throw StoreError(reading: error)
    }
    self.root = root
    try trust(
      try StoreError.reading(fileSystem.status(of: root)), as: .directory, path)
    return true
  }

  /// Reads `store.json`; what is wrong with it is noted.
  mutating func readIdentity(_ report: inout RecoveryReport) throws(StoreError) {
    guard let root else { return }
    func lose(_ reason: String, _ length: Int) {
      report.note(Finding(.identityLost, Name.identity, at: 0..<length, reason))
    }
    guard let file = try openTrusted(Name.identity, in: root, .file, &report) else { return }
    if let presence { fileSystem.close(presence) }
    presence = file.descriptor
    // Where locks do not work, a restore cannot see us; nothing else depends on it.
    _ = try? fileSystem.lock(file.descriptor, .shared)
    let (bytes, failure) = fileSystem.contents(of: file.descriptor, size: min(file.status.size, 65536))
    if let failure {
      lose(failure.description, 0)
      return
    }
    let reading = StoreIdentityReading(bytes)
    (identity, obstacle) = (reading.identity, reading.obstacle)
    if let damage = reading.damage { lose(damage, bytes.count) }
  }

  mutating func openJournal(_ report: inout RecoveryReport) throws(StoreError) {
    guard let root, journal == nil else { return }
    journal = try openTrusted(Name.journal, in: root, .directory, &report)?.descriptor
  }

  /// The numbers of the journal files there are now, ascending; other names are none of ours.
  func journalNumbers() throws(StoreError) -> [Int] {
    guard let journal else { return [] }
    let names = try StoreError.reading(fileSystem.names(in: journal))
    return names.compactMap { JournalFile.number(of: $0) }.sorted()
  }

  /// Whether there is a journal file of that number now, or something else in its place.
  func hasJournal(_ number: Int) throws(StoreError) -> Bool {
    guard let journal else { return false }
    return try StoreError.readingIfPresent(fileSystem.status(of: JournalFile.name(number), in: journal)) != nil
  }

  /// Opens a file or folder that must be ours if it is there at all; a mode that lets others in is noted.
  func openTrusted(_ name: String, in directory: Descriptor, _ kind: FileStatus.Kind, _ report: inout RecoveryReport)
    throws(StoreError) -> (descriptor: Descriptor, status: FileStatus)?
  {
    let path = directory.path + "/" + name
    let named = try StoreError.readingIfPresent(fileSystem.status(of: name, in: directory))
    guard let named else { return nil }
    try trust(named, as: kind, path)
    let opened = try StoreError.readingIfPresent(
      kind == .directory
        ? fileSystem.openDirectory(name, in: directory)
        : fileSystem.openFile(name, in: directory, for: .reading))
    guard let opened else { return nil }
    do throws(StoreError) {
      let status = try StoreError.reading(fileSystem.status(of: opened))
      try trust(status, as: kind, path)
      if status.mode & 0o077 != 0 { report.note(.openToOthers(String(path.dropFirst(self.path.count + 1)), status)) }
      return (opened, status)
    } catch {
      fileSystem.close(opened)
      throw error
    }
  }

  func openTrusted(_ name: String, in directory: Descriptor, _ kind: FileStatus.Kind) throws(StoreError) -> (
    descriptor: Descriptor, status: FileStatus
  )? {
    var ignored = RecoveryReport()
    return try openTrusted(name, in: directory, kind, &ignored)
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

/// The names of journal files.
enum JournalFile {
  /// `000001.jsonl` and so on.
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
