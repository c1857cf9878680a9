import JSON
import Values

/// A record lent to a caller that goes through many: one in memory, or a line of a segment that is read only as far as is asked.
package struct RecordView: ~Copyable {
  private enum Source {
    case memory(UnsafePointer<Record>)
    case line(Unmanaged<Segment>, Int)
  }

  private let source: Source

  /// Of a record that stays where it is while the view is lent.
  init(_ record: UnsafePointer<Record>) { source = .memory(record) }

  /// Of a line of a segment that somebody else holds while the view is lent.
  init(_ segment: Segment, _ index: Int) { source = .line(.passUnretained(segment), index) }

  /// All of it.
  package var record: Record {
    switch source {
    case .memory(let record): record.pointee
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.record(at: index) }
    }
  }

  /// Lends all of it.
  func lend(to body: (borrowing Record) -> Bool) -> Bool {
    switch source {
    case .memory(let record): body(record.pointee)
    case .line(let segment, let index): body(segment._withUnsafeGuaranteedRef { $0.record(at: index) })
    }
  }

  /// Its id, in its collection.
  var id: EntityID {
    switch source {
    case .memory(let record): record.pointee.id
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.id(at: index) }
    }
  }

  /// Its place in a listing.
  package var position: Position {
    switch source {
    case .memory(let record): record.pointee.position
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.position(at: index) }
    }
  }

  /// Lends the text of its body, and the number of the stored form that this has.
  package func withBody<Result>(_ read: (_ body: UnsafeRawBufferPointer, _ schema: Int) -> Result) -> Result {
    switch source {
    case .memory(let record):
      record.pointee.body.text.withUnsafeBytes { read($0, record.pointee.schema) }
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.withBody(at: index, read) }
    }
  }
}

extension JSONWriter {
  /// Appends the body of a record if it has the form `schema` or a later one; whether it had.
  package mutating func append(_ record: borrowing RecordView, since schema: Int) -> Bool {
    record.withBody { body, present in
      if present >= schema { append(body) }
      return present >= schema
    }
  }
}
