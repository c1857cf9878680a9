import CivilTime
import CollectionTables
import JSON

extension MergePolicy {
  /// The maximum of two versions of one record: the same on every device, as neither the order of arrival nor
  /// repetition matters (commutative, associative, idempotent).
  package func merged(_ left: SyncedRecord, _ right: SyncedRecord) -> SyncedRecord {
    guard self != .whole else {
      let (leftVersion, rightVersion) = (version(of: left), version(of: right))
      guard leftVersion == rightVersion else { return leftVersion < rightVersion ? right : left }
      // Of a body that does not repeat when it was made.
      return (left.createdAt ?? .latest) <= (right.createdAt ?? .latest) ? left : right
    }
    let (earlier, later) = left.time < right.time ? (left, right) : (right, left)
    var merged = later
    merged.day = later.day ?? earlier.day
    merged.schema = max(left.schema, right.schema)
    merged.createdAt = [left.createdAt, right.createdAt].compactMap { $0 }.min()
    merged.updatedAt = [left.updatedAt, right.updatedAt].compactMap { $0 }.max()
    merged.deletedAt = [left.deletedAt, right.deletedAt].compactMap { $0 }.max()
    if let origin = later.body ?? earlier.body {
      let pieces = Pieces(merging: Pieces(of: left, self), Pieces(of: right, self))
      merged.body = pieces.body(self, createdAt: merged.createdAt, updatedAt: merged.updatedAt, like: origin)
      merged.notes = pieces.notes(self)
    }
    // An edit strictly after the deletion lives.
    if let deleted = merged.deletedAt, let updated = merged.updatedAt, deleted < updated { merged.deletedAt = nil }
    return merged
  }

  /// The record after a local edit: the pieces that the edit changed have its time, all others keep theirs.
  ///
  /// - Parameters:
  ///   - previous: The version that it replaces, or the deletion; nil for the first of its id.
  ///   - body: Without local members.
  ///   - time: After the times of `previous`.
  ///   - isInitial: Whether nobody chose the values, as those that the introduction computes: members have no time then.
  package func edited(
    _ previous: SyncedRecord?, to body: JSONObject, createdAt: Instant, at time: Instant, isInitial: Bool = false
  ) -> SyncedRecord {
    edited(previous, to: SyncedRecord(body, createdAt: createdAt, updatedAt: time), isInitial: isInitial)
  }

  /// The same, with the new version as it is stored.
  package func edited(_ previous: SyncedRecord?, to record: SyncedRecord, isInitial: Bool = false) -> SyncedRecord {
    guard self != .whole, let time = record.updatedAt else { return record }
    var record = record
    let old = previous.map { Pieces(of: $0, self) } ?? Pieces(untouched: self)
    var new = Pieces(of: record, self)
    for (key, piece) in new.pieces {
      let isKept = previous?.isDeleted != true && isUnchanged(key, piece, old, new)
      new[key] =
        if isKept, let kept = old[key] {
          kept
        } else if piece.isDerived, let before = old[key], before.isDerived, previous?.isDeleted != true {
          piece.changed(at: before.at, followedAt: isInitial ? nil : time)
        } else {
          piece.changed(at: isInitial && key.isMember ? nil : time)
        }
    }
    // What is gone was removed now, or earlier.
    for (key, piece) in old.pieces where new[key] == nil {
      new[key] = piece.value == nil ? piece : Pieces.Piece(at: time, value: nil, isDefault: piece.isDefault)
    }
    // What the order does not name stands by its time: where that would move it, the order is set.
    if case .byPart(let lists) = self {
      for list in lists where !list.isSortedByKey && new[.order(list: list.name)] != nil {
        let keys = (list.parts(of: record.body ?? JSONObject()) ?? []).map(\.key)
        guard new.shown(in: list).map(\.key) != keys else { continue }
        new[.order(list: list.name)] = Pieces.Piece(at: time, value: .array(keys.map { .string($0) }))
      }
    }
    record.notes = new.notes(self)
    return record
  }

  /// The record after a local deletion, which keeps the body where records are merged by piece.
  package func deleted(_ previous: SyncedRecord, at time: Instant) -> SyncedRecord {
    guard self != .whole else { return SyncedRecord(deletedAt: time) }
    var record = previous
    record.deletedAt = time
    return record
  }

  private func isUnchanged(_ key: Pieces.Key, _ piece: Pieces.Piece, _ old: Pieces, _ new: Pieces) -> Bool {
    guard let before = old[key] else { return false }
    guard case .order(let name) = key, case .byPart(let lists) = self,
      let list = lists.first(where: { $0.name == name }), !list.isSortedByKey
    else { return before.value == piece.value }
    // The order may also name parts that are gone.
    return old.shown(in: list).map(\.key) == new.shown(in: list).map(\.key)
  }
}

extension Pieces.Piece {
  fileprivate func changed(at time: Instant?, followedAt: Instant? = nil) -> Self {
    var piece = self
    (piece.at, piece.followedAt) = (time, followedAt)
    return piece
  }
}

extension Pieces.Key {
  fileprivate var isMember: Bool { if case .member = self { true } else { false } }
}

extension Instant {
  /// After every time.
  fileprivate static let latest = Instant(milliseconds: .max)
}

extension MergePolicy {
  /// Whether both versions changed the same, differently, after a time that both have seen: records that are merged by
  /// piece are in conflict only over a piece, and never over the order of a list.
  package func changedAlike(_ left: SyncedRecord, _ right: SyncedRecord, since base: Instant?) -> Bool {
    guard self != .whole, !left.isDeleted, !right.isDeleted else { return true }
    let (left, right) = (Pieces(of: left, self), Pieces(of: right, self))
    return left.pieces.contains { key, piece in
      if case .order = key { return false }
      guard let other = right[key], other.value != piece.value else { return false }
      return [piece.at, other.at].allSatisfy { at in at.map { $0 > base ?? .earliest } ?? false }
    }
  }
}

extension Instant {
  fileprivate static let earliest = Instant(milliseconds: .min)
}
