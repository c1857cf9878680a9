import Values

/// Assembles the files of one backup.
struct BackupMaker {
  let configuration: FileStore.Configuration
  let id: BackupID
  let reason: BackupReason
  let note: String?
  /// The list written by the last `make`.
  private(set) var list: BackupList?
  private var files: [BackupList.File] = []
  private var isDamaged = false

  init(configuration: FileStore.Configuration, id: BackupID, reason: BackupReason, note: String?) {
    self.configuration = configuration
    self.id = id
    self.reason = reason
    self.note = note
  }

  private var fileSystem: any FileSystem { configuration.fileSystem }

  /// Makes the backup in a temporary folder and returns what is wrong with it.
  mutating func make(
    _ source: borrowing StoreReading, in place: borrowing BackupPlace, sharingWith previous: BackupList?,
    _ monitor: WorkMonitor
  ) throws(StoreError) -> [BackupProblem] {
    (files, isDamaged) = ([], source.isDamaged)
    let name = place.temporaryName(id)
    let (home, fileSystem) = (place.home, fileSystem)
    let folder = try StoreError.writing { () throws(FileSystemError) in
      try fileSystem.makeDirectory(name, in: home)
      return try fileSystem.openDirectory(name, in: home)
    }
    defer { fileSystem.close(folder) }
    let shared = try previous.map { list throws(StoreError) in
      (folder: try place.open(list.id), files: Dictionary(list.files.map { ($0.name, $0) }) { first, _ in first })
    }
    defer { if let shared { fileSystem.close(shared.folder) } }
    let list = try fill(folder, from: source, shared, monitor.part(0...60))
    self.list = list
    return try BackupCheck(configuration: configuration, folder: folder).problems(of: list, monitor.part(60...100))
  }

  private typealias Shared = (folder: Descriptor, files: [String: BackupList.File])

  private mutating func fill(
    _ folder: Descriptor, from source: borrowing StoreReading, _ shared: Shared?, _ monitor: WorkMonitor
  ) throws(StoreError) -> BackupList {
    guard let root = source.folder.root else { throw StoreError(.nothingStored, "There is no data folder.") }
    let base = source.snapshot.base
    var from = FolderTree(fileSystem, root)
    var to = FolderTree(fileSystem, folder, creates: true)
    var old = shared.map { FolderTree(fileSystem, $0.folder) }
    try copy(StoreFolder.Name.identity, &from, &to)
    if base.generation > 0 {
      let manifest = Manifest(
        generation: base.generation, store: source.folder.identity?.store ?? .zero, revision: base.revision,
        journal: base.journal, segments: base.allEntries.sorted { $0.key < $1.key })
      let bytes = manifest.bytes
      try StoreError.writing(fileSystem.create(ManifestFiles.Name.current, in: folder, bytes))
      files.append(BackupList.File(name: ManifestFiles.Name.current, bytes: bytes.count, sha256: SHA256.hash(bytes)))
    }
    let total = max(1, base.allEntries.reduce(0) { $0 + $1.bytes })
    var done = 0
    for entry in base.allEntries.sorted(by: { $0.key < $1.key }) {
      try monitor.check()
      let name = "\(StoreFolder.Name.segments)/\(entry.path)"
      if let known = shared?.files[name], known.sha256 == entry.sha256, known.bytes == entry.bytes,
        try link(known, &old, &to)
      {
        files.append(known)
      } else if let copy = try copy(name, &from, &to), copy.sha256 != entry.sha256 {
        isDamaged = true
      }
      done += entry.bytes
      monitor.report(done * 100 / total)
    }
    try copyJournals(source, &from, &to)
    return try close(folder, source, &to)
  }

  /// Copies the journals after the segments, the last one up to where it was read.
  private mutating func copyJournals(_ source: borrowing StoreReading, _ from: inout FolderTree, _ to: inout FolderTree)
    throws(StoreError)
  {
    let position = source.content.follower.position
    for number in source.content.follower.numbers {
      let isLast = number == position?.file
      try copy(
        "\(StoreFolder.Name.journal)/\(JournalFile.name(number))", &from, &to,
        limit: isLast ? position?.offset ?? 0 : .max)
    }
    guard let lost = source.content.follower.lost, !lost.journal.isEmpty else { return }
    let name = "\(StoreFolder.Name.journal)/\(JournalFile.name(lost.target))"
    do throws(FileSystemError) {
      let target = try to.place(of: name)
      try fileSystem.create(target.name, in: target.folder, lost.journal)
    } catch { throw StoreError(writing: error) }
    files.append(BackupList.File(name: name, bytes: lost.journal.count, sha256: SHA256.hash(lost.journal)))
  }

  /// Writes the list and syncs everything.
  private func close(_ folder: Descriptor, _ source: borrowing StoreReading, _ to: inout FolderTree) throws(StoreError)
    -> BackupList
  {
    let identity = source.folder.identity
    let nobody = EntityID.zero
    let list = BackupList(
      id: id, store: identity?.store ?? nobody, replica: identity?.replica ?? nobody, created: configuration.now(),
      revision: source.snapshot.revision,
      records: source.snapshot.count(leavingOut: configuration.participants.ownCollections), reason: reason, note: note,
      isDamaged: isDamaged || source.isDamaged, files: files.sorted { $0.name < $1.name })
    do throws(FileSystemError) {
      try fileSystem.create(BackupList.fileName, in: folder, list.text)
      try to.synchronize()
    } catch { throw StoreError(writing: error) }
    return list
  }

  /// Links a file of the previous backup; false when it is missing or has too many links.
  private func link(_ file: BackupList.File, _ old: inout FolderTree?, _ to: inout FolderTree) throws(StoreError)
    -> Bool
  {
    do throws(FileSystemError) {
      guard let from = try old?.place(of: file.name) else { return false }
      let target = try to.place(of: file.name)
      try fileSystem.link(from.name, in: from.folder, to: target.name, in: target.folder)
      return true
    } catch {
      if error.reason == .noSpace || error.reason == .readOnly { throw StoreError(writing: error) }
      return false
    }
  }

  /// Copies a file of the store; one that is missing, or unreadable twice, marks the store as damaged.
  @discardableResult private mutating func copy(
    _ name: String, _ from: inout FolderTree, _ to: inout FolderTree, limit: Int = .max
  ) throws(StoreError) -> BackupList.File? {
    do throws(FileSystemError) {
      let (source, target) = (try from.place(of: name), try to.place(of: name))
      func copy() throws(FileSystemError) -> (bytes: Int, sha256: SHA256Digest) {
        try fileSystem.copy(source.name, in: source.folder, to: target.name, in: target.folder, limit: limit)
      }
      do throws(FileSystemError) {
        let made: (bytes: Int, sha256: SHA256Digest)
        do throws(FileSystemError) { made = try copy() } catch {
          guard error.call == "pread" else { throw error }
          try fileSystem.unlinkIfPresent(target.name, in: target.folder)
          made = try copy()
        }
        let file = BackupList.File(name: name, bytes: made.bytes, sha256: made.sha256)
        files.append(file)
        return file
      } catch {
        guard error.call == "pread" || error.reason == .notFound else { throw error }
        isDamaged = true
        try? fileSystem.unlink(target.name, in: target.folder)
        return nil
      }
    } catch {
      if error.reason == .notFound {
        isDamaged = true
        return nil
      }
      throw StoreError(writing: error)
    }
  }
}
