import CivilTime
import JSON

extension ZoneState {
  /// The stored form.
  package var json: JSONObject {
    let changes = history.map { change -> JSONValue in
      let members: [JSONObject.Member] = [
        ("at", .string("\(change.at)")), ("from", .string(change.from)), ("to", .string(change.to)),
        ("trigger", .string(change.trigger.rawValue)),
      ]
      return .object(JSONObject(members))
    }
    let members: [JSONObject.Member] = [
      ("home", .string(home)), ("current", .string(current)), ("display", display.json), ("history", .array(changes)),
    ]
    return JSONObject(members)
  }

  /// Reads the stored form, with the JSON Pointers of everything unreadable. Never fails.
  ///
  /// A missing home or current zone is the device's, and a missing display is the current zone; unreadable changes are
  /// dropped.
  package static func read(
    _ object: JSONObject, device: String, at instant: Instant
  ) -> (state: ZoneState, unread: [String]) {
    var state = ZoneState(installedIn: device, at: instant)
    var unread: [String] = []
    func name(_ member: String) -> String? {
      guard case .string(let text)? = object[member], !text.isEmpty else {
        unread.append("/\(member)")
        return nil
      }
      return text
    }
    state.home = name("home") ?? device
    state.current = name("current") ?? device
    if let display = object["display"].flatMap(ZoneDisplay.init(json:)) {
      state.display = display
    } else {
      unread.append("/display")
    }
    guard case .array(let changes)? = object["history"] else {
      unread.append("/history")
      return (state, unread)
    }
    state.history = []
    for (index, change) in changes.enumerated() {
      if let change = ZoneChange(json: change) {
        state.history.append(change)
      } else {
        unread.append("/history/\(index)")
      }
    }
    state.history = Array(state.history.suffix(maximumHistory))
    return (state, unread)
  }
}

extension ZoneDisplay {
  /// The stored form.
  package var json: JSONValue {
    let members: [JSONObject.Member] =
      switch self {
      case .current: [("type", .string("current"))]
      case .home: [("type", .string("home"))]
      case .custom(let name): [("type", .string("custom")), ("zone", .string(name))]
      }
    return .object(JSONObject(members))
  }

  /// Reads an object, or the bare text of an earlier form, where `original` means `current`. Nil for anything else.
  package init?(json value: JSONValue) {
    let type: String
    var zone: JSONValue?
    switch value {
    case .string(let text): type = text
    case .object(let object):
      guard case .string(let text)? = object["type"] else { return nil }
      type = text
      zone = object["zone"]
    default: return nil
    }
    switch (type, zone) {
    case ("current", _), ("original", _): self = .current
    case ("home", _): self = .home
    case ("custom", .string(let name)?) where !name.isEmpty: self = .custom(name)
    default: return nil
    }
  }
}

extension ZoneChange {
  /// Reads an object; ignores further members. Nil for anything else.
  init?(json value: JSONValue) {
    guard case .object(let object) = value, case .string(let at)? = object["at"], let at = Instant(at),
      case .string(let from)? = object["from"], case .string(let to)? = object["to"],
      case .string(let trigger)? = object["trigger"]
    else { return nil }
    self.init(at: at, from: from, to: to, trigger: Trigger(rawValue: trigger))
  }
}
