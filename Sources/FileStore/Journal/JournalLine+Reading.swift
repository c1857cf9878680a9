import CivilTime
import JSON
import Values

extension JournalLine {
  /// The line that `text` is, without its newline; its checksum is the caller's business. Members it does not know are
  /// passed over, an operation it does not know is an error: the transaction would be half of what it was.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      return try JournalLine(from: &reader)
    }
  }

  private init(from reader: inout JSONReader) throws(JSONError) {
    var successor: String?
    var revision: Int?
    var at: Instant?
    var replica: EntityID?
    var id: EntityID?
    var author: String?
    var label: String?
    var undoes: Int?
    var operations: [Operation]?
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("seq", 0, &object) {
        revision = try reader.int(in: 1...(.max))
      } else if try reader.member("at", 1, &object) {
        at = try reader.instant()
      } else if try reader.member("replica", 2, &object) {
        replica = try reader.entityID()
      } else if try reader.member("tx", 3, &object) {
        id = try reader.entityID()
      } else if try reader.member("by", 4, &object) {
        author = try reader.string()
      } else if try reader.member("why", 5, &object) {
        label = try reader.string()
      } else if try reader.member("undoes", 6, &object) {
        undoes = try reader.int(in: 1...(.max))
      } else if try reader.member("do", 7, &object) {
        operations = try reader.operations()
      } else if try reader.member("sealed", 8, &object) {
        successor = try reader.string()
      } else {
        try reader.unknownMember(&object, known: "")
      }
    }
    if let successor {
      self = .seal(successor: successor)
      return
    }
    guard let revision else { throw reader.missing("seq", object) }
    guard let at else { throw reader.missing("at", object) }
    guard let replica else { throw reader.missing("replica", object) }
    guard let id else { throw reader.missing("tx", object) }
    guard let author else { throw reader.missing("by", object) }
    guard let label else { throw reader.missing("why", object) }
    guard let operations else { throw reader.missing("do", object) }
    self = .transaction(
      JournalEntry(
        revision: revision, replica: replica,
        transaction: Transaction(
          id: id, at: at, author: author, label: label, undoes: undoes, operations: operations)))
  }
}

extension JSONReader {
  /// The operations of a transaction.
  fileprivate mutating func operations() throws(JSONError) -> [Operation] {
    var operations: [Operation] = []
    try beginArray()
    while try nextElement(isFirst: operations.isEmpty) { operations.append(try operation()) }
    return operations
  }

  private mutating func operation() throws(JSONError) -> Operation {
    var put: String?
    var delete: String?
    var id: EntityID?
    var day: CivilDay?
    var schema: Int?
    var created: Instant?
    var updated: Instant?
    var body: [UInt8]?
    var object = try beginObject()
    while try nextMember(&object) {
      if try member("put", 0, &object) {
        put = try string()
      } else if try member("delete", 1, &object) {
        delete = try string()
      } else if try member("id", 2, &object) {
        id = try entityID()
      } else if try member("day", 3, &object) {
        day = try string(as: "a day") { CivilDay(utf8: $0) }
      } else if try member("schema", 4, &object) {
        schema = try int(in: .min...(.max))
      } else if try member("created", 5, &object) {
        created = try instant()
      } else if try member("updated", 6, &object) {
        updated = try instant()
      } else if try member("body", 7, &object) {
        guard peek() == UInt8(ascii: "{") else { throw wrongType("an object") }
        let start = position
        try skipValue()
        body = Array(text[start..<position])
      } else {
        try unknownMember(&object, known: "")
      }
    }
    guard let id else { throw missing("id", object) }
    if let delete, put == nil { return .delete(CollectionName(delete), id: id) }
    guard let put, delete == nil else { throw missing("put", object) }
    guard let schema else { throw missing("schema", object) }
    guard let created else { throw missing("created", object) }
    guard let updated else { throw missing("updated", object) }
    guard let body else { throw missing("body", object) }
    return .put(
      CollectionName(put), id: id, day: day, schema: schema, createdAt: created, updatedAt: updated, body: body)
  }

  fileprivate mutating func instant() throws(JSONError) -> Instant {
    try string(as: "an instant") { Instant(utf8: $0) }
  }

  fileprivate mutating func entityID() throws(JSONError) -> EntityID {
    try string(as: "a UUID") { EntityID(utf8: $0) }
  }
}

extension JournalLine {
  /// Whether a reader gets exactly `entry` out of a line, and the line is one line.
  static func isFaithful(_ line: [UInt8], to entry: JournalEntry) -> Bool {
    line.withUnsafeBytes { bytes in
      guard bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1 else { return false }
      let text = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
      guard LineSuffix.isValid(text), case .transaction(let read)? = try? JournalLine(reading: text) else {
        return false
      }
      return read == entry
    }
  }
}
