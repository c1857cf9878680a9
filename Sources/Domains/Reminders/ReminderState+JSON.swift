import CivilTime
import DaybookProtocol
import JSON

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
