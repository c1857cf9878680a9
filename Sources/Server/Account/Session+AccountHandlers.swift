import DomainKit
import Platform
import Premium
import Reminders
import SettingsDocument
import SyncEngine
import Zones

/// The reset of the settings and the deletion of everything, each in two steps.
extension Session {
  func accountPrepareDeletion(
    _ params: AccountPrepareDeletionParams
  ) throws(RPCError) -> AccountPrepareDeletionResult {
    let present = try snapshot()
    let token = DeletionToken(
      text: "\(options.newID())", scope: params.scope, expiresAt: now().advanced(by: DeletionToken.lifetime))
    deletion.token = token
    return AccountPrepareDeletionResult(
      token: token.text, expiresAt: token.expiresAt,
      summary: DeletionSummary(
        records: present.userRecordCount,
        backups: (try? backups.list().count) ?? 0,
        secrets: (try? rooms.secrets.names(desk(Call(method: .accountPrepareDeletion))).count) ?? 0))
  }

  /// Consumes the token of a deletion.
  private func confirm(_ token: String, _ scope: DeletionScope) throws(RPCError) {
    guard let known = deletion.token, known.confirms(token, scope, now: now()) else {
      throw RPCError(
        .confirmationInvalid, "the token is invalid or has expired", pointer: "/token",
        hint: "“account/prepareDeletion” gives one for five minutes")
    }
    deletion.token = nil
  }

  func accountReset(_ params: AccountResetParams, _ call: inout Call) throws(RPCError) -> AccountResetResult {
    try confirm(params.token, .reset)
    let (changed, revision) = try store(SettingsRules.defaults, replacing: try settings(), &call)
    changeFlags { flags in
      flags.zones = nil
      flags.lockAttempts = .none
    }
    if Files.exists(options.dataFolder + "/" + SmallFile.Name.reminders.rawValue) {
      try changeReminders { state in
        // Delivered reminders stay recorded, so that they are not delivered twice.
        state.fired.reduce(ReminderState()) { $0.fired($1.key, at: $1.value) }
      }
    }
    var desk = desk(call)
    try rooms.estimation.forget(&desk)
    call = desk.call
    call.afterReply { session in
      _ = session.recordDeviceZone()
      session.planReminders()
    }
    return AccountResetResult(changed: changed, revision: revision)
  }

  nonisolated func accountDelete(
    _ params: AccountDeleteParams, _ work: HeavyWork
  ) async throws(RPCError) -> AccountDeleteResult {
    let extras = Set(params.include ?? [])
    let makesBackup = params.backup ?? !extras.contains(.backups)
    if params.backup == true, extras.contains(.backups) {
      throw RPCError(
        .invalidParams, "the backup would be deleted with the others", pointer: "/backup", allowed: "false, or nothing",
        hint: "leave “backups” out of “include” to keep one")
    }
    let records = try await confirmDeletion(params.token)
    let (backups, configuration) = (backups, folderConfiguration)
    var made: Backup?
    if makesBackup, records > 0 {
      made = try await work.onThread("Backing up") { monitor throws(StoreError) in
        try backups.create(.manual, note: "before everything was deleted", monitor)
      }
    }
    if extras.contains(.remote) {
      let deletion = try await deletionElsewhere()
      let result = try await work.onThread("Deleting on the other devices", deletion)
      if case .failure(let failure) = result { throw failure.error }
    }
    let unsent = try await work.onThread(nil) { _ throws(StoreError) in
      let store = try FileStore.open(configuration)
      defer { store.close() }
      return OutboxItem.pending(try store.snapshot, SyncCollections.all).count { $0.isDeletion }
    }
    let parts = Session.parts(extras)
    await beginDeletion()
    await notes.settle()
    let counts: Erasure.Counts
    do throws(RPCError) {
      counts = try await work.onThread("Deleting") { _ throws(StoreError) in
        let store = try FileStore.open(configuration)
        defer { store.close() }
        return try store.erase(parts)
      }
    } catch {
      await deletionFailed()
      throw error
    }
    let event = Event(
      AccountDeletedParams.method, AccountDeletedParams(records: records, backupId: made.map { "\($0.id)" }))
    work.progress.follow(with: event)
    for event in await resetAfterDeletion() { work.progress.follow(with: event) }
    return AccountDeleteResult(
      records: records, files: counts.files, backupId: made.map { "\($0.id)" }, unsentDeletions: unsent,
      route: await route)
  }

  private static func parts(_ extras: Set<DeletionExtra>) -> Erasure.Parts {
    var parts: Erasure.Parts = [.flags, .premium, .reminders, .estimator]
    if extras.contains(.backups) { parts.insert(.backups) }
    if extras.contains(.quarantine) { parts.insert(.quarantine) }
    if extras.contains(.logs) { parts.insert(.logs) }
    if extras.contains(.secrets) { parts.insert(.secrets) }
    return parts
  }

  /// The number of records to delete, if the token is valid.
  private func confirmDeletion(_ token: String) throws(RPCError) -> Int {
    try confirm(token, .everything)
    let present = try snapshot()
    return present.userRecordCount
  }

  private func deletionElsewhere() throws(RPCError) -> SyncRoom.Deletion {
    try rooms.sync.deletionElsewhere(desk(Call(method: .accountDelete)))
  }

  /// Marks the deletion as this client's: it is not announced to it as others' changes are.
  private func beginDeletion() { deletion.since = announced.replacements }

  /// Announces what was deleted nevertheless, as a change of others.
  private func deletionFailed() {
    announced.replacements = deletion.since ?? announced.replacements
    deletion.since = nil
  }

  /// Resets the session to the state of a first start. Returns the events that follow the reply.
  private func resetAfterDeletion() -> [Event] {
    pollOthers()
    forgetEverything()
    device = DeviceFlags()
    reminders.forgetState()
    entitlement.dropUnsaved()
    entitlement.file = nil
    lock.isAuthenticated = false
    announced.onboarding = false
    client.selectedDay = nil
    preview.settings = nil
    preview.onboarding = nil
    #if DEBUG
      _ = Files.remove(options.dataFolder + "/debug-store.json")
    #endif
    var call = Call(method: .accountDelete)
    if entitlement.state.reset(now: now()).statusChanged {
      call.emit(PremiumStatusChangedParams.method, PremiumStatusChangedParams(status: premiumStatus, reason: .request))
    }
    appendRouteChange(&call)
    return call.events.filter { isWanted($0) }
  }

  /// Continues as after a first start, once the deletion was answered.
  func endDeletion() {
    deletion.since = nil
    _ = recordDeviceZone()
    planReminders()
    verify(.start)
  }
}

extension Erasure.Counts {
  fileprivate var files: Int { journals + segments + manifests + backups + quarantined + logs + others }
}
