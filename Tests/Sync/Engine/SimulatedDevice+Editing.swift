import CivilTime
import FileStore
import FileStoreTesting
import JSON
import Values

@testable import SyncEngine
@testable import SyncRules

/// A person's edits, told to the oracle piece by piece.
extension SimulatedDevice {
  func edit(_ key: EntityKey, _ random: inout SeededGenerator, deletes: Bool? = nil) throws {
    let previous = try replica.record(key)
    // A deletion that waits has been seen, too.
    let waiting = try replica.held().first { $0.key == key }?.record.time
    let time = now.following([previous?.time, waiting].compactMap { $0 }.max())
    let isAlive = previous?.isDeleted == false
    if isAlive, key.collection != SimulatedDevice.members, deletes ?? (random.below(4) == 0) {
      try commit(.delete(key.collection, id: key.id), at: time)
      return world.oracle.note(deletionOf: key, at: time)
    }
    switch key.collection {
    case SimulatedDevice.whole: try editWhole(key, previous, time, &random)
    case SimulatedDevice.members: try editMember(key, previous, time, &random)
    default: try editParts(key, isAlive ? previous : nil, kept: previous, time, &random)
    }
  }

  private func commit(_ operation: Operation, at time: Instant) throws {
    do {
      _ = try store.commit(
        Transaction(id: world.newID(), at: time, author: name, label: "edit", operations: [operation]))
      try store.settle()
    } catch {
      // The line of a commit that failed may be in the journal all the same; then the edit was made.
      let key = EntityKey(operation.collection, operation.id)
      guard try replica.record(key)?.time == time else { throw error }
    }
  }

  private func put(_ key: EntityKey, _ body: JSONObject, createdAt: Instant, at time: Instant) throws {
    var body = body
    body["createdAt"] = .string("\(createdAt)")
    body["updatedAt"] = .string("\(time)")
    try commit(
      .put(
        key.collection, id: key.id, day: nil, schema: 1, createdAt: createdAt, updatedAt: time,
        body: JSONValue.object(body).json), at: time)
  }

  private func editWhole(
    _ key: EntityKey, _ previous: SyncedRecord?, _ time: Instant, _ random: inout SeededGenerator
  ) throws {
    let value = random.below(100)
    // The whole record is one piece, and a tie is decided by its canonical text.
    let text = "{\"createdAt\":\"\(world.epoch)\",\"id\":\"\(key.id)\",\"v\":\(value)}"
    try put(
      key, JSONObject([("id", .string("\(key.id)")), ("v", .number(JSONNumber(value)))]), createdAt: world.epoch,
      at: time)
    world.oracle.note(edit: key, at: time, ["v": Oracle.Piece(at: time, text: "\(value)", hashed: text)])
  }

  private func editMember(
    _ key: EntityKey, _ previous: SyncedRecord?, _ time: Instant, _ random: inout SeededGenerator
  ) throws {
    var body = previous?.body ?? SimulatedDevice.defaults
    let name = ["a", "b", "c"][random.below(3)]
    let value = random.below(2) == 0 ? 0 : random.below(100)
    let number = JSONValue.number(JSONNumber(value))
    var pieces: [String: Oracle.Piece] = [:]
    if previous == nil {
      for name in ["a", "b", "c"] { pieces[name] = Oracle.Piece(at: nil, text: "0", isDefault: true) }
    }
    if body[name] != number { pieces[name] = Oracle.Piece(at: time, text: "\(value)", isDefault: value == 0) }
    body[name] = number
    try put(key, body, createdAt: previous?.createdAt ?? time, at: time)
    world.oracle.note(edit: key, at: time, pieces)
  }

  private func editParts(
    _ key: EntityKey, _ previous: SyncedRecord?, kept: SyncedRecord?, _ time: Instant,
    _ random: inout SeededGenerator
  ) throws {
    var body = previous?.body ?? JSONObject([("id", .string("\(key.id)"))])
    var parts = SimulatedDevice.lists[0].parts(of: body) ?? []
    var pieces: [String: Oracle.Piece] = [:]
    let (id, value) = (["p", "q", "r", "s"][random.below(4)], random.below(100))
    func setOrder() {
      let keys = parts.map(\.key)
      pieces["order"] = Oracle.Piece(
        at: time, text: keys.joined(separator: ","), hashed: "\(keys)".filter { $0 != " " })
    }
    func name() {
      if previous == nil || body["name"] != .number(JSONNumber(value)) {
        pieces["name"] = Oracle.Piece(at: time, text: "\(value)", hashed: "{\"name\":\(value)}")
      }
      body["name"] = .number(JSONNumber(value))
    }
    let choice = previous == nil ? 4 : random.below(4)
    switch choice {
    case 0: name()
    case 1:
      guard parts.contains(where: { $0.key == id }) else { return }
      parts.removeAll { $0.key == id }
      pieces["part:\(id)"] = Oracle.Piece(at: time, text: nil)
      setOrder()
    case 2:
      guard parts.count > 1 else { return }
      parts.reverse()
      setOrder()
    default:
      let part = JSONObject([
        ("id", .string(id)), ("v", .number(JSONNumber(value))), ("updatedAt", .string("\(time)")),
      ])
      pieces["part:\(id)"] = Oracle.Piece(
        at: time, text: "\(value)", hashed: "{\"id\":\"\(id)\",\"v\":\(value)}")
      if let index = parts.firstIndex(where: { $0.key == id }) {
        parts[index] = (id, part)
      } else {
        parts.append((id, part))
        setOrder()
      }
      if choice == 4 {
        name()
        // Made again: what it had is gone.
        for (old, _) in SimulatedDevice.lists[0].parts(of: kept?.body ?? JSONObject()) ?? [] where old != id {
          pieces["part:\(old)"] = Oracle.Piece(at: time, text: nil)
        }
      }
    }
    body["exercises"] = .array(parts.map { .object($0.part) })
    // What the order does not name stands by its time. Where that is not where it is shown, the order is set.
    let order = previous?.notes?.lists["exercises"]?.order ?? parts.map(\.key)
    let others = parts.filter { !order.contains($0.key) }.sorted {
      (stamp(of: $0.part), $0.key) < (stamp(of: $1.part), $1.key)
    }
    if order.filter({ key in parts.contains { $0.key == key } }) + others.map(\.key) != parts.map(\.key) { setOrder() }
    try put(key, body, createdAt: kept?.createdAt ?? time, at: time)
    world.oracle.note(edit: key, at: time, pieces)
  }

  private func stamp(of part: JSONObject) -> String {
    if case .string(let time)? = part["updatedAt"] { time } else { "" }
  }
}
