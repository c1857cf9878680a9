import Values

/// A record mentioned in damaged bytes.
package struct RecordReference: Hashable, Sendable {
  /// Nil when that part is damaged too.
  package var collection: CollectionName?
  package var id: EntityID
}

extension RecordReference {
  /// The maximum number of records taken from one piece of damage.
  static let most = 10_000

  private static let opening: StaticString = "\"id\":\""

  /// The records whose ids are still readable in damaged lines, in order, each once.
  ///
  /// - Parameter collection: The file's collection, if all its records are of one.
  static func all(in bytes: UnsafeRawBufferPointer, of collection: CollectionName?) -> [RecordReference] {
    var found: [RecordReference] = []
    var places: [EntityID: Int] = [:]
    let mark = opening.utf8CodeUnitCount
    var at = 0
    while at + mark + 36 < bytes.count, found.count < most {
      guard let quote = bytes[at...].firstIndex(of: UInt8(ascii: "\"")), quote + mark + 36 < bytes.count else { break }
      at = quote + 1
      guard bytes.hasText(opening, at: quote), bytes[quote + mark + 36] == UInt8(ascii: "\""),
        let base = bytes.baseAddress, let id = FixedText.id(base + quote + mark)
      else { continue }
      at = quote + mark + 36
      let name = collection ?? self.collection(bytes, before: quote)
      if let place = places[id] {
        // The body repeats the id without naming the collection.
        if found[place].collection == nil { found[place].collection = name }
      } else {
        places[id] = found.count
        found.append(RecordReference(collection: name, id: id))
      }
    }
    return found
  }

  /// The collection named by `"put":"…",` or `"delete":"…",` right before an id.
  private static func collection(_ bytes: UnsafeRawBufferPointer, before end: Int) -> CollectionName? {
    let quote = UInt8(ascii: "\"")
    guard end >= 2, bytes[end - 1] == UInt8(ascii: ","), bytes[end - 2] == quote,
      let start = bytes[..<(end - 2)].lastIndex(of: quote)
    else { return nil }
    let before = UnsafeRawBufferPointer(rebasing: bytes[..<start])
    guard before.endsIn("\"put\":") || before.endsIn("\"delete\":") else { return nil }
    let name = CollectionName(String(decoding: bytes[(start + 1)..<(end - 2)], as: UTF8.self))
    return name.isFileName ? name : nil
  }
}
