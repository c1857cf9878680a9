import CivilTime
import Values

/// The changes to one collection since the last checkpoint, by id and by position: new versions, and holes that hide
/// obsolete versions in the segments.
struct Overlay: Sendable {
  private var index = IDIndex()
  /// Oldest first; none is empty.
  private(set) var months: [MonthPartition] = []

  enum Lookup {
    case record(Record)
    case gone
    /// Not changed here: look in the segments.
    case unchanged
  }

  /// Looks up a changed record.
  func lookup(_ id: EntityID) -> Lookup {
    guard let place = index[id] else { return .unchanged }
    if place.isGone { return .gone }
    guard let record = self[Position(day: place.day, createdAt: place.createdAt, id: id)] else { return .unchanged }
    return .record(record)
  }

  /// The record or hole at exactly that position.
  private subscript(position: Position) -> Record? { partition(MonthKey(position.day))?.record(at: position) }

  /// The changes of a month, if any.
  func partition(_ key: MonthKey) -> MonthPartition? {
    let (month, isThere) = search(key)
    return isThere ? months[month] : nil
  }

  /// Puts a version of a record; `before` is the position of the version it replaces.
  mutating func put(_ record: Record, replacing before: Position?) {
    let last = index.set(RecordPlace(day: record.day, createdAt: record.createdAt), for: record.id)
    vacate(before, unless: record.position, since: record.revision)
    vacate(last?.position(of: record.id), unless: record.position, since: record.revision)
    place(record)
  }

  /// Removes a record; `before` is its position.
  mutating func remove(_ id: EntityID, at before: Position?, since revision: Int) {
    let present = index[id]?.position(of: id)
    vacate(before, unless: nil, since: revision)
    vacate(present, unless: nil, since: revision)
    guard let last = before ?? present else { return }
    index.set(RecordPlace(day: last.day, createdAt: last.createdAt, isGone: true), for: id)
  }

  /// A copy without everything up to `revision`, which is now in the segments.
  func dropping(upTo revision: Int) -> Overlay {
    var rest = Overlay()
    for month in months {
      for run in month.runs {
        for record in run where record.revision > revision {
          rest.place(record)
          guard record.isHole else {
            rest.index.set(RecordPlace(day: record.day, createdAt: record.createdAt), for: record.id)
            continue
          }
          // A hole left by a record that moved does not say where the record is now.
          if rest.index[record.id] == nil {
            rest.index.set(RecordPlace(day: record.day, createdAt: record.createdAt, isGone: true), for: record.id)
          }
        }
      }
    }
    return rest
  }

  private mutating func vacate(_ position: Position?, unless new: Position?, since revision: Int) {
    guard let position, position != new else { return }
    place(Record(holeAt: position, since: revision))
  }

  private mutating func place(_ record: Record) {
    let key = MonthKey(record.day)
    let (month, isThere) = search(key)
    if !isThere { months.insert(MonthPartition(key: key), at: month) }
    months[month].put(record)
  }

  /// The index of the month, or where it would be inserted.
  private func search(_ key: MonthKey) -> (index: Int, isThere: Bool) {
    let low = (0..<months.count).firstIndex(notBefore: { months[$0].key < key })
    return (low, low < months.count && months[low].key == key)
  }
}
