import CivilTime
import CollectionTables
import FileStore
import JSON

/// A record taken apart into the pieces that are merged each by itself.
struct Pieces: Equatable {
  enum Key: Hashable {
    /// A member of a record that is merged by member, or a group of them by the name of its first.
    case member(String)
    /// The members of a record that is merged by part, but its lists.
    case block
    /// The keys of the parts of a list, in the order that was last set.
    case order(list: String)
    case part(list: String, key: String)
  }

  struct Piece: Equatable {
    /// When it was last changed; nil if nobody ever did, which is before any time.
    var at: Instant?
    /// When a value that follows from other members last changed, after `at`, which is when it was chosen to follow.
    var followedAt: Instant?
    /// Nil if it was removed.
    var value: JSONValue?
    /// Whether the value is the one of a new record.
    var isDefault = false
    /// Whether the value follows from other members.
    var isDerived = false
  }

  private(set) var pieces: [Key: Piece] = [:]

  init() {}

  /// The greatest of each piece of both.
  init(merging left: Pieces, _ right: Pieces) {
    pieces = left.pieces.merging(right.pieces) { max($0, $1) }
  }

  subscript(key: Key) -> Piece? {
    get { pieces[key] }
    set { pieces[key] = newValue }
  }

  /// The parts of a list that are not removed, in order: by key where that is the order; else as last set, then those
  /// that the order does not name, by time and key.
  func shown(in list: PartList) -> [(key: String, piece: Piece)] {
    var alive: [String: Piece] = [:]
    for case (.part(list.name, let key), let piece) in pieces where piece.value != nil { alive[key] = piece }
    var shown: [(key: String, piece: Piece)] = []
    for key in orderedKeys(of: list) { if let piece = alive.removeValue(forKey: key) { shown.append((key, piece)) } }
    let others = alive.sorted { left, right in
      let (leftTime, rightTime) = (left.value.at ?? .never, right.value.at ?? .never)
      return list.isSortedByKey || leftTime == rightTime
        ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8) : leftTime < rightTime
    }
    return shown + others.map { ($0.key, $0.value) }
  }

  /// The keys in the order that was last set, including those of parts that are gone.
  func orderedKeys(of list: PartList) -> [String] {
    guard case .array(let keys)? = pieces[.order(list: list.name)]?.value else { return [] }
    return keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
  }
}

extension Pieces.Piece: Comparable {
  /// By time, and by the later time of what follows; without times, what differs from the value of a new record is
  /// greater. At one time a removal is greater than a value, and otherwise the greater hash.
  static func < (left: Self, right: Self) -> Bool {
    let leftTimes = (left.at ?? .never, left.followedAt ?? .never)
    let rightTimes = (right.at ?? .never, right.followedAt ?? .never)
    guard leftTimes == rightTimes else { return leftTimes < rightTimes }
    if left.at == nil, left.isDefault != right.isDefault { return left.isDefault }
    guard let leftValue = left.value else { return false }
    guard let rightValue = right.value else { return true }
    guard leftValue != rightValue else { return false }
    let (leftHash, rightHash) = (hash(leftValue.unstamped), hash(rightValue.unstamped))
    return leftHash == rightHash ? hash(leftValue) < hash(rightValue) : leftHash < rightHash
  }

  private static func hash(_ value: JSONValue) -> SHA256Digest { CanonicalContent.hash(of: value) }
}

extension JSONValue {
  /// A part without the members that say when it was stored.
  fileprivate var unstamped: JSONValue {
    if case .object(let object) = self { .object(CanonicalContent.unstamped(object)) } else { self }
  }
}

extension Instant {
  /// Before every time.
  fileprivate static let never = Instant(milliseconds: .min)
}
