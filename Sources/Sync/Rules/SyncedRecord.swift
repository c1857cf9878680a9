import CivilTime
import JSON

/// What travels of a record between devices: its content or its deletion, their times, and its merge notes. Never its
/// local members.
package struct SyncedRecord: Equatable, Sendable {
  /// When it was made; nil in a deletion without a body.
  package var createdAt: Instant?
  /// When it was last edited; nil in a deletion without a body.
  package var updatedAt: Instant?
  /// When it was deleted; nil while it lives. Never before `updatedAt`.
  package var deletedAt: Instant?
  /// The content. A deletion keeps it where records are merged by piece: an edit elsewhere may bring the record back.
  package var body: JSONObject?
  /// The day under which the record is kept, and the number of its stored form.
  package var day: CivilDay?
  package var schema = 0
  /// Nil when there are none yet: they follow from the record then, alike on every device.
  package var notes: MergeNotes?

  /// A living record.
  package init(
    _ body: JSONObject, createdAt: Instant, updatedAt: Instant, day: CivilDay? = nil, schema: Int = 0,
    notes: MergeNotes? = nil
  ) {
    self.body = body
    self.day = day
    self.schema = schema
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.notes = notes
  }

  /// A deletion that keeps nothing.
  package init(deletedAt: Instant) { self.deletedAt = deletedAt }

  /// Neither content nor deletion; for readers that fill it in.
  package init() {}

  package var isDeleted: Bool { deletedAt != nil }

  /// When it was last edited or deleted.
  package var time: Instant { [updatedAt, deletedAt].compactMap { $0 }.max() ?? .earliest }
}

extension Instant {
  fileprivate static let earliest = Instant(milliseconds: .min)
}

extension MergePolicy {
  /// The version of a record under this policy.
  package func version(of record: SyncedRecord) -> SyncVersion {
    SyncVersion(
      time: record.time, isDeletion: record.isDeleted, content: CanonicalContent.hash(of: content(of: record)))
  }

  /// Everything that distinguishes two records of equal times: the body without stamps, and the notes, filled in.
  private func content(of record: SyncedRecord) -> JSONValue {
    guard let body = record.body else { return .null }
    if self == .whole { return .object(CanonicalContent.unstamped(body)) }
    let pieces = Pieces(of: record, self)
    let merged = pieces.body(self, createdAt: record.createdAt, updatedAt: nil, like: body)
    return .object(
      JSONObject([("body", .object(CanonicalContent.unstamped(merged))), ("notes", .object(pieces.notes(self).json))]))
  }

  /// Whether both say the same: then neither is a conflict to the other.
  package func haveEqualContent(_ left: SyncedRecord, _ right: SyncedRecord) -> Bool {
    if left.isDeleted || right.isDeleted { return left.isDeleted && right.isDeleted }
    let contents = [left, right].map { record -> [UInt8]? in
      guard var body = record.body.map(CanonicalContent.unstamped) else { return nil }
      body["createdAt"] = nil
      return CanonicalContent.text(of: .object(body))
    }
    return contents[0] == contents[1]
  }
}
