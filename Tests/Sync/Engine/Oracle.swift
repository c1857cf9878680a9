import CivilTime
import FileStore
import JSON

@testable import SyncEngine

/// What every device must show in the end, from the pieces of all edits ever made; by code of its own.
struct Oracle {
  /// What a change did to one piece of a record.
  struct Piece {
    /// Nil for values that nobody chose.
    var at: Instant?
    /// What a person sees; nil if the piece was removed.
    var text: String?
    /// The canonical text, where it is another: it decides between equal times.
    var hashed: String?
    var isDefault = false
  }

  /// A record as a person sees it.
  enum View: Equatable {
    case deleted(Instant)
    case record(Instant, [String])
  }

  private struct Entity {
    var pieces: [String: Piece] = [:]
    var updatedAt: Instant?
    var deletedAt: Instant?
  }

  private var entities: [EntityKey: Entity] = [:]

  var keys: [EntityKey] { entities.keys.sorted() }

  mutating func note(edit key: EntityKey, at: Instant, _ pieces: [String: Piece]) {
    entities[key, default: Entity()].updatedAt = max(at, entities[key]?.updatedAt ?? at)
    for (name, piece) in pieces {
      let known = entities[key]?.pieces[name]
      if known.map({ Oracle.isLess($0, piece) }) ?? true { entities[key]?.pieces[name] = piece }
    }
  }

  mutating func note(deletionOf key: EntityKey, at: Instant) {
    entities[key, default: Entity()].deletedAt = max(at, entities[key]?.deletedAt ?? at)
  }

  private static func isLess(_ left: Piece, _ right: Piece) -> Bool {
    if left.at != right.at {
      guard let leftTime = left.at, let rightTime = right.at else { return left.at == nil }
      return leftTime < rightTime
    }
    if left.at == nil, left.isDefault != right.isDefault { return left.isDefault }
    if (left.text == nil) != (right.text == nil) { return right.text == nil }
    func hash(_ piece: Piece) -> String {
      Array((piece.hashed ?? piece.text ?? "").utf8).withUnsafeBytes { "\(SHA256.hash($0))" }
    }
    return hash(left) < hash(right)
  }

  func view(_ key: EntityKey) -> View? {
    guard let entity = entities[key] else { return nil }
    if let deleted = entity.deletedAt, entity.updatedAt.map({ $0 <= deleted }) ?? true { return .deleted(deleted) }
    guard let updated = entity.updatedAt else { return nil }
    let alive = entity.pieces.filter { $0.value.text != nil }
    var shown = alive.filter { !$0.key.hasPrefix("part:") && $0.key != "order" && !$0.value.isDefault }
      .map { "\($0.key)=\($0.value.text ?? "")" }.sorted()
    let order = (alive["order"]?.text ?? "").split(separator: ",").map(String.init)
    let parts = alive.filter { $0.key.hasPrefix("part:") }.map { (id: String($0.key.dropFirst(5)), piece: $0.value) }
    let ordered = order.filter { id in parts.contains { $0.id == id } }
    let others = parts.filter { !ordered.contains($0.id) }
      .sorted { ($0.piece.at ?? updated, $0.id) < ($1.piece.at ?? updated, $1.id) }.map(\.id)
    for id in ordered + others { shown.append("part:\(id)=\(alive["part:\(id)"]?.text ?? "")") }
    return .record(updated, shown)
  }
}
