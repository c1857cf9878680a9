import DomainKit
import Platform
import Premium
import Reminders

/// The plan of all reminders, computed again when something that it depends on changes.
extension Session {
  /// Computes the plan of the next days, and announces it if it differs.
  func planReminders() {
    // While the store cannot be read, the plan stays.
    guard start.hasLaunched, start.hasBootstrapped, reminders.announced == nil || (try? ownContext()) != nil else {
      return
    }
    readReminderState()
    let new = reminderPlan(days: ReminderBook.horizon, limit: reminderLimit)
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
  func reminderPlan(days: Int, limit: Int) -> ReminderPlan {
    let now = now()
    return ReminderPlan.make(
      reminderInputs, now: now, through: currentZone.day(at: now).advanced(by: days - 1), limit: limit)
  }

  /// The number of reminders that the client can hold.
  var reminderLimit: Int { min(client.abilities.pendingLimit ?? ReminderBook.usualLimit, 1000) }

  /// The inputs of a plan, except the time.
  var reminderInputs: ReminderInputs {
    let settings = presentSettings
    let quiet = settings.quietHours.flatMap { hours in
      try? Reminders.QuietHours(start: hours.start.minutesOfDay, end: hours.end.minutesOfDay)
    }
    return ReminderInputs(
      candidates: JoinedReminderCandidates(
        [
          TrialReminders(
            entitlement: entitlement.state.status(now()).entitlement, time: settings.reminderTime, zone: currentZone)
        ] + domainReminders()), zone: currentZone, dayStart: days.dayStart,
      settings: ReminderSettings(isEnabled: settings.notificationsEnabled, quietHours: quiet), state: reminders.state)
  }

  /// The domains' candidates; none while the store cannot be read.
  private func domainReminders() -> [any ReminderCandidates] {
    guard let context = try? ownContext() else { return [] }
    return services.all.compactMap { $0.reminders(context) }
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

  /// Changes the history of reminders, on disk first; adds deliveries that were not noted before.
  func changeReminders(_ change: (ReminderState) -> ReminderState) throws(RPCError) {
    makeFolder()
    var new = reminders.state
    let book = reminders
    do throws(StoreError) {
      _ = try ownSmallFile(.reminders).update { content throws(StoreError) in
        if case .value(let object) = content { new = book.completed(ReminderState.read(object).state) }
        new = change(new)
        return new.json
      }
    } catch { throw RPCError(error) }
    reminders.state = new
    reminders.delivered = [:]
    reminders.file = FileMark(path: remindersPath)
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
