import CivilTime
import Values

/// A record of an imported file, without its body.
struct ImportLine: Sendable {
  /// The index of its collection in `collections`.
  var collection = 0
  var id = EntityID.zero
  var day: CivilDay?
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var schema = 0
  /// The index of its part of the text, and the range of its body there.
  var part = 0
  var body = 0..<0
  /// Its line number, from 1.
  var number = 0

  var position: Position { Position(day: day, createdAt: createdAt, id: id) }
}

/// A record to be imported, for validation by its domain.
package struct ImportCandidate: ~Copyable {
  package let collection: CollectionName
  package let id: EntityID
  package let day: CivilDay?
  package let createdAt: Instant
  package let updatedAt: Instant
  package let schema: Int
  package let body: UnsafeRawBufferPointer
}

package struct StoreImportProblem: Sendable, Equatable, Error {
  /// From 1; 0 for the file as a whole.
  package var line: Int
  /// The JSON Pointer to the invalid value, within the line.
  package var pointer: String
  package var reason: String
  /// Whether the line is only too long.
  package var isTooLarge: Bool
  package var collection: CollectionName?

  package init(
    line: Int = 0, pointer: String, reason: String, isTooLarge: Bool = false, collection: CollectionName? = nil
  ) {
    self.line = line
    self.pointer = pointer
    self.reason = reason
    self.isTooLarge = isTooLarge
    self.collection = collection
  }
}

/// Validates each record of a known collection; nil when it is valid.
package typealias ImportCheck = @Sendable (borrowing ImportCandidate) -> StoreImportProblem?

struct ImportContent: Sendable {
  static let maximumProblems = 100

  /// The text, in parts of whole lines.
  private(set) var parts: [ArraySlice<UInt8>]
  /// The collections, in the order of their first records.
  var collections: [CollectionName] = []
  /// The records in file order.
  var lines: [ImportLine] = []
  /// For each collection, the index in `lines` by id.
  var index: [[EntityID: Int]] = []
  var problems: [StoreImportProblem] = []
  /// Replacement bodies, by line number.
  private(set) var adopted: [Int: [UInt8]] = [:]
  /// The number of unusable lines, in total and by known collection.
  var refused = 0
  var refusedIn: [CollectionName: Int] = [:]

  func record(_ line: ImportLine, revision: Int) -> Record {
    Record(
      id: line.id, day: line.day, createdAt: line.createdAt, updatedAt: line.updatedAt, schema: line.schema,
      revision: revision, body: RecordBody(body(of: line)))
  }

  /// Computes the replacement bodies of adopting collections.
  mutating func adopt(into snapshot: Snapshot, _ configuration: FileStore.Configuration) {
    adopted = [:]
    for (collection, adopting) in configuration.adopting {
      guard let number = collections.firstIndex(of: collection) else { continue }
      for place in index[number].values {
        let line = lines[place]
        let present = snapshot.record(line.id, in: collection)
        if let body = adopting(record(line, revision: 0), present) { adopted[line.number] = body }
      }
    }
  }

  func body(of line: ImportLine) -> ArraySlice<UInt8> {
    if !adopted.isEmpty, let body = adopted[line.number] { return body[...] }
    let part = parts[line.part]
    return part[(part.startIndex + line.body.lowerBound)...].prefix(line.body.count)
  }

  func operation(_ line: ImportLine) -> Operation {
    .put(
      collections[line.collection], id: line.id, day: line.day, schema: line.schema, createdAt: line.createdAt,
      updatedAt: line.updatedAt, body: Array(body(of: line)))
  }

  /// Adds a record that the file does not have; returns false for a deletion, which adds nothing.
  mutating func append(_ operation: Operation) -> Bool {
    guard case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body) = operation
    else {
      return false
    }
    let number = collections.firstIndex(of: collection) ?? collections.count
    if number == collections.count {
      collections.append(collection)
      index.append([:])
    }
    index[number][id] = lines.count
    lines.append(
      ImportLine(
        collection: number, id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema,
        part: parts.count, body: 0..<body.count))
    parts.append(body[...])
    return true
  }

  mutating func refuse(line: Int, at pointer: String = "", _ reason: String, isTooLarge: Bool = false) {
    refuse(StoreImportProblem(line: line, pointer: pointer, reason: reason, isTooLarge: isTooLarge))
  }

  mutating func refuse(_ problem: StoreImportProblem) {
    if let collection = problem.collection { refusedIn[collection, default: 0] += 1 }
    refuse { problem }
  }

  /// Refuses a line of no collection; the problem is made only while it is listed.
  mutating func refuse(_ problem: () -> StoreImportProblem) {
    refused += 1
    if problems.count < ImportContent.maximumProblems { problems.append(problem()) }
  }
}
