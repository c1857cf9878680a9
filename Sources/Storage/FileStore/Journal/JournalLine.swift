import CivilTime
import JSON
import Values

/// A line of a journal: a transaction with its revision, or the seal that ends a journal with a successor.
enum JournalLine: Sendable {
  case transaction(JournalEntry)
  /// The name of the next journal file, and the revision after which it begins if changes that no journal has come
  /// between.
  case seal(successor: String, revision: Int? = nil)
}

/// A transaction as stored in a journal.
struct JournalEntry: Sendable, Equatable {
  /// The sequence number, which is the revision that the transaction makes.
  var revision: Int
  var replica: EntityID
  var transaction: Transaction
  /// For each operation in order, the version of the record that it replaces; nil where there was none, with trailing
  /// nils left out. So a line alone tells what it did and how to undo it, without the segments that hold the older
  /// versions.
  var before: [Record?]

  func before(_ index: Int) -> Record? { index < before.count ? before[index] : nil }
}

extension JournalLine {
  /// The bytes of the line, newline included.
  var bytes: [UInt8] {
    switch self {
    case .transaction(let entry): LineMembers(entry).text()
    case .seal(let successor, let revision): LineMembers(sealed: successor, sealedRevision: revision).text()
    }
  }

  /// Parses a line without its newline; the caller checks the checksum. Unknown members are skipped. An unknown
  /// operation is an error, because the transaction would be incomplete.
  init(reading text: UnsafeRawBufferPointer) throws(JSONError) {
    if let entry = JournalEntry(singlePut: text) { self = .transaction(entry) } else { try self.init(parsing: text) }
  }

  /// Parses a line with members in any order and layout.
  init(parsing text: UnsafeRawBufferPointer) throws(JSONError) {
    let line = try LineMembers(reading: text)
    guard let successor = line.sealed else {
      self = .transaction(line.entry)
      return
    }
    self = .seal(successor: successor, revision: line.sealedRevision)
  }
}

extension JournalEntry {
  private static let opening: StaticString = "{\"seq\":"

  /// The revision at the beginning of a transaction's line in this code's own layout; the rest is not checked.
  static func revision(of line: UnsafeRawBufferPointer) -> Int? {
    var at = opening.utf8CodeUnitCount
    guard line.hasText(opening), let base = line.baseAddress,
      let number = RecordLayout.number(base, &at, line.count), at < line.count, line[at] == UInt8(ascii: ",")
    else { return nil }
    return number
  }

  /// Parses a line without its newline; nil unless it is a valid transaction with a valid checksum.
  init?(checking line: ArraySlice<UInt8>) {
    let entry = line.withUnsafeBytes { line -> JournalEntry? in
      guard LineSuffix.isValid(line), case .transaction(let entry)? = try? JournalLine(reading: line) else {
        return nil
      }
      return entry
    }
    guard let entry else { return nil }
    self = entry
  }
}

/// The members of a line: those of a transaction, or those of a seal.
private struct LineMembers: Document {
  var revision = 0
  var at = Instant(milliseconds: 0)
  var replica = EntityID.zero
  var id = EntityID.zero
  var author = ""
  var label = ""
  var undoes: Int?
  var result: JSONText?
  var changes = ChangeList()
  var sealed: String?
  var sealedRevision: Int?

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    let presence: MemberPresence = sealed == nil ? .required : .optional(isWritten: false)
    try members.number("seq", &revision, in: 1...(.max), presence)
    try members.value("at", &at, presence)
    try members.value("replica", &replica, presence)
    try members.value("tx", &id, presence)
    try members.value("by", &author, presence)
    try members.value("why", &label, presence)
    try members.value("undoes", &undoes)
    try members.value("result", &result)
    try members.list("do", &changes, isLong: false, presence)
    try members.value("sealed", &sealed)
    try members.value("revision", &sealedRevision)
  }
}

extension LineMembers {
  init(_ entry: JournalEntry) {
    let transaction = entry.transaction
    self.init(
      revision: entry.revision, at: transaction.at, replica: entry.replica, id: transaction.id,
      author: transaction.author, label: transaction.label, undoes: transaction.undoes,
      result: transaction.result.map { JSONText(bytes: $0) })
    changes = ChangeList(operations: transaction.operations, before: entry.before)
  }

  var entry: JournalEntry {
    var transaction = Transaction(
      id: id, at: at, author: author, label: label, undoes: undoes, operations: changes.operations)
    transaction.result = result?.bytes
    return JournalEntry(revision: revision, replica: replica, transaction: transaction, before: changes.before)
  }
}

/// A line's operations, in the form that a transaction has: for a large one, the members would take as much memory
/// again.
private struct ChangeList: DocumentList {
  var operations: [Operation] = []
  var before: [Record?] = []

  var count: Int { operations.count }

  subscript(index: Int) -> ChangeMembers {
    ChangeMembers(operations[index], replacing: index < before.count ? before[index] : nil)
  }

  mutating func append(_ change: ChangeMembers) {
    if let replaced = change.before {
      before += repeatElement(nil, count: operations.count - before.count)
      before.append(replaced)
    }
    operations.append(change.operation)
  }
}

/// `{"put":…}` or `{"delete":…}`, with the version it replaces as `was`.
private struct ChangeMembers: Document {
  var put: CollectionName?
  var delete: CollectionName?
  var id = EntityID.zero
  var version = VersionMembers()
  var replaced = VersionMembers()

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("put", &put)
    let presence: MemberPresence = put == nil ? .optional(isWritten: false) : .required
    try members.value("delete", &delete)
    try members.value("id", &id)
    try version.codeHead(&members, presence)
    try members.object("was", &replaced, .optional(isWritten: replaced.revision >= 0))
    try members.value("body", &version.body, presence)
  }

  var flaw: String? { (put == nil) == (delete == nil) ? "either “put” or “delete”" : nil }
}

extension ChangeMembers {
  init(_ operation: Operation, replacing before: Record?) {
    id = operation.id
    switch operation {
    case .put(let collection, _, let day, let schema, let createdAt, let updatedAt, let body):
      put = collection
      version = VersionMembers(
        day: day, schema: schema, created: createdAt, updated: updatedAt, body: JSONText(bytes: body))
    case .delete(let collection, _): delete = collection
    }
    guard let before else { return }
    replaced = VersionMembers(
      revision: before.revision, day: before.day, schema: before.schema, created: before.createdAt,
      updated: before.updatedAt, body: JSONText(bytes: before.body.bytes))
  }

  var operation: Operation {
    guard let put else { return .delete(delete ?? CollectionName(""), id: id) }
    return .put(
      put, id: id, day: version.day, schema: version.schema, createdAt: version.created, updatedAt: version.updated,
      body: version.body.bytes)
  }

  var before: Record? {
    guard replaced.revision >= 0 else { return nil }
    return Record(
      id: id, day: replaced.day, createdAt: replaced.created, updatedAt: replaced.updated, schema: replaced.schema,
      revision: replaced.revision, body: RecordBody(replaced.body.bytes[...]))
  }
}

/// One version of a record without its id; on its own, the version that an operation replaces.
private struct VersionMembers: Document {
  /// Negative when nothing is replaced.
  var revision = -1
  var day: CivilDay?
  var schema = 0
  var created = Instant(milliseconds: 0)
  var updated = Instant(milliseconds: 0)
  var body = JSONText(bytes: [])

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("revision", &revision)
    try codeHead(&members, .required)
    try members.value("body", &body)
  }

  /// Everything but the revision and the body.
  mutating func codeHead(_ members: inout some MemberCoder & ~Copyable, _ presence: MemberPresence) throws(JSONError) {
    try members.value("day", &day)
    try members.number("schema", &schema, in: .min...(.max), presence)
    try members.value("created", &created, presence)
    try members.value("updated", &updated, presence)
  }
}

private struct JSONText: DocumentValue {
  var bytes: [UInt8]

  static func read(from reader: inout JSONReader) throws(JSONError) -> JSONText {
    JSONText(bytes: Array(UnsafeRawBufferPointer(rebasing: reader.text[try reader.objectRange()])))
  }
  func write(to writer: inout JSONWriter) { bytes.withUnsafeBytes { writer.append($0) } }
}
