/// A record's place in the lab: which collection, and which record of it.
package struct LabKey: Hashable, Sendable, Comparable {
  /// How many collections there are to change.
  package static let collections = 3
  /// The collection in which every transaction leaves a record of its own under its number: that proves it when its line is
  /// long gone into a segment.
  package static let witnesses = 3

  package var collection: Int
  package var record: Int

  package init(collection: Int, record: Int) {
    self.collection = collection
    self.record = record
  }

  package static func < (left: LabKey, right: LabKey) -> Bool {
    (left.collection, left.record) < (right.collection, right.record)
  }
}

/// One change of one record.
package struct LabChange: Sendable, Equatable {
  package var key: LabKey
  /// Days since 1970, or nil for a record without a day.
  package var day: Int32?
  /// How many bytes the body is padded with; nil deletes the record.
  package var padding: Int?

  package init(key: LabKey, day: Int32? = nil, padding: Int?) {
    self.key = key
    self.day = day
    self.padding = padding
  }
}

/// Changes that happen together; its number makes its id and its bodies.
package struct LabTransaction: Sendable {
  package let number: Int
  package let changes: [LabChange]
  /// The text of each change's record; empty for a deletion.
  package let bodies: [[UInt8]]
  /// The revision of the transaction that it takes back.
  package let undoes: Int?
  /// Whether it may have been committed before.
  package var mayRepeat = false

  /// A transaction that takes back another one: its bodies are those that were there before.
  package init(number: Int, undoes: Int, changes: [LabChange], bodies: [[UInt8]]) {
    self.number = number
    self.changes = changes
    self.bodies = bodies
    self.undoes = undoes
  }

  package init(number: Int, changes: [LabChange]) {
    self.number = number
    self.changes = changes
    undoes = nil
    bodies = changes.enumerated().map { index, change in
      guard let padding = change.padding else { return [] }
      return Array("{\"by\":\(number),\"at\":\(index),\"text\":\"".utf8)
        + [UInt8](repeating: UInt8(ascii: "x"), count: padding) + Array("\"}".utf8)
    }
  }
}

extension LabChange: CustomStringConvertible {
  package var description: String {
    let place = "\(key.collection)/\(key.record)"
    guard let padding else { return "delete \(place)" }
    return "put \(place)" + (day.map { " day \($0)" } ?? "") + (padding > 0 ? " +\(padding)" : "")
  }
}
