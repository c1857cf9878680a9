import CivilTime
import JSON
import Values

/// What `store.json` says: which store this is, and which of its copies.
package struct StoreIdentity: Sendable, Equatable {
  /// The version of the folder's layout that this code writes.
  package static let currentFormat = 1

  /// The layout's version.
  package var format: Int
  /// The same in all copies of a store.
  package var store: EntityID
  /// Different in each copy.
  package var replica: EntityID
  /// When the store was made, for people.
  package var createdAt: Instant

  /// The file's text.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("format")
    writer.write(format)
    writer.name("store")
    writer.write(store.description)
    writer.name("replica")
    writer.write(replica.description)
    writer.name("created")
    writer.write(createdAt.description)
    LineSuffix.close(&writer)
    return writer.bytes
  }
}

/// What came of reading `store.json`.
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
      identity = try StoreIdentity(members: text)
    } catch {
      // What a newer version wrote need not have the shape of ours.
      if obstacle == nil { damage = error.description }
    }
  }
}

extension StoreIdentity {
  /// Reads the members of the file's text.
  fileprivate init(members text: [UInt8]) throws(JSONError) {
    self = try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var format: Int?
      var store: EntityID?
      var replica: EntityID?
      var createdAt: Instant?
      var object = try reader.beginObject()
      while try reader.nextMember(&object) {
        if try reader.member("format", 0, &object) {
          format = try reader.int(in: .min...(.max))
        } else if try reader.member("store", 1, &object) {
          store = try reader.string(as: "a UUID") { EntityID(utf8: $0) }
        } else if try reader.member("replica", 2, &object) {
          replica = try reader.string(as: "a UUID") { EntityID(utf8: $0) }
        } else if try reader.member("created", 3, &object) {
          createdAt = try reader.string(as: "an instant") { Instant(utf8: $0) }
        } else {
          try reader.unknownMember(&object, known: "")
        }
      }
      guard let format else { throw reader.missing("format", object) }
      guard let store else { throw reader.missing("store", object) }
      guard let replica else { throw reader.missing("replica", object) }
      guard let createdAt else { throw reader.missing("created", object) }
      return StoreIdentity(format: format, store: store, replica: replica, createdAt: createdAt)
    }
  }
}
