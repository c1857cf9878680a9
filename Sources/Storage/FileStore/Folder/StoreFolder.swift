/// The data folder: its open parts, and the rules for trusting its files.
struct StoreFolder: Sendable {
  enum Name {
    static let identity = "store.json"
    static let lock = "lock"
    static let journal = "journal"
    static let segments = "segments"
    static let reserve = "reserve"
    static let checkpointReserve = "checkpoint.reserve"
    static let checkpointLock = "checkpoint.lock"
    static let scrubbed = "scrubbed"
    /// Locked by the process that delivers reminders; not created by the store.
    static let reminderTurn = "reminders.turn"
    static let syncLock = "sync.lock"
  }

  let fileSystem: any FileSystem
  /// Without a trailing slash, which would make the system follow a link.
  let path: String
  /// Nil while the folder does not exist.
  var root: Descriptor?
  /// The open lock file; nil until this process asks for the lock.
  var lock: Descriptor?
  /// The lock file's status when it was last locked.
  var lockedFile: FileStatus?
  var journal: Descriptor?
  /// `store.json`, held open with a shared lock, which tells a restore that the store is in use.
  var presence: Descriptor?
  var identity: StoreIdentity?
  /// Why `store.json` forbids this version to write; nil when it does not.
  var obstacle: String?
  /// Whether this process has ensured that there is a reserve.
  var hasCheckedReserve = false
  /// The lines that were missing at the end of the last journal when the folder was opened.
  var lost: LostLines?
  /// Whether this process has created missing files that a writer needs.
  var hasCreatedMissingFiles = false
  /// Whether the names of the files and folders here are known to be durable.
  var namesAreDurable = false

  /// Opens what exists and reads the identity. Never writes, except to complete an unfinished erasure.
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

  /// Closes everything, which releases all locks.
  mutating func close() {
    for descriptor in [journal, presence, root, lock] { if let descriptor { fileSystem.close(descriptor) } }
    (journal, presence, root, lock) = (nil, nil, nil, nil)
  }

  static func normalized(_ path: String) throws(StoreError) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.storeUnavailable, "The data folder's path is empty or contains a zero byte.", path: path)
    }
    return path
  }

  mutating func openRoot() throws(StoreError) -> Bool {
    let root: Descriptor
    do throws(FileSystemError) { root = try fileSystem.openDirectory(path: path, followingLinks: false) } catch {
      if error.reason == .notFound { return false }
      // The system's error does not distinguish a link from a file.
      if let status = try? fileSystem.status(path: path) { try trust(status, as: .directory, path) }
      throw StoreError(reading: error)
    }
    self.root = root
    try trust(
      try StoreError.reading(fileSystem.status(of: root)), as: .directory, path)
    return true
  }

  /// Reads `store.json`; problems are noted.
  mutating func readIdentity(_ report: inout RecoveryReport) throws(StoreError) {
    guard let root else { return }
    func lose(_ reason: String, _ length: Int) {
      report.note(Finding(.identityLost, Name.identity, at: 0..<length, reason))
    }
    guard let file = try openTrusted(Name.identity, in: root, .file, &report) else { return }
    if let presence { fileSystem.close(presence) }
    presence = file.descriptor
    // Where locks do not work, a restore cannot see this process; nothing else depends on it.
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

  /// The numbers of the existing journal files, ascending; other names are ignored.
  func journalNumbers() throws(StoreError) -> [Int] {
    guard let journal else { return [] }
    let names = try StoreError.reading(fileSystem.names(in: journal))
    return names.compactMap { JournalFile.number(of: $0) }.sorted()
  }

  /// Whether a journal file of that number, or anything with its name, exists.
  func hasJournal(_ number: Int) throws(StoreError) -> Bool {
    guard let journal else { return false }
    return try StoreError.readingIfPresent(fileSystem.status(of: JournalFile.name(number), in: journal)) != nil
  }

  /// Opens a file or folder that must be ours if it exists; permissions for others are noted.
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

  /// Refuses what is not ours or is of another kind.
  func trust(_ status: FileStatus, as kind: FileStatus.Kind, _ path: String) throws(StoreError) {
    guard status.kind == kind else {
      let what =
        status.kind == .symbolicLink
        ? "A symbolic link is" : "Something other than a \(kind == .file ? "regular file" : "folder") is"
      throw StoreError(.storeUntrusted, what + " where the store's own should be.", path: path)
    }
    guard status.owner == fileSystem.userID else {
      throw StoreError(
        .storeUntrusted, "The store belongs to another user.", path: path,
        details: ["owner": String(status.owner), "user": String(fileSystem.userID)])
    }
  }
}

enum JournalFile {
  /// `000001.jsonl` and so on.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".jsonl"
  }

  /// The number for a new journal after all others: `first` or more, no file has it, and no seal has promised it.
  static func next(
    in journal: Descriptor, after position: JournalPosition?, from first: Int, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> Int {
    let present = try fileSystem.names(in: journal).compactMap { number(of: $0) }.max() ?? 0
    let promised = position.map { $0.tail == .sealed ? $0.file + 1 : $0.file } ?? 0
    return max(present, promised, first - 1) + 1
  }

  /// The number in a journal file's name; nil for other names.
  static func number(of name: String) -> Int? {
    guard name.hasSuffix(".jsonl"), let number = Int(name.dropLast(6)), number > 0, JournalFile.name(number) == name
    else { return nil }
    return number
  }
}
