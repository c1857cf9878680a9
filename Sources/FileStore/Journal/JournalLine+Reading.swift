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
    var sealed: Int?
    var revision: Int?
    var at: Instant?
    var replica: EntityID?
    var id: EntityID?
    var author: String?
    var label: String?
    var undoes: Int?
    var result: [UInt8]?
    var changes: (operations: [Operation], before: [Record?])?
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("seq", 0, &object) {
        revision = try reader.int(in: 1...(.max))
      } else if try reader.member("at", 1, &object) {
        at = try reader.value(Instant.self)
      } else if try reader.member("replica", 2, &object) {
        replica = try reader.value(EntityID.self)
      } else if try reader.member("tx", 3, &object) {
        id = try reader.value(EntityID.self)
      } else if try reader.member("by", 4, &object) {
        author = try reader.string()
      } else if try reader.member("why", 5, &object) {
        label = try reader.string()
      } else if try reader.member("undoes", 6, &object) {
        undoes = try reader.int(in: 1...(.max))
      } else if try reader.member("do", 7, &object) {
        changes = try reader.changes()
      } else if try reader.member("sealed", 8, &object) {
        successor = try reader.string()
      } else if try reader.member("revision", 10, &object) {
        sealed = try reader.int(in: 0...(.max))
      } else if try reader.member("result", 11, &object) {
        let start = reader.position
        try reader.skipValue()
        result = Array(reader.text[start..<reader.position])
      } else {
        try reader.unknownMember(&object, known: "")
      }
    }
    if let successor {
      self = .seal(successor: successor, revision: sealed)
      return
    }
    guard let revision else { throw reader.missing("seq", object) }
    guard let at else { throw reader.missing("at", object) }
    guard let replica else { throw reader.missing("replica", object) }
    guard let id else { throw reader.missing("tx", object) }
    guard let author else { throw reader.missing("by", object) }
    guard let label else { throw reader.missing("why", object) }
    guard let changes else { throw reader.missing("do", object) }
    var transaction = Transaction(
      id: id, at: at, author: author, label: label, undoes: undoes, operations: changes.operations)
    transaction.result = result
    self = .transaction(
      JournalEntry(revision: revision, replica: replica, transaction: transaction, before: changes.before))
  }
}

extension JSONReader {
  /// The operations of a transaction, and what each of them replaced.
  fileprivate mutating func changes() throws(JSONError) -> (operations: [Operation], before: [Record?]) {
    var operations: [Operation] = []
    var before: [Record?] = []
    try beginArray()
    while try nextElement(isFirst: operations.isEmpty) {
      let (operation, replaced) = try change()
      operations.append(operation)
      before.append(replaced)
    }
    return (operations, before)
  }

  private mutating func change() throws(JSONError) -> (operation: Operation, before: Record?) {
    var put: String?
    var delete: String?
    var id: EntityID?
    var version = VersionMembers()
    var replaced: VersionMembers?
    var object = try beginObject()
    while try nextMember(&object) {
      if try member("put", 0, &object) {
        put = try string()
      } else if try member("delete", 1, &object) {
        delete = try string()
      } else if try member("id", 2, &object) {
        id = try value(EntityID.self)
      } else if try member("was", 9, &object) {
        replaced = try replacedVersion()
      } else if try !versionMember(&version, &object) {
        try unknownMember(&object, known: "")
      }
    }
    guard let id else { throw missing("id", object) }
    let before = try replaced.map { version throws(JSONError) in
      guard let revision = version.revision else { throw missing("revision", object) }
      let rest = try whole(version, object)
      return Record(
        id: id, day: version.day, createdAt: rest.created, updatedAt: rest.updated, schema: rest.schema,
        revision: revision, body: RecordBody(rest.body[...]))
    }
    if let delete, put == nil { return (.delete(CollectionName(delete), id: id), before) }
    guard let put, delete == nil else { throw missing("put", object) }
    let rest = try whole(version, object)
    let operation = Operation.put(
      CollectionName(put), id: id, day: version.day, schema: rest.schema, createdAt: rest.created,
      updatedAt: rest.updated, body: rest.body)
    return (operation, before)
  }

  private mutating func replacedVersion() throws(JSONError) -> VersionMembers {
    var version = VersionMembers()
    var object = try beginObject()
    while try nextMember(&object) {
      if try !versionMember(&version, &object) { try unknownMember(&object, known: "") }
    }
    return version
  }

  /// Reads the present member if it is one that a record's version has.
  private mutating func versionMember(
    _ version: inout VersionMembers, _ object: inout JSONObjectCursor
  ) throws(JSONError) -> Bool {
    if try member("day", 3, &object) {
      version.day = try value(CivilDay.self)
    } else if try member("schema", 4, &object) {
      version.schema = try int(in: .min...(.max))
    } else if try member("created", 5, &object) {
      version.created = try value(Instant.self)
    } else if try member("updated", 6, &object) {
      version.updated = try value(Instant.self)
    } else if try member("revision", 7, &object) {
      version.revision = try int(in: 0...(.max))
    } else if try member("body", 8, &object) {
      version.body = Array(text[try objectRange()])
    } else {
      return false
    }
    return true
  }

  private func whole(
    _ version: VersionMembers, _ object: JSONObjectCursor
  ) throws(JSONError) -> (schema: Int, created: Instant, updated: Instant, body: [UInt8]) {
    guard let schema = version.schema else { throw missing("schema", object) }
    guard let created = version.created else { throw missing("created", object) }
    guard let updated = version.updated else { throw missing("updated", object) }
    guard let body = version.body else { throw missing("body", object) }
    return (schema, created, updated, body)
  }
}

/// The members of one version of a record, as far as they were there.
private struct VersionMembers {
  var day: CivilDay?
  var schema: Int?
  var created: Instant?
  var updated: Instant?
  var revision: Int?
  var body: [UInt8]?
}
