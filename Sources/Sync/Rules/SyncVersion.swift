import CivilTime
import FileStore

/// A version of a record, as a position in the order that decides everything: of two versions the greater one wins, on
/// every device alike. The order of arrival does not matter.
package struct SyncVersion: Hashable, Sendable {
  /// When the record was last edited or deleted, by the hybrid clock of the record (`Instant.following`).
  package let time: Instant
  package let isDeletion: Bool
  /// The hash of the content. It decides between equal times, where every device must choose the same.
  package let content: SHA256Digest

  package init(time: Instant, isDeletion: Bool, content: SHA256Digest) {
    self.time = time
    self.isDeletion = isDeletion
    self.content = content
  }
}

extension SyncVersion: Comparable {
  /// By time; at one time a deletion is greater than an edit; then by the hash.
  package static func < (left: SyncVersion, right: SyncVersion) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.isDeletion != right.isDeletion { return right.isDeletion }
    return left.content < right.content
  }
}
