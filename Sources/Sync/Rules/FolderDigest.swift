import FileStore
import JSON
import Values

/// A number that two devices share exactly if all their records have equal versions: the sum of the hashes of all
/// versions, modulo 2^256, which a change adjusts without reading the others.
package struct FolderDigest: Hashable, Sendable {
  /// Least significant first.
  private var words: [UInt64] = [0, 0, 0, 0]

  package init() {}

  /// Counts a version of a record or of its deletion.
  package mutating func add(_ version: SyncVersion, of id: EntityID, in collection: CollectionName) {
    var carry: UInt64 = 0
    for (index, word) in FolderDigest.words(version, id, collection).enumerated() {
      let (sum, overflow) = words[index].addingReportingOverflow(word)
      let (total, overflowOfCarry) = sum.addingReportingOverflow(carry)
      words[index] = total
      carry = overflow || overflowOfCarry ? 1 : 0
    }
  }

  /// Undoes `add`.
  package mutating func remove(_ version: SyncVersion, of id: EntityID, in collection: CollectionName) {
    var borrow: UInt64 = 0
    for (index, word) in FolderDigest.words(version, id, collection).enumerated() {
      let (difference, underflow) = words[index].subtractingReportingOverflow(word)
      let (total, underflowOfBorrow) = difference.subtractingReportingOverflow(borrow)
      words[index] = total
      borrow = underflow || underflowOfBorrow ? 1 : 0
    }
  }

  private static func words(_ version: SyncVersion, _ id: EntityID, _ collection: CollectionName) -> [UInt64] {
    let identity: [JSONValue] = [
      .string("\(collection)"), .string("\(id)"), .string("\(version.time)"), .bool(version.isDeletion),
      .string("\(version.content)"),
    ]
    let bytes = CanonicalContent.hash(of: .array(identity)).bytes
    return stride(from: 24, through: 0, by: -8).map { at in
      bytes[at..<(at + 8)].reduce(0) { $0 &<< 8 | UInt64($1) }
    }
  }
}

extension FolderDigest: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits, most significant first.
  package var description: String {
    words.reversed().map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Parses what `description` gives; nil for anything else.
  package init?(_ text: String) {
    guard let digest = SHA256Digest(text) else { return nil }
    let bytes = digest.bytes
    words = stride(from: 24, through: 0, by: -8).map { at in
      bytes[at..<(at + 8)].reduce(0) { $0 &<< 8 | UInt64($1) }
    }
  }
}
