import CivilTime
import JSON
import Values

/// What `store.json` says: which store this is, and which of its copies.
package struct StoreIdentity: Sendable, Equatable {
  /// The version of the folder's layout that this code writes.
  package static let currentFormat = 1

  /// The layout's version.
  package var format = currentFormat
  /// The same in all copies of a store.
  package var store = EntityID.zero
  /// Different in each copy.
  package var replica = EntityID.zero
  /// When the store was made, for people.
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
  /// Why this version must not write anything in the folder: the text is whole and has a format that it does not know.
  var obstacle: String?
  /// Why the text is not what was once written.
  var damage: String?

  /// Reads the file's text. Of one without a checksum the text is taken as it is, for people who write it by hand.
  init(_ text: [UInt8]) {
    let line = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
    let isWhole = line.withUnsafeBytes { bytes in
      LineSuffix.checksum(bytes, at: bytes.count - LineSuffix.length) == nil || LineSuffix.isValid(bytes)
    }
    guard isWhole else {
      damage = "the checksum does not fit"
      return
    }
    do throws(JSONError) {
      guard case .object(let object) = try JSONValue(json: text), let format = object["format"] else {
        damage = "it names no format"
        return
      }
      if format != .number(JSONNumber(StoreIdentity.currentFormat)) {
        obstacle = "its format is \(String(decoding: format.json.prefix(40), as: UTF8.self))"
      }
      identity = try StoreIdentity(reading: text)
    } catch {
      // What a newer version wrote need not have the shape of ours.
      if obstacle == nil { damage = error.description }
    }
  }
}
