import Values

/// A record before and after a transaction; nil where it did not exist.
struct RecordImage: Sendable {
  let collection: CollectionName
  let id: EntityID
  let before: Record?
  let after: Record?
}

/// A transaction's changes to records, in the order of its operations.
enum RecordImages: Sendable {
  case kept([RecordImage])
  /// A large transaction that is in no journal yet.
  case entry(JournalEntry)
  /// A large transaction in a journal, read again when it is undone, to save memory.
  case told(JournalPlace, count: Int)

  /// The number of operations from which a transaction is large.
  static let many = 512

  /// The approximate number of changed records: one changed twice counts twice.
  var count: Int {
    switch self {
    case .kept(let images): images.count
    case .entry(let entry): entry.transaction.operations.count
    case .told(_, let count): count
    }
  }

  /// Reads all images.
  ///
  /// - Throws: `storeUnavailable` when the journal no longer has the line.
  func read(revision: Int) throws(StoreError) -> ReadImages {
    switch self {
    case .kept(let images): .kept(images)
    case .entry(let entry): .entry(entry, revision: revision)
    case .told(let place, _): .entry(try place.entry(), revision: revision)
    }
  }
}

/// The images of a transaction, in memory.
enum ReadImages: Sendable {
  case kept([RecordImage])
  case entry(JournalEntry, revision: Int)

  var count: Int {
    switch self {
    case .kept(let images): images.count
    case .entry(let entry, _): entry.transaction.operations.count
    }
  }

  subscript(index: Int) -> RecordImage {
    switch self {
    case .kept(let images): return images[index]
    case .entry(let entry, let revision):
      let operation = entry.transaction.operations[index]
      return RecordImage(
        collection: operation.collection, id: operation.id, before: entry.before(index),
        after: operation.record(revision: revision))
    }
  }

  /// The indices of a record's first and last image.
  private struct Span {
    let month: MonthKey
    let collection: CollectionName
    var first: Int
    let last: Int
  }

  /// One image per record, latest changed first; in a large transaction grouped by collection and month, so that each
  /// segment is read once.
  func forEachRecord(_ body: (RecordImage) throws(StoreError) -> Void) throws(StoreError) {
    var places: [RecordName: Int] = [:]
    places.reserveCapacity(count)
    var spans: [Span] = []
    spans.reserveCapacity(count)
    for index in (0..<count).reversed() {
      let image = self[index]
      // A deletion of nothing changed nothing.
      if image.before == nil, image.after == nil { continue }
      let name = RecordName(collection: image.collection, id: image.id)
      if let place = places[name] {
        spans[place].first = index
      } else {
        places[name] = spans.count
        let month = MonthKey((image.after ?? image.before)?.day)
        spans.append(Span(month: month, collection: image.collection, first: index, last: index))
      }
    }
    places = [:]
    if spans.count >= RecordImages.many {
      spans.sort { left, right in
        guard left.collection == right.collection else { return left.collection.rawValue < right.collection.rawValue }
        return left.month == right.month ? left.last > right.last : right.month < left.month
      }
    }
    for span in spans {
      let last = self[span.last]
      try body(
        span.first == span.last
          ? last
          : RecordImage(
            collection: last.collection, id: last.id, before: self[span.first].before, after: last.after))
    }
  }
}
