import JSON
import Values

/// A record lent to an iterating caller: one in memory, or a line of a segment that is read only as far as needed.
package struct RecordView: ~Copyable {
  private enum Source {
    case memory(UnsafePointer<Record>)
    case line(Unmanaged<Segment>, Int)
  }

  private let source: Source

  /// Views a record that stays in place while the view is lent.
  init(_ record: UnsafePointer<Record>) { source = .memory(record) }

  /// Views a line of a segment that the lender keeps alive.
  init(_ segment: Segment, _ index: Int) { source = .line(.passUnretained(segment), index) }

  package var record: Record {
    switch source {
    case .memory(let record): record.pointee
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.record(at: index) }
    }
  }

  func lend(to body: (borrowing Record) -> Bool) -> Bool {
    switch source {
    case .memory(let record): body(record.pointee)
    case .line(let segment, let index): body(segment._withUnsafeGuaranteedRef { $0.record(at: index) })
    }
  }

  var id: EntityID {
    switch source {
    case .memory(let record): record.pointee.id
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.id(at: index) }
    }
  }

  /// Its position in a listing.
  package var position: Position {
    switch source {
    case .memory(let record): record.pointee.position
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.position(at: index) }
    }
  }

  /// Lends the body's text and its schema number.
  package func withBody<Result>(_ read: (_ body: UnsafeRawBufferPointer, _ schema: Int) -> Result) -> Result {
    switch source {
    case .memory(let record):
      record.pointee.body.text.withUnsafeBytes { read($0, record.pointee.schema) }
    case .line(let segment, let index): segment._withUnsafeGuaranteedRef { $0.withBody(at: index, read) }
    }
  }
}

extension JSONWriter {
  /// Appends a record's body if its schema is at least `schema`; returns whether it was.
  package mutating func append(_ record: borrowing RecordView, since schema: Int) -> Bool {
    record.withBody { body, present in
      if present >= schema { append(body) }
      return present >= schema
    }
  }
}
