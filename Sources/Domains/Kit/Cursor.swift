import CivilTime
import FileStore
import Values

/// The position of a page in a list, as opaque text for clients. It stays valid while records are added and deleted.
package struct Cursor {
  package let position: Position

  package init(position: Position) { self.position = position }

  /// Reads `v1.DAY.MILLISECONDS.ID`.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "v1", let milliseconds = Int64(parts[2]), let id = EntityID(String(parts[3]))
    else { return nil }
    var day: CivilDay?
    if !parts[1].isEmpty {
      day = CivilDay(String(parts[1]))
      if day == nil { return nil }
    }
    position = Position(day: day, createdAt: Instant(milliseconds: milliseconds), id: id)
  }

  package var text: String {
    "v1.\(position.day.map { "\($0)" } ?? "").\(position.createdAt.milliseconds).\(position.id)"
  }
}
