import CivilTime
import Values

/// A record before and after a transaction; nil where it did not exist.
struct RecordImage: Sendable {
  let collection: CollectionName
  let id: EntityID
  let before: Record?
  let after: Record?
}

/// What a transaction did to the records, in the order of its operations.
enum RecordImages: Sendable {
  case kept([RecordImage])
  /// A large one that no journal tells of yet: as a journal will.
  case entry(JournalEntry)
  /// A large one is read again when it is taken back: what it replaced and what it put would stay in memory until then.
  case told(JournalPlace, count: Int)

  /// A transaction of so many operations is a large one.
  static let many = 512

  /// How many records it changed, about: one that it changed twice counts twice.
  var count: Int {
    switch self {
    case .kept(let images): images.count
    case .entry(let entry): entry.transaction.operations.count
    case .told(_, let count): count
    }
  }

  /// All of them.
  ///
  /// - Throws: `storeUnavailable` when the journal does not tell any more.
  func read(revision: Int) throws(StoreError) -> ReadImages {
    switch self {
    case .kept(let images): .kept(images)
    case .entry(let entry): .entry(entry, revision: revision)
    case .told(let place, _): .entry(try place.entry(), revision: revision)
    }
  }
}

/// The images of a transaction, all in memory.
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

  /// The places of a record's first and last image.
  private struct Span {
    let month: MonthKey
    let collection: CollectionName
    var first: Int
    let last: Int
  }

  /// One image per record, latest changed first; of many, those of one collection and month together, so that each segment is read
  /// once.
  func forEachRecord(_ body: (RecordImage) throws(StoreError) -> Void) throws(StoreError) {
    var places: [RecordName: Int] = [:]
    places.reserveCapacity(count)
    var spans: [Span] = []
    spans.reserveCapacity(count)
    for index in (0..<count).reversed() {
      let image = self[index]
      // What deleted nothing changed nothing.
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
