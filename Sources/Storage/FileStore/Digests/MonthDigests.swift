import CivilTime
import Values

/// The digests of a snapshot's months. Their file is read when the first of them is asked for.
package final class MonthDigests {
  private let snapshot: Snapshot
  private let digest: Digest
  private lazy var file = DigestFile(digest, of: snapshot.base)

  init(_ snapshot: Snapshot, _ digest: Digest) {
    self.snapshot = snapshot
    self.digest = digest
  }

  /// The digest of the records that a collection has in the month of a day; nil when there is none of just these records.
  package subscript(collection: CollectionName, day: CivilDay) -> ArraySlice<UInt8>? {
    let (month, base) = (MonthKey(day), snapshot.base)
    guard snapshot.changes(of: month, in: collection) == nil, let entry = base.entry(month, collection) else {
      return nil
    }
    // Of a damaged segment everybody says the same: what is left of it.
    return base.loader.isDamaged(entry) ? nil : file?[entry.sha256]
  }

  /// Goes through some days of a collection, oldest first: month by month where `digest` takes what there is of the month's records, and
  /// by the longest ranges of days where it does not.
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
        // What was passed over comes first.
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
  /// The digests of its months.
  package func digests(_ digest: Digest) -> MonthDigests { MonthDigests(self, digest) }
}
