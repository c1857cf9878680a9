import CivilTime
import JSON
import Values

/// The name of a collection of records, such as `meals`.
package struct CollectionName: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }
}

package enum Operation: Sendable, Equatable {
  /// Creates or replaces the record. `body` is the text of one JSON object on one line.
  case put(
    CollectionName, id: EntityID, day: CivilDay?, schema: Int, createdAt: Instant, updatedAt: Instant, body: [UInt8])
  /// Removes the record; does nothing if it does not exist.
  case delete(CollectionName, id: EntityID)

  /// Whether it creates or replaces a record.
  package var isPut: Bool { if case .put = self { true } else { false } }
}

/// Operations that are applied atomically.
package struct Transaction: Sendable, Equatable {
  /// Identifies the transaction: committing an id again soon after stores it once; ask `known` for older ones.
  package var id: EntityID
  package var at: Instant
  /// Who requested it; undo is per author.
  package var author: String
  /// Its purpose, such as the method's name.
  package var label: String
  /// The revision of the transaction that this one undoes.
  package var undoes: Int?
  package var operations: [Operation]
  /// Whether it only puts records with freshly made ids: then their previous versions are not looked up, which could
  /// mean reading years of data.
  package var isOfNewRecords = false
  /// Whether it takes the content back to what it was, or to what it is elsewhere, as a replacing import does: what it
  /// removes was not deleted by the user.
  package var isReplacement = false
  /// The answer to the caller, as the text of one JSON object on one line; a retry gets the same answer.
  package var result: [UInt8]?

  package init(
    id: EntityID, at: Instant, author: String, label: String, undoes: Int? = nil, operations: [Operation]
  ) {
    self.id = id
    self.at = at
    self.author = author
    self.label = label
    self.undoes = undoes
    self.operations = operations
  }
}

extension Transaction {
  /// Puts operations in the places of those on the same records, and returns the others.
  mutating func replacingOperations(by new: [Operation]) -> [Operation] {
    var places: [CollectionName: [EntityID: Int]] = [:]
    for (index, operation) in operations.enumerated() {
      places[operation.collection, default: [:]][operation.id] = index
    }
    return new.filter { operation in
      guard let place = places[operation.collection]?[operation.id] else { return true }
      operations[place] = operation
      return false
    }
  }

  /// Whether it only deletes records, apart from what it does in collections of participants.
  func isDeletion(besides participants: Set<CollectionName>) -> Bool {
    !operations.isEmpty
      && operations.allSatisfy { operation in
        if case .put(let collection, _, _, _, _, _, _) = operation { participants.contains(collection) } else { true }
      }
  }

  /// Whether the journal reads back exactly this: each body is one JSON object without a line break, and each day,
  /// instant and name is representable.
  var isStorable: Bool {
    guard Instant.written.contains(at) else { return false }
    return operations.allSatisfy { operation in
      guard operation.collection.isFileName, !operation.collection.isOfDigests else { return false }
      guard case .put(_, _, let day, _, let createdAt, let updatedAt, let body) = operation else { return true }
      return day.map(CivilDay.written.contains) ?? true && Instant.written.contains(createdAt)
        && Instant.written.contains(updatedAt) && Transaction.isStorable(body)
    }
  }

  /// Whether a text is one JSON object on one line. Only debug builds parse it: it comes from an encoder, or was read
  /// before.
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
  /// Whether its line reads back as the same record. The body was checked to be JSON when it entered the store.
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
