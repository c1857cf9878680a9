import DomainKit
import Reminders

extension Session {
  func remindersPlan(_ params: RemindersPlanParams) throws(RPCError) -> RemindersPlanResult {
    let settings = try settings()
    readReminderState()
    let plan = reminderPlan(
      days: params.days ?? ReminderBook.horizon, limit: params.limit ?? reminderLimit)
    return RemindersPlanResult(
      reminders: plan.entries.map { Reminder($0) }, total: plan.total, enabled: settings.notificationsEnabled,
      authorization: reminders.authorization, revision: try revision())
  }

  func remindersCategories(_ params: NoParams) throws(RPCError) -> RemindersCategoriesResult {
    RemindersCategoriesResult(categories: reminderCategories)
  }

  /// How to show the reminders of each source.
  var reminderCategories: [ReminderCategory] {
    let titles: [(ReminderSource, String)] = [
      (.meals, "Meals"), (.trial, "Premium trial"), (.subscriptions, "Subscriptions"),
      (.habits, "Habits"), (.summary, "Summary"),
    ]
    return titles.map { source, title in
      ReminderCategory(source: source, title: title, actions: source.actions)
    }
  }

  func remindersSnooze(_ params: RemindersSnoozeParams, _ call: inout Call) throws(RPCError) -> RemindersSnoozeResult {
    _ = try settings()
    let id = try knownReminder(params.id)
    let now = now()
    let minutes = params.minutes ?? ReminderState.defaultSnooze
    var inputs = reminderInputs
    do throws(ReminderError) { inputs.state = try inputs.state.snoozed(id, minutes: minutes, now: now) } catch {
      throw RPCError(.reminderNotFound, error.message, pointer: "/id", hint: "what was done or skipped reminds no more")
    }
    let end = currentZone.day(at: now).advanced(by: 60)
    let plan = ReminderPlan.make(inputs, now: now, through: end)
    guard let entry = plan.reminder(id) else {
      throw RPCError(
        .reminderNotFound, "the reminder will not fire again", pointer: "/id",
        hint: "reminders are off, its time was taken out of the settings, or quiet hours move it past its day")
    }
    try changeReminders { state in (try? state.snoozed(id, minutes: minutes, now: now)) ?? state }
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
    let id = try knownReminder(params.id)
    guard reminders.state.handled[id] == nil else { return RemindersActResult(id: params.id, changed: false) }
    let now = now()
    var context = context(call)
    for service in services.all { try service.act(on: id, outcome, &context) }
    call.take(context)
    try changeReminders { state in (try? state.handled(id, outcome: outcome, at: now)) ?? state }
    call.afterReply { $0.planReminders() }
    return RemindersActResult(id: params.id, changed: true)
  }

  /// A reminder of the plan or the history.
  private func knownReminder(_ text: String) throws(RPCError) -> ReminderID {
    readReminderState()
    let state = reminders.state
    if let id = try? ReminderID(text) {
      if state.fired[id] != nil || state.handled[id] != nil || state.snoozes[id] != nil { return id }
      if let known = reminderPlan(days: 60, limit: .max).reminder(id), known.parts.isEmpty { return id }
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
