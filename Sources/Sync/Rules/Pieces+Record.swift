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
    case .byMember(let defaults, let groups): take(membersOf: body, record, defaults, groups)
    case .byPart(let lists): take(partsOf: body, record, lists)
    }
  }

  /// The pieces of a record that nobody has changed yet.
  init(untouched policy: MergePolicy) {
    guard case .byMember(let defaults, _) = policy else {
      self.init()
      return
    }
    var record = SyncedRecord()
    (record.body, record.notes) = (defaults, MergeNotes())
    self.init(of: record, policy)
  }

  private mutating func take(
    membersOf body: JSONObject, _ record: SyncedRecord, _ defaults: JSONObject, _ groups: [MemberGroup]
  ) {
    let noted = record.notes?.members
    let names = body.members.map(\.name).filter { !Pieces.identity.contains($0) }
    for name in names + (noted ?? [:]).keys {
      let group = groups.group(of: name)
      guard self[.member(group.names[0])] == nil else { continue }
      let isDefault = group.names.allSatisfy { defaults[$0] == body[$0] }
      var piece = Piece(value: group.value(in: body), isDefault: isDefault)
      piece.at =
        noted.map { noted in group.names.compactMap { noted[$0] }.max() } ?? (isDefault ? nil : record.updatedAt)
      if let derivation = group.derivation, body[derivation.member] == .string(derivation.value) {
        piece.isDerived = true
        let chosenAt = noted?[derivation.member]
        if piece.at != chosenAt { (piece.at, piece.followedAt) = (chosenAt, piece.at) }
      }
      self[.member(group.names[0])] = piece
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
    case .byMember(_, let groups):
      var values: [String: JSONValue] = [:]
      for case (.member(let name), let piece) in pieces {
        guard let value = piece.value else { continue }
        for (name, value) in groups.group(of: name).members(of: value) { values[name] = value }
      }
      let known = origin.members.map(\.name)
      for name in known + values.keys.filter({ origin[$0] == nil }).sorted() {
        if let value = values[name] { body[name] = value }
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
      case .member(let name):
        guard case .byMember(_, let groups) = policy else { continue }
        let group = groups.group(of: name)
        for name in group.names {
          notes.members[name] = name == group.derivation?.member ? piece.at : piece.followedAt ?? piece.at
        }
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

extension [MemberGroup] {
  /// The group of a member; it alone if there is none.
  fileprivate func group(of name: String) -> MemberGroup {
    first { $0.names.contains(name) } ?? MemberGroup([name])
  }
}

extension MemberGroup {
  /// What is merged: the value of a member that is alone, else an object of those that are there; nil if none is.
  fileprivate func value(in body: JSONObject) -> JSONValue? {
    guard names.count > 1 else { return body[names[0]] }
    let present = names.compactMap { name in body[name].map { (name, $0) } }
    return present.isEmpty ? nil : .object(JSONObject(present))
  }

  /// The members in what is merged.
  fileprivate func members(of value: JSONValue) -> [(name: String, value: JSONValue)] {
    guard names.count > 1, case .object(let present) = value else { return [(names[0], value)] }
    return present.members.map { ($0.name, $0.value) }
  }
}

extension JSONObject {
  /// When a part was last changed, if it says so.
  fileprivate var stamp: Instant? {
    if case .string(let text)? = self["updatedAt"] { Instant(text) } else { nil }
  }
}
