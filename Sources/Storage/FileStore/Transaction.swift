import CivilTime
import JSON
import Values

/// The name of a collection of records, such as `meals`.
package struct CollectionName: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The same, shorter.
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }
}

/// One change of one record.
package enum Operation: Sendable, Equatable {
  /// The record is as given from now on, whether or not it existed. `body` is the text of one JSON object, in one line.
  case put(
    CollectionName, id: EntityID, day: CivilDay?, schema: Int, createdAt: Instant, updatedAt: Instant, body: [UInt8])
  /// The record is gone from now on; of one that does not exist, nothing changes.
  case delete(CollectionName, id: EntityID)
}

/// Changes that happen together or not at all.
package struct Transaction: Sendable, Equatable {
  /// Its own identity: the same one given twice is stored once.
  package var id: EntityID
  package var at: Instant
  /// Who asked for it; undo is per author.
  package var author: String
  /// What for, such as the method's name.
  package var label: String
  /// The revision of the transaction that this one takes back.
  package var undoes: Int?
  package var operations: [Operation]
  /// Whether it may have been stored before, as one whose id a caller chose: then it is looked for in all journals there are.
  package var mayRepeat = false
  /// Whether it does nothing but put records whose ids were made for it just now: then what they replace is not looked for, which
  /// might mean to read years.
  package var isOfNewRecords = false
  /// What its caller is told, the text of one JSON object in one line: kept so that a request that comes again gets the answer
  /// that the first one got.
  package var result: [UInt8]?

  package init(
    id: EntityID, at: Instant, author: String, label: String, undoes: Int? = nil, operations: [Operation],
    mayRepeat: Bool = false
  ) {
    self.mayRepeat = mayRepeat
    self.id = id
    self.at = at
    self.author = author
    self.label = label
    self.undoes = undoes
    self.operations = operations
  }
}

extension Transaction {
  /// Whether it only takes records away.
  var isDeletion: Bool {
    !operations.isEmpty && operations.allSatisfy { operation in if case .delete = operation { true } else { false } }
  }

  /// Whether a reader gets out of the journal exactly what this is: each body is one JSON object without a line break, and each
  /// day, instant and name has a text.
  var isStorable: Bool {
    guard Instant.written.contains(at) else { return false }
    return operations.allSatisfy { operation in
      guard operation.collection.isFileName, !operation.collection.isOfDigests else { return false }
      guard case .put(_, _, let day, _, let createdAt, let updatedAt, let body) = operation else { return true }
      return day.map(CivilDay.written.contains) ?? true && Instant.written.contains(createdAt)
        && Instant.written.contains(updatedAt) && Transaction.isStorable(body)
    }
  }

  /// Whether a text is one JSON object in one line. Only debug builds read it through: it comes from an encoder, or was read before.
  static func isStorable(_ body: [UInt8]) -> Bool {
    guard body.withUnsafeBytes(\.isObjectOnOneLine) else { return false }
    #if DEBUG
      return body.withUnsafeBytes { text in
        (try? JSONReader.read(text) { reader throws(JSONError) in try reader.skipValue() }) != nil
      }
    #else
      return true
    #endif
  }
}

extension Record {
  /// Whether its line is read back as the same record. That the body is JSON was looked at when it came into the store.
  var isStorable: Bool {
    revision >= 0 && day.map(CivilDay.written.contains) ?? true && Instant.written.contains(createdAt)
      && Instant.written.contains(updatedAt)
      && body.withUnsafeBytes(\.isObjectOnOneLine)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a JSON text is an object without line breaks.
  fileprivate var isObjectOnOneLine: Bool {
    guard let baseAddress, first == UInt8(ascii: "{"), last == UInt8(ascii: "}") else { return false }
    return LineScan.newline(baseAddress, from: 0, to: count) == count
  }
}
