import CivilTime
import Values

/// A generated record in the form that the store accepts.
package struct GeneratedRecord {
  let collection: String
  let id: EntityID
  /// Nil for undated records.
  let day: CivilDay?
  let createdAt: Instant
  let updatedAt: Instant
  let schema: Int
  /// A JSON object on one line.
  let body: [UInt8]
}
