import DomainKit
import Platform
import Reminders

/// Delivers reminders to frontends without a scheduler: one process on a folder at a time, each reminder once.
extension Session {
  /// Delivers due reminders, if this process has the turn; called periodically, and when the clock was set.
  func deliverDueReminders() {
    noteDeliveredReminders()
    guard start.timeline.state == .ready, !isLocked, mayDeliverReminders else {
      // Another process may be able to deliver.
      reminders.turn = nil
      reminders.checkedUntil = nil
      reminders.missed = [:]
      reminders.isCheckDue = true
      return
    }
    let now = now()
    // Nothing is due before the first planned reminder: a process without due reminders does no work.
    guard reminders.isCheckDue || reminders.isDue(now) else { return }
    let hasTurn = acquireReminderTurn()
    readReminderState()
    let since = reminders.checkedUntil ?? now.advanced(by: -DueReminders.defaultGrace)
    let inputs: ReminderInputs
    // While the store cannot be read, the next check tries again.
    do throws(RPCError) { inputs = try planBasis().inputs } catch { return }
    let due = DueReminders.find(inputs, since: since, now: now, missed: reminders.missedUntil(now))
    guard hasTurn || seizeReminderTurn(isDue: !due.reminders.isEmpty) else {
      // Another process delivers these; it may have ended by the time the next one is due, or before it has looked at
      // what was missed.
      let missed = DueReminders.missed(inputs, since: reminders.checkedUntil, now: now)
      reminders.isCheckDue = reminders.waitingSince != nil || !missed.isEmpty
      return
    }
    reminders.waitingSince = nil
    // No check for longer than the grace period: the service did not run, or the machine slept.
    let missed = DueReminders.missed(inputs, since: reminders.checkedUntil, now: now)
    reminders.missed.merge(missed) { known, _ in known }
    guard !due.reminders.isEmpty || !due.superseded.isEmpty else {
      reminders.recordCheck(now)
      // The grace period of what was due has ended.
      if reminders.isPlanDue(now) { planReminders() }
      return
    }
    let delivered = due.reminders.flatMap(\.ids)
    for id in delivered + due.superseded { reminders.delivered[id] = now }
    host.owesDeliveryNote = true
    reminders.state = reminders.completed(reminders.state)
    reminders.recordCheck(now, delivered: delivered)
    for reminder in due.reminders {
      let late = now.milliseconds - reminder.fireAt.milliseconds > 60_000
      emit(ReminderDueParams.method, ReminderDueParams(reminder: Reminder(reminder), late: late))
    }
    noteDeliveredReminders()
    planReminders()
  }

  /// Notes deliveries in the file once they have left: if a process dies in between, the next one repeats the delivery
  /// rather than losing it. A failed note is retried at the next check; this process does not deliver twice.
  func noteDeliveredReminders() {
    guard !reminders.delivered.isEmpty, !traffic.holdsReplies, channel.unsentBytes == 0, !channel.isBroken else {
      return
    }
    do throws(RPCError) { try changeReminders { $0 } } catch {
      log.warning(.reminders, "what was given cannot be noted: \(unquoted: error.message)")
    }
  }

  /// Whether this connection may deliver reminders. A client that does not read would not show them.
  private var mayDeliverReminders: Bool {
    client.receivesEvents && client.abilities.showsReminders && !client.abilities.schedules && !options.isSingleCall
      && (reminders.authorization ?? .authorized) == .authorized && client.subscribed?.contains(.reminders) != false
      && !traffic.isFull
  }

  /// Acquires or keeps the turn to deliver reminders, which one process has as long as it lives.
  private func acquireReminderTurn() -> Bool {
    if reminders.turn?.isCurrent == true { return true }
    guard Files.exists(options.dataFolder), store?.refusal == nil else { return false }
    reminders.turn = FileLock(path: reminderTurnPath)
    return reminders.turn != nil
  }

  /// Takes the turn from a process that does not use it, such as a stopped one: a reminder has been due for
  /// `turnTimeout`. Only the time in which this process could check counts, not time asleep.
  private func seizeReminderTurn(isDue: Bool) -> Bool {
    guard isDue, Files.exists(options.dataFolder), store?.refusal == nil else {
      reminders.waitingSince = nil
      return false
    }
    let now = Clock.monotonicNanoseconds()
    let since = reminders.waitingSince ?? now
    reminders.waitingSince = since
    guard (now &- since) / 1_000_000 >= Session.turnTimeout else { return false }
    log.warning(.reminders, "the process that gives reminders does not; they are given here from now on")
    reminders.turn = FileLock(stealing: reminderTurnPath)
    return reminders.turn != nil
  }

  /// How long a reminder may be due, in milliseconds, before the process that has the turn counts as stopped.
  private static let turnTimeout: UInt64 = 10_000

  private var reminderTurnPath: String { options.dataFolder + "/reminders.turn" }
}
