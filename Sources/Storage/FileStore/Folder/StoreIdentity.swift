import CivilTime
import JSON
import Values

/// The content of `store.json`: the ids of the store and of this replica.
package struct StoreIdentity: Sendable, Equatable {
  /// The version of the folder's layout that this code writes.
  package static let currentFormat = 1

  package var format = currentFormat
  /// The same in all replicas of a store.
  package var store = EntityID.zero
  /// Different in each replica.
  package var replica = EntityID.zero
  /// When the store was created, for display only.
  package var createdAt = Instant(milliseconds: 0)

  var bytes: [UInt8] { text() }
}

extension StoreIdentity: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("format", &format, in: .min...(.max))
    try members.value("store", &store)
    try members.value("replica", &replica)
    try members.value("created", &createdAt)
  }
}

/// The outcome of reading `store.json`.
struct StoreIdentityReading: Sendable, Equatable {
  var identity: StoreIdentity?
  /// Why this version must not write in the folder: the text is valid and has an unknown format.
  var obstacle: String?
  /// Why the text is invalid.
  var damage: String?

  /// Parses the file's text. A text without a checksum is accepted, for people who write it by hand.
  init(_ text: [UInt8]) {
    let line = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
    let isWhole = line.withUnsafeBytes { bytes in
      LineSuffix.checksum(bytes, at: bytes.count - LineSuffix.length) == nil || LineSuffix.isValid(bytes)
    }
    guard isWhole else {
      damage = "the checksum does not match"
      return
    }
    do throws(JSONError) {
      guard case .object(let object) = try JSONValue(json: text), let format = object["format"] else {
        damage = "it has no format"
        return
      }
      if format != .number(JSONNumber(StoreIdentity.currentFormat)) {
        obstacle = "its format is \(String(decoding: format.json.prefix(40), as: UTF8.self))"
      }
      identity = try StoreIdentity(reading: text)
    } catch {
      // A newer version's text may have another shape.
      if obstacle == nil { damage = error.description }
    }
  }
}
