import DomainKit
import Reminders

extension Session {
  func remindersPlan(_ params: RemindersPlanParams) throws(RPCError) -> RemindersPlanResult {
    let settings = try settings()
    readReminderState()
    let plan = reminderPlan(
      try planBasis(), days: params.days ?? ReminderBook.horizon, limit: params.limit ?? reminderLimit)
    return RemindersPlanResult(
      reminders: plan.entries.map { Reminder($0) }, total: plan.total, enabled: settings.notificationsEnabled,
      authorization: reminders.authorization, revision: try revision())
  }

  /// The reminders that fire on some days, today or later.
  func reminders(on days: ClosedRange<CivilDay>) throws(RPCError) -> [Reminder] {
    readReminderState()
    let basis = try planBasis()
    let ahead = Int(days.upperBound.daysSinceEpoch) - Int(basis.inputs.day(at: now()).daysSinceEpoch) + 1
    guard ahead > 0 else { return [] }
    return reminderPlan(basis, days: ahead, limit: 1000).entries.filter { days.contains($0.localDay) }
      .map { Reminder($0) }
  }

  func remindersCategories(_ params: NoParams) throws(RPCError) -> RemindersCategoriesResult {
    RemindersCategoriesResult(categories: reminderCategories)
  }

  /// How to show the reminders of each source, in the protocol's order.
  var reminderCategories: [ReminderCategory] {
    let titles: [(source: ReminderSource, title: String)] =
      [(.trial, "Premium trial"), (.summary, "Summary")] + Services.types.compactMap { $0.reminderTitle }
    return ReminderSource.known.flatMap { source in
      titles.filter { $0.source == source }.map { title in
        ReminderCategory(source: source, title: title.title, actions: source.actions)
      }
    }
  }

  func remindersSnooze(_ params: RemindersSnoozeParams, _ call: inout Call) throws(RPCError) -> RemindersSnoozeResult {
    _ = try settings()
    let id = try knownReminder(params.id, call)
    let now = now()
    let minutes = params.minutes ?? ReminderState.defaultSnooze
    var inputs = try planBasis().inputs
    do throws(ReminderError) { inputs.state = try inputs.state.snoozed(id, minutes: minutes, now: now) } catch {
      throw Session.notFound(error)
    }
    // The day after the snooze, as quiet hours may follow it, or the reminder's own.
    let end = max(id.fireDay, inputs.day(at: now).advanced(by: 3))
    let plan = ReminderPlan.make(inputs, now: now, through: end)
    guard let entry = plan.reminder(id) else {
      throw RPCError(
        .reminderNotFound, "the reminder will not fire again", pointer: "/id",
        hint: "it was done or skipped, reminders are off, or its time was taken out of the settings")
    }
    try changeReminders { state throws(ReminderError) in try state.snoozed(id, minutes: minutes, now: now) }
    call.afterReply { $0.planReminders() }
    return RemindersSnoozeResult(reminder: Reminder(entry))
  }

  func remindersAct(_ params: RemindersActParams, _ call: inout Call) throws(RPCError) -> RemindersActResult {
    _ = try settings()
    let outcome = params.action
    guard outcome.isOutcome else {
      throw RPCError(
        .invalidParams, "action must be done or skip", pointer: "/action", allowed: "done or skip",
        hint: params.action == .snooze ? "“reminders/snooze” puts it off" : nil)
    }
    let id = try knownReminder(params.id, call)
    guard reminders.state.handled[id] == nil else { return RemindersActResult(id: params.id, changed: false) }
    let now = now()
    var context = context(call)
    for service in services.all { try service.act(on: id, outcome, &context) }
    call.adopt(context)
    try changeReminders { state throws(ReminderError) in try state.handled(id, outcome: outcome, at: now) }
    call.afterReply { $0.planReminders() }
    return RemindersActResult(id: params.id, changed: true)
  }

  /// A reminder of the history, or one that some domain gives within 60 days, fired or not; any frontend may have
  /// shown it.
  private func knownReminder(_ text: String, _ call: Call) throws(RPCError) -> ReminderID {
    readReminderState()
    let state = reminders.state
    if let id = try? ReminderID(text) {
      if state.fired[id] != nil || state.handled[id] != nil || state.snoozes[id] != nil { return id }
      let today = days.today
      let (first, last) = (
        today.advanced(by: -ReminderState.retainedDays), today.advanced(by: ReminderState.retainedDays)
      )
      if (first...last).contains(id.fireDay) {
        if trialReminders.id == id { return id }
        let context = context(call)
        for service in services.all where try service.gives(id, context) { return id }
      }
    }
    throw RPCError(
      .reminderNotFound, "there is no such reminder", pointer: "/id", hint: "“reminders/plan” has the ids")
  }
}

extension Reminder {
  /// A reminder as clients see it.
  init(_ entry: PlannedReminder) {
    self.init(
      id: "\(entry.id)", source: entry.source, itemId: entry.item, day: entry.day,
      fireAt: entry.fireAt, localDay: entry.localDay,
      localTime: WallTime(minutesOfDay: entry.localMinute) ?? .midnight,
      timeZone: TimeZoneName(entry.zone) ?? .utc, title: entry.title, text: entry.body,
      actions: entry.actions, snoozed: entry.isSnoozed,
      parts: entry.parts.isEmpty ? nil : entry.parts.map { ReminderPart($0) })
  }
}

extension ReminderPart {
  /// A reminder within a summary, as clients see it.
  fileprivate init(_ entry: PlannedReminder) {
    self.init(
      id: "\(entry.id)", source: entry.source, itemId: entry.item, day: entry.day, title: entry.title, text: entry.body,
      actions: entry.actions)
  }
}
