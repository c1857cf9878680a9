import CivilTime

extension Snapshot {
  /// The days from the first to the last month that a collection has, or had, records in; nil when it has none with a day.
  package func span(of collection: CollectionName) -> ClosedRange<CivilDay>? {
    let months = months(of: collection).compactMap(\.days)
    guard let first = months.first, let last = months.last else { return nil }
    return first.lowerBound...last.upperBound
  }
}
