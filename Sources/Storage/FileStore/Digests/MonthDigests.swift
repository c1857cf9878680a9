import CivilTime

/// The digests of a snapshot's months. Their file is read on first use.
package final class MonthDigests {
  private let snapshot: Snapshot
  private let digest: Digest
  private lazy var file = DigestFile(digest, of: snapshot.base)

  init(_ snapshot: Snapshot, _ digest: Digest) {
    self.snapshot = snapshot
    self.digest = digest
  }

  /// The digest of a collection's records in the month of `day`; nil when there is none for exactly these records.
  package subscript(collection: CollectionName, day: CivilDay) -> ArraySlice<UInt8>? {
    let (month, base) = (MonthKey(day), snapshot.base)
    guard snapshot.changes(of: month, in: collection) == nil, let entry = base.entry(month, collection) else {
      return nil
    }
    // For a damaged segment, all readers must use its remaining records.
    return base.loader.isDamaged(entry) ? nil : file?[entry.sha256]
  }

  /// Visits some days of a collection, oldest first: month by month where `digest` accepts the month's digest, and in
  /// the longest possible ranges of days where it does not.
  package func visit<Failure: Error>(
    _ collection: CollectionName, _ days: ClosedRange<CivilDay>,
    digest: (_ days: ClosedRange<CivilDay>, _ digest: ArraySlice<UInt8>) -> Bool,
    rest: (_ days: ClosedRange<CivilDay>) throws(Failure) -> Void
  ) throws(Failure) {
    var unread: ClosedRange<CivilDay>?
    var month = days.lowerBound.month
    while month.lowerBound <= days.upperBound {
      let part = month.clamped(to: days)
      if let found = self[collection, month.lowerBound] {
        // Days without a digest before this month come first.
        if let range = unread { try rest(range) }
        unread = digest(part, found) ? nil : part
      } else {
        unread = (unread ?? part).lowerBound...part.upperBound
      }
      month = month.upperBound.advanced(by: 1).month
    }
    if let range = unread { try rest(range) }
  }
}

extension Snapshot {
  package func digests(_ digest: Digest) -> MonthDigests { MonthDigests(self, digest) }
}
