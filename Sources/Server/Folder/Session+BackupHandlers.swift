import DomainKit
import Platform

extension Session {
  /// How to open the data folder independently of the session's own store.
  nonisolated var folderConfiguration: FileStore.Configuration {
    var configuration = options.folderConfiguration
    configuration.followed = followed
    configuration.participants = ServiceOptions.participants(onboarding)
    return configuration
  }

  nonisolated var backups: Backups { Backups(folderConfiguration) }

  nonisolated func backupCreate(
    _ params: BackupCreateParams, _ work: HeavyWork
  ) async throws(RPCError) -> BackupInfo {
    let backups = backups
    let backup = try await work.onThread("Backing up") { monitor throws(StoreError) in
      try backups.create(.manual, note: params.note, monitor)
    }
    work.progress.follow(with: Session.created(backup))
    return BackupInfo(backup)
  }

  nonisolated func backupList(_ params: NoParams, _ work: HeavyWork) async throws(RPCError) -> BackupListResult {
    let backups = backups
    let list = try await work.onThread(nil) { _ throws(StoreError) in try backups.list() }
    return BackupListResult(backups: list.map { BackupInfo($0) })
  }

  nonisolated func backupVerify(
    _ params: BackupVerifyParams, _ work: HeavyWork
  ) async throws(RPCError) -> BackupVerifyResult {
    let (backups, id) = (backups, try Session.backupID(params.id))
    let problems = try await work.onThread("Verifying") { monitor throws(StoreError) in
      try backups.verify(id, monitor)
    }
    let isDamaged = try await work.onThread(nil) { _ throws(StoreError) in
      try backups.list().contains { $0.id == id && !$0.isVerified }
    }
    return BackupVerifyResult(
      id: params.id, verified: problems.isEmpty && !isDamaged,
      problems: problems.map { DaybookProtocol.BackupProblem(file: $0.file, reason: $0.reason) })
  }

  nonisolated func backupRestore(
    _ params: BackupRestoreParams, _ work: HeavyWork
  ) async throws(RPCError) -> BackupRestoreResult {
    let (backups, id, author) = (backups, try Session.backupID(params.id), await author)
    _ = try await work.onThread("Preparing the restore") { monitor throws(StoreError) in
      try backups.requestRestore(of: id, by: author, monitor)
    }
    return BackupRestoreResult(id: params.id, pending: true, restartNeeded: true)
  }

  nonisolated func backupDelete(
    _ params: BackupDeleteParams, _ work: HeavyWork
  ) async throws(RPCError) -> BackupDeleteResult {
    let (backups, id) = (backups, try Session.backupID(params.id))
    try await work.onThread(nil) { monitor throws(StoreError) in try backups.delete(id, monitor) }
    return BackupDeleteResult(id: params.id)
  }

  private static func backupID(_ text: String) throws(RPCError) -> BackupID {
    guard let id = BackupID(text) else {
      throw RPCError(
        .invalidParams, "“\(text.prefix(100))” is not the id of a backup", pointer: "/id",
        allowed: "an id such as 20261121T203000Z-0b1c2d3e", hint: "“backup/list” has them")
    }
    return id
  }

  private static func created(_ backup: Backup) -> Event {
    Event(
      BackupCreatedParams.method,
      BackupCreatedParams(id: backup.id.description, reason: DaybookProtocol.BackupReason(backup)))
  }

  // MARK: without being asked

  /// Carries out a pending restore, once, before the store is opened. The start continues after any outcome.
  func restorePending(_ configuration: FileStore.Configuration) -> TaskOutcome {
    guard !start.hasLookedForRestore else { return .skipped("none waits") }
    start.hasLookedForRestore = true
    if PendingRestore.waits(in: configuration) { OnboardingMirror.save(configuration) }
    switch PendingRestore.run(configuration) {
    case .nothing: return .skipped("none waits")
    case .done(let id, let revision):
      log.warning(.backup, "backup \(public: id) was restored, as revision \(revision)")
      tell(.info, "backup \(id) was restored")
      return .done("backup \(id) was restored, as revision \(revision)")
    case .waiting(let id):
      log.warning(.backup, "the restore of backup \(public: id) waits: other processes use the data folder")
      tell(.warning, "the restore of backup \(id) waits for other processes to end")
      return .skipped("backup \(id) waits for other processes to end")
    case .postponed(let id, let reason):
      let text = "the restore of backup \(id) failed, and is tried again at the next start"
      log.error(.backup, "\(public: text): \(unquoted: reason)")
      tell(.error, text)
      return .failed(text)
    case .failed(let reason):
      let text = "a restore failed for good; what was stored is unchanged"
      log.error(.backup, "a restore failed for good: \(unquoted: reason)")
      tell(.error, text)
      return .failed(text)
    }
  }

  /// Makes the daily backup in the background, at the first change of a day.
  func backUpDaily() {
    let day = now().utc.day
    guard options.makesDailyBackups, writing.backupDay != day else { return }
    writing.backupDay = day
    let (backups, log, delay) = (backups, log, options.dailyBackupDelay)
    Threads.startHeavy { [weak self] in
      // The reply leaves first.
      Threads.rest(milliseconds: delay)
      do throws(StoreError) {
        guard try backups.isDailyDue() else { return }
        let backup = try backups.create(.daily)
        self?.enqueue { $0.emit(Session.created(backup)) }
      } catch { log.warning(.backup, "the daily backup was not made: \(public: error)") }
    }
  }
}

extension BackupInfo {
  /// A backup as clients see it.
  init(_ backup: Backup) {
    self.init(
      id: backup.id.description, createdAt: backup.created, reason: DaybookProtocol.BackupReason(backup),
      note: backup.note, revision: backup.revision, records: backup.records, bytes: backup.bytes,
      verified: backup.isVerified, problem: backup.problem.map { "\($0.file): \($0.reason)" })
  }
}

extension DaybookProtocol.BackupReason {
  fileprivate init(_ backup: Backup) {
    self =
      switch backup.reason {
      case .manual: .manual
      case .daily: .daily
      case .beforeImport: .beforeImport
      case .beforeRestore: .beforeRestore
      case .beforeMigration: .beforeMigration
      case .beforeSync: .beforeSync
      }
  }
}
