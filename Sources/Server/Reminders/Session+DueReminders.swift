import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Platform
import Reminders

/// For frontends without a scheduler the service gives reminders itself: one process on a folder at a time, each reminder once.
extension Session {
  /// Gives what is due, if this is the process that does; called from time to time, and when the clock was set.
  func giveDueReminders() {
    noteGivenReminders()
    guard start.timeline.state == .ready, !isLocked, givesReminders else {
      // Another process may be able to.
      reminders.turn = nil
      reminders.lookedUntil = nil
      reminders.missed = [:]
      reminders.isLookDue = true
      return
    }
    let now = now()
    // Nothing is due before the first of what is planned: a process with nothing to give does nothing.
    guard reminders.isLookDue || reminders.isDue(now) else { return }
    let hasTurn = takeReminderTurn()
    readReminderState()
    let since = reminders.lookedUntil ?? now.advanced(by: -DueReminders.usualGrace)
    let inputs = reminderInputs
    let due = DueReminders.find(inputs, since: since, now: now, missed: reminders.missedUntil(now))
    guard hasTurn || seizeReminderTurn(isDue: !due.reminders.isEmpty) else {
      // What another process gives is none of ours; when the next is due, that process may be gone.
      reminders.isLookDue = reminders.waitsSince != nil
      return
    }
    reminders.waitsSince = nil
    // Nobody looked for longer than what comes late is given: the service did not run, or the machine slept.
    let missed = DueReminders.missed(inputs, since: reminders.lookedUntil, now: now)
    reminders.missed.merge(missed) { known, _ in known }
    guard !due.reminders.isEmpty || !due.superseded.isEmpty else {
      reminders.look(now)
      // What was due is past its grace.
      if reminders.isPlanDue(now) { planReminders() }
      return
    }
    let given = due.reminders.flatMap(\.ids)
    for id in given + due.superseded { reminders.given[id] = now }
    reminders.state = reminders.completed(reminders.state)
    reminders.look(now, given: given)
    for reminder in due.reminders {
      let late = now.milliseconds - reminder.fireAt.milliseconds > 60_000
      tellNow(Event(ReminderDueParams.method, ReminderDueParams(reminder: Reminder(reminder), late: late)))
    }
    noteGivenReminders()
    planReminders()
  }

  /// Notes what was given, once it has left: of a process that dies in between the next gives it once more, rather than nobody. Where it
  /// cannot be noted now that is tried again with the next look; this process does not give it twice.
  func noteGivenReminders() {
    guard !reminders.given.isEmpty, !traffic.holdsReplies, channel.unsentBytes == 0, !channel.isBroken else { return }
    do throws(RPCError) { try changeReminders { $0 } } catch {
      log.warning(.reminders, "what was given cannot be noted: \(unquoted: error.message)")
    }
  }

  /// Whether this connection is one to give reminders to. One that takes nothing would not show them.
  private var givesReminders: Bool {
    client.hearsEvents && client.abilities.showsReminders && !client.abilities.schedules && !options.isSingleCall
      && (reminders.authorization ?? .authorized) == .authorized && client.subscribed?.contains(.reminders) != false
      && !traffic.isFull
  }

  /// Whether this is the process that gives reminders: the first that wants to, as long as it lives.
  private func takeReminderTurn() -> Bool {
    if reminders.turn?.isStillOurs == true { return true }
    guard Files.exists(options.dataFolder), store?.refusal == nil else { return false }
    reminders.turn = FileTurn(path: reminderTurnPath)
    return reminders.turn != nil
  }

  /// Takes the turn from a process that has it and does nothing with it, as one that was stopped: what has been due for a while it
  /// would have given. Only the time in which this process could look counts, and not that in which the machine slept.
  private func seizeReminderTurn(isDue: Bool) -> Bool {
    guard isDue, Files.exists(options.dataFolder), store?.refusal == nil else {
      reminders.waitsSince = nil
      return false
    }
    let now = Clock.monotonicNanoseconds()
    let since = reminders.waitsSince ?? now
    reminders.waitsSince = since
    guard (now &- since) / 1_000_000 >= Session.turnPatience else { return false }
    log.warning(.reminders, "the process that gives reminders does not; they are given here from now on")
    reminders.turn = FileTurn(seizing: reminderTurnPath)
    return reminders.turn != nil
  }

  /// How long a reminder may be due, in milliseconds, until the process whose turn it is counts as stopped.
  private static let turnPatience: UInt64 = 10_000

  private var reminderTurnPath: String { options.dataFolder + "/reminders.turn" }
}
