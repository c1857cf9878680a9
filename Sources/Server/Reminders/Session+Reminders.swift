import DomainKit
import Platform
import Premium
import Reminders

/// The plan of all reminders, computed again when something that it depends on changes.
extension Session {
  /// Computes the plan of the next days, and announces it if it differs.
  func planReminders() {
    guard start.hasLaunched, start.hasBootstrapped else { return }
    readReminderState()
    let basis: PlanBasis
    do throws(RPCError) { basis = try planBasis() } catch {
      // While the store cannot be read, the plan stays.
      if reminders.announced == nil { reminders.replace(by: .empty(madeAt: now())) }
      return
    }
    guard reminders.announced == nil || basis != reminders.basis || reminders.isPlanDue(now()) else { return }
    reminders.basis = basis
    let new = reminderPlan(basis, days: ReminderBook.horizon, limit: reminderLimit)
    let old = reminders.announced ?? .empty(madeAt: new.madeAt)
    reminders.replace(by: new)
    let difference = new.difference(from: old)
    guard difference.isNews else { return }
    func names(_ ids: [ReminderID]) -> [String] { ids.prefix(ReminderBook.announcedIDs).map { "\($0)" } }
    emit(
      RemindersChangedParams.method,
      RemindersChangedParams(
        total: new.total, nextAt: new.entries.first?.fireAt, added: names(difference.added),
        removed: names(difference.removed), moved: names((difference.moved + difference.changed).sorted())))
  }

  /// The reminders of the next `days` days, today included, in order of time.
  func reminderPlan(_ basis: PlanBasis, days: Int, limit: Int) -> ReminderPlan {
    let now = now()
    let inputs = basis.inputs
    return ReminderPlan.make(inputs, now: now, through: inputs.day(at: now).advanced(by: days - 1), limit: limit)
  }

  /// The number of reminders that the client can hold.
  var reminderLimit: Int { min(client.abilities.pendingLimit ?? ReminderBook.usualLimit, 1000) }

  /// What a plan is made of, except the time.
  func planBasis() throws(RPCError) -> PlanBasis {
    let settings = presentSettings
    let quiet = settings.quietHours.flatMap { hours in
      try? Reminders.QuietHours(start: hours.start.minutesOfDay, end: hours.end.minutesOfDay)
    }
    let context = try ownContext()
    var sources: [RememberedCandidates] = []
    for service in services.all { sources += try service.reminders(context) }
    return PlanBasis(
      days: days, sources: sources, trial: trialReminders,
      settings: ReminderSettings(isEnabled: settings.notificationsEnabled, quietHours: quiet), state: reminders.state,
      limit: reminderLimit)
  }

  var trialReminders: TrialReminders {
    TrialReminders(
      entitlement: entitlement.state.status(now()).entitlement, time: presentSettings.reminderTime, zone: currentZone)
  }

  /// Makes the first plan of a start, once the device's notification authorization is known.
  func beginReminders() -> TaskOutcome? {
    guard client.abilities.knowsAuthorization else { return plannedFirst() }
    clientRequests.ask(timeout: RequestTimeout.deviceNotificationAuthorization) {
      [traffic, framing = client.framing] id in
      var frames = OutgoingFrames(framing: framing, capacity: 256)
      frames.request(id, "device/notificationAuthorization", NoParams())
      traffic.send(frames.writer.bytes)
    } completion: { [weak self] answer in
      let status = Session.authorization(answer)
      self?.enqueue { session in
        session.reminders.authorization = status
        session.endLaunchTask(.reminderPlan, session.plannedFirst())
      }
    }
    return nil
  }

  private static func authorization(_ answer: ClientRequests.Answer) -> NotificationAuthorization? {
    guard case .result(let text) = answer else { return nil }
    return text.withUnsafeBytes { try? DeviceNotificationAuthorizationResult(json: $0, strict: false) }?.status
  }

  private func plannedFirst() -> TaskOutcome {
    planReminders()
    let total = reminders.plan.total
    if let status = reminders.authorization, status != .authorized { return .skipped("the device: \(status.rawValue)") }
    return .done("\(total) reminders")
  }

  // MARK: what happened to reminders

  var remindersPath: String { options.dataFolder + "/" + SmallFile.Name.reminders.rawValue }

  /// Reads the history of reminders, if the file has changed.
  func readReminderState() {
    let mark = FileMark(path: remindersPath)
    guard mark != reminders.file else { return }
    reminders.file = mark
    switch smallFile(.reminders).read() {
    case .missing: reminders.state = reminders.completed(ReminderState())
    case .damaged(let reason): log.warning(.reminders, "reminders.json is passed over: \(unquoted: reason)")
    case .value(let object): reminders.state = reminders.completed(ReminderState.read(object).state)
    }
  }

  /// Changes the history of reminders, on disk first; adds deliveries that were not noted before. What the change
  /// refuses, because another process has changed the history, changes nothing and is thrown.
  func changeReminders(_ change: (ReminderState) throws(ReminderError) -> ReminderState) throws(RPCError) {
    makeFolder()
    var new = reminders.state
    var refusal: ReminderError?
    let book = reminders
    do throws(StoreError) {
      _ = try ownSmallFile(.reminders).update { content throws(StoreError) in
        if case .value(let object) = content { new = book.completed(ReminderState.read(object).state) }
        do throws(ReminderError) { new = try change(new) } catch { refusal = error }
        return new.json
      }
    } catch { throw RPCError(error) }
    reminders.state = new
    reminders.delivered = [:]
    host.owesDeliveryNote = false
    reminders.file = FileMark(path: remindersPath)
    if let refusal { throw Session.notFound(refusal) }
  }

  /// The error for a reminder that can no longer be put off.
  static func notFound(_ refusal: ReminderError) -> RPCError {
    RPCError(.reminderNotFound, refusal.message, pointer: "/id", hint: "it was done or skipped")
  }

  func pruneReminders() {
    readReminderState()
    let now = now()
    guard reminders.state.pruned(now: now) != reminders.state else { return }
    do throws(RPCError) { try changeReminders { $0.pruned(now: now) } } catch {
      log.warning(.reminders, "what happened to reminders cannot be written: \(unquoted: error.message)")
    }
  }
}
