/// A record's key in the lab: its collection, and its number there.
package struct LabKey: Hashable, Sendable, Comparable {
  /// The number of collections that are changed.
  package static let collections = 3
  /// The collection in which every transaction leaves a record under its own number, which proves it even after its
  /// line was folded into a segment.
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
  /// Days since 1970, or nil for an undated record.
  package var day: Int32?
  /// The padding of the body in bytes; nil deletes the record.
  package var padding: Int?

  package init(key: LabKey, day: Int32? = nil, padding: Int?) {
    self.key = key
    self.day = day
    self.padding = padding
  }
}

/// Changes committed together; the number determines the id and the bodies.
package struct LabTransaction: Sendable {
  package let number: Int
  package let changes: [LabChange]
  /// The text of each change's record; empty for a deletion.
  package let bodies: [[UInt8]]
  /// The revision of the transaction that it undoes.
  package let undoes: Int?
  /// Whether it may have been committed before.
  package var mayRepeat = false

  /// A transaction that undoes another one, with the previous bodies.
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
