import CivilTime
import CollectionTables
import JSON

/// Records to pieces, and back.
extension Pieces {
  /// The members that identify a record and say when it was stored. They are no pieces.
  private static let identity: Set<String> = ["id", "createdAt", "updatedAt", "syncedAt"]

  /// The pieces of a record. Times that neither it nor its notes tell follow from the record: a member that differs from
  /// its default changed with the record, and a part, the order and the block when the record was made.
  init(of record: SyncedRecord, _ policy: MergePolicy) {
    guard let body = record.body else { return }
    switch policy {
    case .whole: break
    case .byMember(let defaults): take(membersOf: body, record, defaults)
    case .byPart(let lists): take(partsOf: body, record, lists)
    }
  }

  /// The pieces of a record that nobody has changed yet.
  init(untouched policy: MergePolicy) {
    guard case .byMember(let defaults) = policy else { return }
    for member in defaults.members { self[.member(member.name)] = Piece(value: member.value, isDefault: true) }
  }

  private mutating func take(membersOf body: JSONObject, _ record: SyncedRecord, _ defaults: JSONObject) {
    for member in body.members where !Pieces.identity.contains(member.name) {
      let isDefault = defaults[member.name] == member.value
      let at = record.notes.map { $0.members[member.name] } ?? (isDefault ? nil : record.updatedAt)
      self[.member(member.name)] = Piece(at: at, value: member.value, isDefault: isDefault)
    }
    for (name, at) in record.notes?.members ?? [:] where body[name] == nil {
      self[.member(name)] = Piece(at: at, value: nil, isDefault: defaults[name] == nil)
    }
  }

  private mutating func take(partsOf body: JSONObject, _ record: SyncedRecord, _ lists: [PartList]) {
    var block = body.members.filter { !Pieces.identity.contains($0.name) }
    for list in lists {
      guard let parts = list.parts(of: body) else { continue }
      block.removeAll { $0.name == list.name }
      let notes = record.notes?.lists[list.name]
      let keys = list.isSortedByKey ? [] : notes.map(\.order) ?? parts.map(\.key)
      self[.order(list: list.name)] = Piece(
        at: notes?.orderedAt ?? record.createdAt,
        value: .array(keys.map { .string($0) }))
      for (key, part) in parts {
        let known = [part.stamp, notes?.parts[key]].compactMap { $0 }.max()
        self[.part(list: list.name, key: key)] = Piece(at: known ?? record.createdAt, value: .object(part))
      }
      for (key, at) in notes?.removed ?? [:] where self[.part(list: list.name, key: key)] == nil {
        self[.part(list: list.name, key: key)] = Piece(at: at, value: nil)
      }
    }
    self[.block] = Piece(at: record.notes?.block ?? record.createdAt, value: .object(JSONObject(block)))
  }

  /// The body of a record with these pieces.
  ///
  /// - Parameter origin: A body of the record, whose identity and order of members are kept.
  func body(_ policy: MergePolicy, createdAt: Instant?, updatedAt: Instant?, like origin: JSONObject) -> JSONObject {
    var body = JSONObject(origin.members.filter { Pieces.identity.contains($0.name) })
    switch policy {
    case .whole: break
    case .byMember:
      let names = pieces.keys.compactMap { if case .member(let name) = $0 { name } else { nil } }
      let known = origin.members.map(\.name)
      for name in known + names.filter({ origin[$0] == nil }).sorted() {
        if let value = self[.member(name)]?.value { body[name] = value }
      }
    case .byPart(let lists):
      if case .object(let block)? = self[.block]?.value {
        for member in block.members { body[member.name] = member.value }
      }
      // A missing list is an empty one, and an empty one is missing where it may be.
      for list in lists where self[.order(list: list.name)] != nil {
        let parts = shown(in: list).compactMap(\.piece.value)
        body[list.name] = parts.isEmpty && list.isOptional ? nil : .array(parts)
      }
    }
    // A body that repeats its record's times goes on doing so.
    if origin["createdAt"] != nil { body["createdAt"] = createdAt.map { .string("\($0)") } }
    if origin["updatedAt"] != nil { body["updatedAt"] = updatedAt.map { .string("\($0)") } }
    return body
  }

  /// The notes that say everything which the body does not.
  func notes(_ policy: MergePolicy) -> MergeNotes {
    var notes = MergeNotes()
    for (key, piece) in pieces {
      switch key {
      case .member(let name): notes.members[name] = piece.at
      case .block: notes.block = piece.at
      case .order(let list): notes.lists[list, default: .init()].orderedAt = piece.at
      case .part(let list, let key):
        guard case .object(let part)? = piece.value else {
          notes.lists[list, default: .init()].removed[key] = piece.at
          continue
        }
        if part.stamp != piece.at { notes.lists[list, default: .init()].parts[key] = piece.at }
      }
    }
    guard case .byPart(let lists) = policy else { return notes }
    for list in lists { notes.lists[list.name]?.order = orderedKeys(of: list) }
    return notes
  }
}

extension JSONObject {
  /// When a part was last changed, if it says so.
  fileprivate var stamp: Instant? {
    if case .string(let text)? = self["updatedAt"] { Instant(text) } else { nil }
  }
}
