import CivilTime
import Values

/// One record of a made-up person, in the form that the store takes.
package struct GeneratedRecord {
  let collection: String
  let id: EntityID
  /// Nil for what belongs to no day.
  let day: CivilDay?
  let createdAt: Instant
  let updatedAt: Instant
  let schema: Int
  /// The text of one JSON object, on one line.
  let body: [UInt8]
}
