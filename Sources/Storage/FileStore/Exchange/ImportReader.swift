import CivilTime
import JSON
import Values

/// Reads the lines of an export, valid or not.
struct ImportReader {
  /// The maximum length of a line, in bytes.
  static let longestLine = 1 << 20

  /// Whether a header and a footer are required, as in a file, which may have been cut off.
  let isFramed: Bool
  let check: ImportCheck?

  private var content: ImportContent
  private var hasHeader = false
  private var footer: (count: Int, sha256: SHA256Digest?, part: Int, start: Int, line: Int)?
  private var lastCollection = 0

  private init(_ parts: [ArraySlice<UInt8>], isFramed: Bool, check: ImportCheck?) {
    self.isFramed = isFramed
    self.check = check
    content = ImportContent(parts: parts)
  }

  /// Reads a text that comes in parts of whole lines.
  static func read(_ parts: [ArraySlice<UInt8>], isFramed: Bool, check: ImportCheck?, _ monitor: WorkMonitor)
    throws(StoreError) -> ImportContent
  {
    var reader = ImportReader(parts, isFramed: isFramed, check: check)
    try reader.read(monitor)
    return reader.content
  }

  private mutating func read(_ monitor: WorkMonitor) throws(StoreError) {
    let size = content.parts.reduce(0) { $0 + $1.count }
    content.lines.reserveCapacity(size / 250)
    var (number, done) = (0, 0)
    for (index, part) in content.parts.enumerated() {
      var start = 0
      while start < part.count {
        if number & 63 == 0 {
          try monitor.check()
          monitor.report((done + start) * 100 / size)
        }
        number += 1
        start = part.withUnsafeBytes { readLine($0, from: start, in: index, number) }
      }
      done += part.count
    }
    close(number)
  }

  /// Reads the line that begins at `start`; returns the start of the next one.
  private mutating func readLine(_ text: UnsafeRawBufferPointer, from start: Int, in part: Int, _ number: Int) -> Int {
    guard let base = text.baseAddress else { return text.count }
    let end = LineScan.newline(base, from: start, to: text.count)
    let line = UnsafeRawBufferPointer(start: base + start, count: end - start)
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }) { return end + 1 }
    if footer != nil {
      content.refuse(line: number, "there is text after the last line")
      return text.count
    }
    guard line.count <= ImportReader.longestLine else {
      let reason = "it has \(line.count) bytes, more than \(ImportReader.longestLine)"
      content.refuse(line: number, reason, isTooLarge: true)
      return end + 1
    }
    do throws(JSONError) { try read(line, start, part, number) } catch {
      content.refuse { StoreImportProblem(line: number, pointer: error.pointer(in: line), reason: error.description) }
    }
    return end + 1
  }

  private mutating func read(
    _ line: UnsafeRawBufferPointer, _ start: Int, _ part: Int, _ number: Int
  ) throws(JSONError) {
    let members = try ImportMembers(reading: line)
    if let kind = members.kind {
      guard kind == "export", number == 1, !hasHeader else {
        throw JSONError(.outOfRange, at: 0, expected: "“daybook”: “export” on the first line only")
      }
      hasHeader = true
    } else if members.end != nil {
      footer = (members.count, members.sha256, part, start, number)
    } else {
      let body = (start + members.body.lowerBound)..<(start + members.body.upperBound)
      let record = ImportLine(
        collection: index(of: members.collection), id: members.id, day: members.day, createdAt: members.createdAt,
        updatedAt: members.updatedAt, schema: members.schema, part: part, body: body, number: number)
      add(record, line, start)
    }
  }

  /// The index of a collection, added if new.
  private mutating func index(of collection: CollectionName) -> Int {
    // Most lines have the same as the one before.
    if lastCollection < content.collections.count, content.collections[lastCollection] == collection {
      return lastCollection
    }
    lastCollection = content.collections.firstIndex(of: collection) ?? content.collections.count
    if lastCollection == content.collections.count {
      content.collections.append(collection)
      content.index.append([:])
    }
    return lastCollection
  }

  /// Validates and adds a record.
  private mutating func add(_ record: ImportLine, _ line: UnsafeRawBufferPointer, _ start: Int) {
    let collection = content.collections[record.collection]
    var problem: StoreImportProblem?
    if let check {
      let body = UnsafeRawBufferPointer(
        rebasing: line[(record.body.lowerBound - start)..<(record.body.upperBound - start)])
      problem = check(
        ImportCandidate(
          collection: collection, id: record.id, day: record.day, createdAt: record.createdAt,
          updatedAt: record.updatedAt, schema: record.schema, body: body))
    }
    if problem == nil, let other = content.index[record.collection][record.id] {
      problem = StoreImportProblem(pointer: "/id", reason: "line \(content.lines[other].number) has the same record")
    }
    if var problem {
      problem.line = record.number
      problem.collection = collection
      return content.refuse(problem)
    }
    content.index[record.collection][record.id] = content.lines.count
    content.lines.append(record)
  }

  /// Checks that the text is complete.
  private mutating func close(_ number: Int) {
    if isFramed, !hasHeader {
      content.refuse(line: 1, "the first line does not say that it is an export")
    }
    guard let footer else {
      if isFramed { content.refuse(line: number, "the last line is missing: the file was cut off") }
      return
    }
    if footer.count != content.lines.count + content.refused {
      content.refuse(
        line: footer.line, at: "/count", "there are \(content.lines.count) records, not \(footer.count)")
    }
    // Lines that came as JSON values may be written differently now; the hash is that of a file's bytes.
    guard isFramed, let stated = footer.sha256 else { return }
    var hash = SHA256()
    for part in content.parts[..<footer.part] {
      part.withUnsafeBytes { hash.update($0) }
      if part.last != UInt8(ascii: "\n") { hash.update([UInt8(ascii: "\n")]) }
    }
    content.parts[footer.part].withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<footer.start])) }
    if hash.finish() != stated {
      content.refuse(line: footer.line, at: "/sha256", "the hash of the lines before it does not match")
    }
  }
}

/// The members of a line: those of a record, of the header or of the footer.
private struct ImportMembers: Document {
  var collection = CollectionName("")
  var id = EntityID.zero
  var day: CivilDay?
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var schema = 0
  var body = 0..<0
  var kind: String?
  var version = 0
  var end: Bool?
  var count = 0
  var sha256: SHA256Digest?

  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    let ofRecord: MemberPresence = kind == nil && end == nil ? .required : .optional
    try members.value("collection", &collection, ofRecord)
    try members.value("id", &id, ofRecord)
    try members.value("day", &day)
    try members.value("created", &createdAt, ofRecord)
    try members.value("updated", &updatedAt, ofRecord)
    try members.number("schema", &schema, in: 0...1_000_000_000, ofRecord)
    try members.value("body", &body, ofRecord)
    try members.value("daybook", &kind)
    try members.number("version", &version, in: 1...ExportText.version, kind == nil ? .optional : .required)
    try members.value("end", &end)
    try members.value("count", &count, kind == nil && end != nil ? .required : .optional)
    try members.value("sha256", &sha256)
  }
}
