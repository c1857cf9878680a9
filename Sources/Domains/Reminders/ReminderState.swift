import DaybookProtocol

/// What happened to reminders: which were given, snoozed, done or skipped. Stored, unlike the plan, which is computed
/// each time.
///
/// Transitions return a new state. No later plan repeats a given reminder, even if the clock is set back, unless it is
/// snoozed.
package struct ReminderState: Equatable, Sendable {
  /// The outcome of a reminder.
  package struct Settlement: Hashable, Sendable {
    /// `done` or `skip`; another when a newer version wrote it.
    package let outcome: ReminderAction
    package let at: Instant

    package init(outcome: ReminderAction, at: Instant) {
      self.outcome = outcome
      self.at = at
    }
  }

  /// The time each reminder was given.
  package internal(set) var fired: [ReminderID: Instant] = [:]
  /// The time each snooze ends.
  package internal(set) var snoozes: [ReminderID: Instant] = [:]
  /// The reminders that were done or skipped.
  package internal(set) var handled: [ReminderID: Settlement] = [:]
  /// Members written by a newer version.
  var unknown = JSONObject()

  /// The allowed snooze, in minutes.
  package static let allowedSnooze = 1...1440
  /// The default snooze, in minutes.
  package static let defaultSnooze = 20
  /// How many days the state of a reminder is kept.
  package static let retainedDays = 60

  package init() {}

  /// The state after a reminder was given, or superseded by a later one of the same item.
  package func fired(_ id: ReminderID, at instant: Instant) -> ReminderState {
    var state = self
    state.snoozes[id] = nil
    // The first time counts: otherwise a clock that is once set forward would keep the entry forever.
    if state.fired[id] == nil { state.fired[id] = instant }
    return state
  }

  /// The state after a reminder was snoozed from `now`; it replaces an earlier snooze. Throws `outOfRange` for other
  /// than 1…1,440 minutes, and `alreadyHandled`.
  package func snoozed(
    _ id: ReminderID, minutes: Int = defaultSnooze, now: Instant
  ) throws(ReminderError) -> ReminderState {
    guard ReminderState.allowedSnooze.contains(minutes) else {
      throw ReminderError(.outOfRange, "a reminder is snoozed for 1 to 1440 minutes")
    }
    guard handled[id] == nil else { throw ReminderError(.alreadyHandled, "the reminder is already done or skipped") }
    var state = self
    state.fired[id] = nil
    state.snoozes[id] = now.advanced(by: Int64(minutes) * 60_000)
    return state
  }

  /// The state after this occurrence of a reminder was done or skipped. Idempotent. Throws `notAnOutcome` for another
  /// action.
  package func handled(
    _ id: ReminderID, outcome: ReminderAction, at instant: Instant
  ) throws(ReminderError) -> ReminderState {
    guard outcome.isOutcome else {
      throw ReminderError(.notAnOutcome, "the outcome of a reminder is done or skip")
    }
    var state = self
    state.snoozes[id] = nil
    if state.handled[id]?.outcome != outcome { state.handled[id] = Settlement(outcome: outcome, at: instant) }
    return state
  }

  /// The state without entries whose fire day and time are both more than 60 days ago.
  package func pruned(now: Instant) -> ReminderState {
    let limit = now.advanced(by: Int64(-ReminderState.retainedDays) * 86_400_000)
    let day = limit.utc.day
    var state = self
    state.fired = fired.filter { $0.key.fireDay >= day || $0.value >= limit }
    state.snoozes = snoozes.filter { $0.key.fireDay >= day || $0.value >= limit }
    state.handled = handled.filter { $0.key.fireDay >= day || $0.value.at >= limit }
    return state
  }
}

extension ReminderAction {
  /// Whether the action settles the reminder.
  package var isOutcome: Bool { self == .done || self == .skip }
}

extension ReminderState {
  /// The stored form: equal states give equal text, and members of newer versions are kept.
  package var json: JSONObject {
    func texts(_ instants: [ReminderID: Instant]) -> JSONValue {
      .object(JSONObject(instants.sorted { $0.key < $1.key }.map { ("\($0.key)", .string("\($0.value)")) }))
    }
    let settled = handled.sorted { $0.key < $1.key }.map { id, settlement -> JSONObject.Member in
      let members: [JSONObject.Member] = [
        ("outcome", .string(settlement.outcome.rawValue)), ("at", .string("\(settlement.at)")),
      ]
      return ("\(id)", .object(JSONObject(members)))
    }
    let known: [JSONObject.Member] = [
      ("fired", texts(fired)), ("snoozes", texts(snoozes)), ("handled", .object(JSONObject(settled))),
    ]
    return JSONObject(known + unknown.members)
  }

  /// Reads the stored form, with the JSON Pointers of everything unreadable. Missing members are empty. Never fails, as
  /// reminders are not worth a failed start.
  package static func read(_ object: JSONObject) -> (state: ReminderState, unread: [String]) {
    var state = ReminderState()
    var unread: [String] = []
    for member in object.members {
      switch member.name {
      case "fired": state.fired = read(member, &unread, instant)
      case "snoozes": state.snoozes = read(member, &unread, instant)
      case "handled": state.handled = read(member, &unread, settlement)
      default: state.unknown[member.name] = member.value
      }
    }
    return (state, unread)
  }

  /// The entries of a member, keyed by id.
  private static func read<Entry>(
    _ member: JSONObject.Member, _ unread: inout [String], _ entry: (JSONValue) -> Entry?
  ) -> [ReminderID: Entry] {
    guard case .object(let object) = member.value else {
      unread.append("/\(member.name)")
      return [:]
    }
    var entries: [ReminderID: Entry] = [:]
    for (text, value) in object.members {
      if let id = try? ReminderID(text), let entry = entry(value) {
        entries[id] = entry
      } else {
        unread.append("/\(member.name)\(JSONPointer.token(text))")
      }
    }
    return entries
  }

  private static func instant(_ value: JSONValue) -> Instant? {
    guard case .string(let text) = value else { return nil }
    return Instant(text)
  }

  private static func settlement(_ value: JSONValue) -> Settlement? {
    guard case .object(let object) = value, case .string(let outcome)? = object["outcome"],
      let at = object["at"].flatMap(instant)
    else { return nil }
    return Settlement(outcome: ReminderAction(rawValue: outcome), at: at)
  }
}
