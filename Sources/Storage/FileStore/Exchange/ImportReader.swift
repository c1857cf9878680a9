import CivilTime
import JSON
import Platform
import Values

/// Reads the lines of an export, valid or not.
struct ImportReader {
  /// The longest line, in bytes: a record and what is told of it.
  static let longestLine = 1 << 20

  /// Whether the first and the last line have to be there, as in a file, which may have been cut off.
  let isFramed: Bool
  let check: ImportCheck?

  private var content: ImportContent
  private var hasHeader = false
  private var footer: (count: Int, sha256: SHA256Digest?, start: Int, line: Int)?
  /// The bytes of the last collection's name, as most lines have the same as the one before.
  private var lastName: [UInt8] = []
  private var lastCollection = 0

  private init(_ source: ImportSource.Text, isFramed: Bool, check: ImportCheck?) {
    self.isFramed = isFramed
    self.check = check
    content = ImportContent(source: source)
  }

  /// Everything that a text holds.
  static func read(_ source: ImportSource.Text, isFramed: Bool, check: ImportCheck?, _ monitor: WorkMonitor)
    throws(StoreError) -> ImportContent
  {
    var reader = ImportReader(source, isFramed: isFramed, check: check)
    switch source {
    case .whole(let text): try reader.read(text, monitor)
    case .parts(let parts): try reader.read(parts, monitor)
    }
    return reader.content
  }

  private mutating func read(_ parts: [ArraySlice<UInt8>], _ monitor: WorkMonitor) throws(StoreError) {
    content.lines.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      if index & 4095 == 0 {
        try monitor.check()
        monitor.report(index * 100 / parts.count)
      }
      _ = part.withUnsafeBytes { take($0, from: 0, index + 1) }
    }
    let last = (footer?.line ?? 1) - 1
    close(parts.count) { _ in SHA256.hash(parts[..<last].flatMap { $0 + [UInt8(ascii: "\n")] }) }
  }

  private mutating func read(_ text: [UInt8], _ monitor: WorkMonitor) throws(StoreError) {
    content.lines.reserveCapacity(text.count / 250)
    var start = 0
    var number = 0
    while start < text.count {
      if number & 4095 == 0 {
        try monitor.check()
        monitor.report(start * 100 / text.count)
      }
      number += 1
      start = text.withUnsafeBytes { take($0, from: start, number) }
    }
    close(number) { count in text.withUnsafeBytes { SHA256.hash(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }
  }

  /// Takes in the line that begins at an offset; returns where the next one begins.
  private mutating func take(_ text: UnsafeRawBufferPointer, from start: Int, _ number: Int) -> Int {
    guard let base = text.baseAddress else { return text.count }
    let end = SegmentScan.newline(base, from: start, to: text.count)
    let line = UnsafeRawBufferPointer(start: base + start, count: end - start)
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }) { return end + 1 }
    if footer != nil {
      content.refuse(StoreImportProblem(line: number, pointer: "", reason: "there is something behind the last line"))
      return text.count
    }
    guard line.count <= ImportReader.longestLine else {
      content.refuse(
        StoreImportProblem(
          line: number, pointer: "", reason: "it has \(line.count) bytes, more than \(ImportReader.longestLine)",
          isTooLarge: true))
      return end + 1
    }
    do throws(JSONError) {
      try JSONReader.read(line) { reader throws(JSONError) in try read(&reader, line, start, number) }
    } catch {
      content.refuse(StoreImportProblem(line: number, pointer: error.pointer(in: line), reason: error.description))
    }
    return end + 1
  }

  private mutating func read(_ reader: inout JSONReader, _ line: UnsafeRawBufferPointer, _ start: Int, _ number: Int)
    throws(JSONError)
  {
    reader.refusesUnknownMembers = false
    var record = ImportLine()
    record.number = number
    var kind = ""
    var count: Int?
    var hash: SHA256Digest?
    var object = try reader.beginObject()
    while try reader.nextMember(&object) {
      if try reader.member("collection", 0, &object) {
        record.collection = try collection(&reader)
      } else if try reader.member("id", 1, &object) {
        record.id = try reader.value()
      } else if try reader.member("day", 2, &object) {
        record.day = try reader.value(CivilDay.self)
      } else if try reader.member("created", 3, &object) {
        record.createdAt = try reader.value()
      } else if try reader.member("updated", 4, &object) {
        record.updatedAt = try reader.value()
      } else if try reader.member("schema", 5, &object) {
        record.schema = try reader.int(in: 0...1_000_000_000)
      } else if try reader.member("body", 6, &object) {
        let body = try reader.objectRange()
        record.body = (start + body.lowerBound)..<(start + body.upperBound)
      } else if try reader.member("daybook", 7, &object) {
        kind = try reader.string()
      } else if try reader.member("version", 8, &object) {
        _ = try reader.int(in: 1...ExportText.version)
      } else if try reader.member("end", 9, &object) {
        _ = try reader.bool()
      } else if try reader.member("count", 10, &object) {
        count = try reader.int(in: 0...(.max))
      } else if try reader.member("sha256", 11, &object) {
        hash = try reader.value(SHA256Digest.self)
      } else {
        try reader.unknownMember(&object, known: "")
      }
    }
    if reader.has(7, object) {
      try takeHeader(kind, number, reader.has(8, object) ? nil : reader.missing("version", object))
    } else if reader.has(9, object) {
      guard let count else { throw reader.missing("count", object) }
      footer = (count, hash, start, number)
    } else {
      guard reader.has(0, object) else { throw reader.missing("collection", object) }
      guard reader.has(1, object) else { throw reader.missing("id", object) }
      guard reader.has(3, object) else { throw reader.missing("created", object) }
      guard reader.has(4, object) else { throw reader.missing("updated", object) }
      guard reader.has(5, object) else { throw reader.missing("schema", object) }
      guard reader.has(6, object) else { throw reader.missing("body", object) }
      take(record, line, start)
    }
  }

  private mutating func takeHeader(_ kind: String, _ number: Int, _ missing: JSONError?) throws(JSONError) {
    if let missing { throw missing }
    guard kind == "export", number == 1, !hasHeader else {
      throw JSONError(.outOfRange, at: 0, expected: "“daybook”: “export” on the first line only")
    }
    hasHeader = true
  }

  private mutating func collection(_ reader: inout JSONReader) throws(JSONError) -> Int {
    var found = -1
    let name = try reader.string(as: "1 to 64 letters, digits and hyphens, a letter first") { text -> [UInt8]? in
      if !lastName.isEmpty, text.elementsEqual(lastName) {
        found = lastCollection
        return []
      }
      return CollectionName(String(decoding: text, as: UTF8.self)).isFileName ? Array(text) : nil
    }
    if found >= 0 { return found }
    let collection = CollectionName(String(decoding: name, as: UTF8.self))
    lastName = name
    lastCollection =
      content.collections.firstIndex(of: collection)
      ?? {
        content.collections.append(collection)
        content.index.append([:])
        return content.collections.count - 1
      }()
    return lastCollection
  }

  /// Takes in a record whose line can be read.
  private mutating func take(_ record: ImportLine, _ line: UnsafeRawBufferPointer, _ start: Int) {
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

  /// Sees whether the text is whole; `hash` is that of so many bytes at its beginning.
  private mutating func close(_ number: Int, _ hash: (_ count: Int) -> SHA256Digest) {
    if isFramed, !hasHeader {
      content.refuse(
        StoreImportProblem(line: 1, pointer: "", reason: "the first line does not say that it is an export"))
    }
    guard let footer else {
      if isFramed {
        content.refuse(
          StoreImportProblem(line: number, pointer: "", reason: "the last line is missing: the file was cut off"))
      }
      return
    }
    if footer.count != content.lines.count + content.refused {
      content.refuse(
        StoreImportProblem(
          line: footer.line, pointer: "/count", reason: "there are \(content.lines.count) records, not \(footer.count)")
      )
    }
    guard let stated = footer.sha256 else { return }
    if hash(footer.start) != stated {
      content.refuse(
        StoreImportProblem(
          line: footer.line, pointer: "/sha256", reason: "the hash of the lines before it is another one"))
    }
  }
}
