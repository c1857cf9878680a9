import CivilTime

extension StoreError.Code {
  /// The file to be created exists already.
  package static let fileExists = Self("fileExists")
  /// A file or folder named by the caller is unusable.
  package static let fileUnusable = Self("fileUnusable")
}

/// Writes everything stored as one text, from the files, as it was at the start; nobody waits for it.
package struct StoreExport: Sendable {
  package struct Summary: Sendable, Equatable {
    package var records = 0
    package var bytes = 0
    package var revision = 0
    /// Whether part of the store was unreadable, so that the export is incomplete.
    package var isDamaged = false
  }

  /// The approximate size of the pieces passed on.
  static let piece = 256 << 10

  let configuration: FileStore.Configuration

  package init(_ configuration: FileStore.Configuration) { self.configuration = configuration }

  /// Passes the text to `body` piece by piece, in whole lines: the collections by name, and in each the records by
  /// day, time of creation and id, oldest first; then what participants keep of such records.
  ///
  /// - Throws: `cancelled`, read errors, or what `body` throws.
  package func run(_ monitor: WorkMonitor = WorkMonitor(), _ body: ([UInt8]) throws(StoreError) -> Void)
    throws(StoreError) -> Summary
  {
    let source = try StoreReading(configuration, isEmptyAllowed: true)
    let snapshot = source.snapshot
    var text = ExportText(
      created: configuration.now(), store: source.folder.identity?.store, revision: snapshot.revision)
    let leftOut = configuration.participants.ownCollections
    let total = max(1, snapshot.count(leavingOut: leftOut))
    for key in try snapshot.keys() where !leftOut.contains(key.collection) {
      try monitor.check()
      for record in snapshot.records(of: key) {
        record.body.withUnsafeBytes { body in
          text.append(
            key.collection, id: record.id, day: record.day, createdAt: record.createdAt, updatedAt: record.updatedAt,
            schema: record.schema, body: body)
        }
        if text.pending >= StoreExport.piece { try body(text.take()) }
      }
      monitor.report(text.count * 100 / total)
    }
    for key in try snapshot.keys() where leftOut.contains(key.collection) {
      try monitor.check()
      for record in snapshot.records(of: key) {
        text.append(configuration.participants.lazy.compactMap { $0.exported(record, in: key.collection) }.first)
        if text.pending >= StoreExport.piece { try body(text.take()) }
      }
    }
    text.finish()
    try body(text.take())
    let isDamaged = snapshot.revision > 0 && source.isDamaged
    return Summary(records: text.count, bytes: text.bytes, revision: snapshot.revision, isDamaged: isDamaged)
  }

  /// Writes the text into a file, which appears complete or not at all.
  ///
  /// - Throws: As `OutsideFile.write` and `run`.
  package func write(to path: String, overwrites: Bool, _ monitor: WorkMonitor = WorkMonitor()) throws(StoreError)
    -> Summary
  {
    try OutsideFile(path, configuration).write(overwrites: overwrites) { write throws(StoreError) in
      try run(monitor) { text throws(StoreError) in try write(text) }
    }
  }
}

extension ExportText {
  /// Adds the record that an operation puts.
  fileprivate mutating func append(_ operation: Operation?) {
    guard case .put(let collection, let id, let day, let schema, let createdAt, let updatedAt, let body) = operation
    else { return }
    body.withUnsafeBytes {
      append(collection, id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, body: $0)
    }
  }
}
