import CivilTime
import JSON
import Values

/// One stored record: its metadata, and the text of its body.
package struct Record: Sendable, Equatable {
  package let id: EntityID
  package let day: CivilDay?
  package let createdAt: Instant
  package let updatedAt: Instant
  /// The schema number of the stored form in `body`.
  package let schema: Int
  /// The revision of the transaction that last put it.
  package let revision: Int
  package let body: RecordBody

  /// Whether it is a hole in an overlay, which hides an obsolete record in the segments.
  private(set) var isHole = false

  /// Its position in a listing.
  package var position: Position { Position(day: day, createdAt: createdAt, id: id) }

  /// Whether both have equal content, apart from their revisions and last-change instants, which the body repeats in
  /// the member `stamp`.
  package func hasSameContent(as other: Record, but stamp: String) -> Bool {
    guard id == other.id, day == other.day, createdAt == other.createdAt, schema == other.schema else { return false }
    if body == other.body { return true }
    guard case .object(var left)? = body.withUnsafeBytes({ try? JSONValue(json: $0) }),
      case .object(var right)? = other.body.withUnsafeBytes({ try? JSONValue(json: $0) })
    else { return false }
    left[stamp] = nil
    right[stamp] = nil
    return left == right
  }
}

extension Record {
  /// A record that no transaction has put.
  package init(id: EntityID, day: CivilDay?, createdAt: Instant, updatedAt: Instant, schema: Int, body: [UInt8]) {
    self.init(
      id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, revision: 0,
      body: RecordBody(body[...]))
  }

  /// A hole at a position, effective from a revision on.
  init(holeAt position: Position, since revision: Int) {
    self.init(
      id: position.id, day: position.day, createdAt: position.createdAt, updatedAt: position.createdAt, schema: 0,
      revision: revision, body: RecordBody([]), isHole: true)
  }
}

/// The text of a record's JSON object, exactly as it was given.
package struct RecordBody: Sendable, Equatable {
  /// The text; a slice, so that bodies read from a journal share the array it was read into.
  package let text: ArraySlice<UInt8>

  package init(_ text: ArraySlice<UInt8>) { self.text = text }

  package var count: Int { text.count }

  package var bytes: [UInt8] { Array(text) }

  @inlinable @inline(__always)
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try text.withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}

/// A record's position within its collection: by day, then time of creation, then id. It remains valid when the record
/// is deleted.
package struct Position: Hashable, Sendable {
  package let day: CivilDay?
  package let createdAt: Instant
  package let id: EntityID

  package init(day: CivilDay?, createdAt: Instant, id: EntityID) {
    self.day = day
    self.createdAt = createdAt
    self.id = id
  }
}

extension Position: Comparable {
  /// Oldest first; undated records come before all dated ones.
  package static func < (left: Position, right: Position) -> Bool {
    let leftDay = left.dayNumber
    let rightDay = right.dayNumber
    if leftDay != rightDay { return leftDay < rightDay }
    if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
    return left.id < right.id
  }

  /// The day's number; for undated records a number below that of every day.
  private var dayNumber: Int64 { day.map { Int64($0.daysSinceEpoch) } ?? .min }
}
