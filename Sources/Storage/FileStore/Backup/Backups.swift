import JSON
import Platform

/// The backups of a data folder. Each is a folder that is itself a store, with a list of its files. All operations use
/// their own descriptors, and no user of the store waits for them.
///
/// The live store and its backups never share a file, so damage to one cannot reach the other; backups share unchanged
/// files with each other.
package struct Backups: Sendable {
  let configuration: FileStore.Configuration

  package init(_ configuration: FileStore.Configuration) { self.configuration = configuration }

  /// Makes a backup of the present state, verifies it completely, and only then gives it its name. A damaged store is
  /// backed up as far as it is readable, and the backup is marked as damaged.
  ///
  /// - Parameter folds: Whether a checkpoint is made first, so that the next backup shares more files with this one.
  /// - Throws: `nothingStored`, `backupBusy`, `cancelled`, or I/O errors; then nothing is left behind.
  package func create(
    _ reason: BackupReason, note: String? = nil, folds: Bool = true, _ monitor: WorkMonitor = WorkMonitor()
  ) throws(StoreError) -> Backup {
    if folds { fold() }
    return try create(reason, note: note, in: BackupPlace.open(forWriting: configuration, monitor), monitor)
  }

  /// Makes a backup while the caller holds the lock of the backups.
  func create(_ reason: BackupReason, note: String?, in place: borrowing BackupPlace, _ monitor: WorkMonitor)
    throws(StoreError) -> Backup
  {
    var source = try StoreReading(configuration)
    // An error of the disk that does not repeat is no damage of the store.
    if source.hasReadError { source = try StoreReading(configuration) }
    let root = source.folder.root
    try StoreError.writing { () throws(FileSystemError) in
      try place.sweep()
      if let root { try Backups.sweepStagings(in: root, configuration.fileSystem) }
    }
    let id = BackupID(at: configuration.now(), random: configuration.newID())
    let previous = try newest(in: place)
    var maker = BackupMaker(configuration: configuration, id: id, reason: reason, note: note)
    var problems = try maker.make(source, in: place, sharingWith: previous, monitor)
    if !problems.isEmpty, previous != nil {
      // A shared file may be the damaged one.
      try StoreError.writing(place.sweep())
      problems = try maker.make(source, in: place, sharingWith: nil, monitor)
    }
    guard problems.isEmpty, let list = maker.list else {
      try? place.sweep()
      let first = problems.first
      throw StoreError(
        .storeUnavailable, "The backup differs from what was written: \(first?.reason ?? "no list").",
        path: first?.file)
    }
    try StoreError.writing(place.publish(id))
    // Old backups that stay a little longer do no harm.
    _ = try? applyRetention(place)
    return Backup(list)
  }

  /// All backups, newest first, judged by their lists and file sizes only.
  package func list() throws(StoreError) -> [Backup] {
    guard let place = try BackupPlace(reading: configuration) else { return [] }
    return try Backups.list(place)
  }

  /// Verifies every byte of a backup, opens it as a store, and records the outcome; empty when nothing is wrong.
  ///
  /// - Throws: `backupNotFound`, `cancelled`.
  package func verify(_ id: BackupID, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) -> [BackupProblem] {
    guard let place = try BackupPlace(reading: configuration) else {
      throw StoreError(.backupNotFound, "There is no backup “\(id)”.", path: configuration.folder)
    }
    let backup = try place.open(id)
    defer { configuration.fileSystem.close(backup) }
    let problems = try problems(of: id, backup, in: place, monitor)
    // Recorded only because a quick check cannot see it; nothing depends on it.
    if (try? place.checkWritable()) != nil { try? remember(problems, in: backup) }
    return problems
  }

  /// The problems of the backups, newest first: the newest is verified completely, the others by their lists and file
  /// sizes. Writes nothing.
  func problems() throws(StoreError) -> [(id: BackupID, problem: BackupProblem)] {
    guard let place = try BackupPlace(reading: configuration) else { return [] }
    let backups = try Backups.list(place)
    var found = backups.compactMap { backup in backup.problem.map { (id: backup.id, problem: $0) } }
    guard let newest = backups.first, newest.problem == nil else { return found }
    let folder = try place.open(newest.id)
    defer { configuration.fileSystem.close(folder) }
    if let problem = try problems(of: newest.id, folder, in: place, WorkMonitor()).first {
      found.insert((newest.id, problem), at: 0)
    }
    return found
  }

  private func problems(of id: BackupID, _ backup: Descriptor, in place: borrowing BackupPlace, _ monitor: WorkMonitor)
    throws(StoreError) -> [BackupProblem]
  {
    let list: BackupList
    do throws(BackupProblem) { list = try place.list(of: backup, id) } catch { return [error] }
    return try BackupCheck(configuration: configuration, folder: backup).problems(of: list, monitor)
  }

  /// Removes a backup.
  ///
  /// - Throws: `backupNotFound`, `backupBusy`; `lastBackup` for the last intact one.
  package func delete(_ id: BackupID, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError) {
    let place = try BackupPlace.open(forWriting: configuration, monitor)
    let all = try Backups.list(place)
    guard let found = all.first(where: { $0.id == id }) else {
      throw StoreError(.backupNotFound, "There is no backup “\(id)”.", path: place.home.path)
    }
    if found.isVerified, all.count(where: \.isVerified) == 1 {
      throw StoreError(.lastBackup, "It is the last intact backup.", path: place.home.path)
    }
    try StoreError.writing { () throws(FileSystemError) in
      try place.sweep()
      try place.remove(id)
    }
  }

  /// Whether the latest backup is from an earlier day, so that the daily one is due.
  package func isDailyDue() throws(StoreError) -> Bool {
    guard let place = try BackupPlace(reading: configuration) else { return true }
    let today = BackupID(at: configuration.now(), random: .zero).day
    return try !place.ids().contains { $0.day >= today }
  }

  // MARK: helpers

  static func list(_ place: borrowing BackupPlace) throws(StoreError) -> [Backup] {
    var backups: [Backup] = []
    for id in try place.ids() {
      do throws(StoreError) { backups.append(try place.summary(of: id)) } catch {
        // It may just have been removed.
        if error.code != .backupNotFound { throw error }
      }
    }
    return backups.sorted(by: Backup.isNewer)
  }

  private func newest(in place: borrowing BackupPlace) throws(StoreError) -> BackupList? {
    guard let newest = try Backups.list(place).first(where: \.isVerified) else { return nil }
    let backup = try place.open(newest.id)
    defer { configuration.fileSystem.close(backup) }
    return try? place.list(of: backup)
  }

  /// Makes a checkpoint, if possible now; the backup is correct without it too.
  private func fold() {
    do throws(StoreError) {
      guard var checkpoint = try Checkpoint(configuration) else { return }
      var left = 200
      try checkpoint.run { [configuration] in
        guard !configuration.isInline, left > 0 else { return false }
        left -= 1
        Threads.rest(milliseconds: 1)
        return true
      }
    } catch {}
  }

  private func remember(_ problems: [BackupProblem], in backup: Descriptor) throws(FileSystemError) {
    let fileSystem = configuration.fileSystem
    guard !problems.isEmpty else {
      guard try fileSystem.unlinkIfPresent(BackupPlace.damageName, in: backup) else { return }
      return try fileSystem.synchronizeDirectory(backup)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("at", configuration.now())
    writer.member("problems", problems.map { "\($0.file): \($0.reason)" })
    writer.endObject()
    writer.append("\n")
    _ = try FileSystemError.ignoring(
      .alreadyExists, fileSystem.create(BackupPlace.damageName, in: backup, writer.bytes))
    try fileSystem.synchronizeDirectory(backup)
  }
}
