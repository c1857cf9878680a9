import DaybookProtocol

/// What identifies a row that states no id. Stored ids derive from it, so no derivation may ever change.
package enum RowIdentity: Sendable, Equatable {
  /// A key that no other row of the table has.
  case key(String)
  /// A key that several rows may have; the number of earlier ones tells them apart.
  case numbered(String)
  /// A key that rows share which may be versions of one, and a hash of the row's cells; the number of earlier rows with
  /// both tells equal rows apart. So a row finds what it became whatever the order and length of the table, and a
  /// changed one finds the versions of its key. Earlier versions numbered the rows, by the key `former` if it is given.
  case content(String, hash: UInt64, former: String?)

  /// The key.
  package var key: String {
    switch self {
    case .key(let key), .numbered(let key), .content(let key, _, _): key
    }
  }
}

/// Makes the identities of rows without an id.
package struct RowKeys: Sendable {
  private var ids: Set<EntityID> = []

  package init() {}

  /// The row of a draft; refused if an earlier row has the same id, which `field` states.
  ///
  /// - Parameters:
  ///   - key: What rows have in common that may be versions of one, such as the day and a name.
  ///   - former: The key in earlier versions, where it was another.
  ///   - content: The cells that make the draft, if not all of the row's; nil where key and number identify the row.
  package mutating func row<Draft>(
    _ draft: Draft, id: EntityID?, field: String = "id", key: [String], former: [String]? = nil, of table: [String],
    content: Content = .cells, _ reader: inout RowReader
  ) -> ImportedRow<Draft> {
    guard let id else {
      return ImportedRow(
        number: reader.row, content: .draft(draft), identity: identity(key, former, of: table, content, reader))
    }
    guard ids.insert(id).inserted else {
      reader.refuse(.repeatedId, field, "an earlier row has the same \(field)", allowed: "each \(field) once")
      return ImportedRow(number: reader.row, content: .refused)
    }
    return ImportedRow(number: reader.row, content: .draft(draft), id: id)
  }

  /// What makes the content of a row.
  package enum Content: Sendable {
    /// All its mapped cells.
    case cells
    case cell(String)
    /// Its key alone.
    case key
  }

  private func identity(
    _ parts: [String], _ former: [String]?, of table: [String], _ content: Content, _ reader: RowReader
  ) -> RowIdentity {
    func joined(_ parts: [String]) -> String { (table + parts).joined(separator: "\u{1F}") }
    let (key, former) = (joined(parts), former.map(joined))
    return switch content {
    case .key: .numbered(key)
    case .cells: .content(key, hash: reader.contentHash, former: former)
    case .cell(let text): .content(key, hash: RowReader.hash([("", text)]), former: former)
    }
  }
}

extension RowReader {
  /// A hash of the row's mapped cells, in any order of the columns.
  fileprivate var contentHash: UInt64 {
    RowReader.hash(mapping.columns.keys.sorted().compactMap { field in raw(field).map { (field, $0) } })
  }

  /// FNV-1a (Fowler, Noll, Vo), 64 bits: rows with one key are few, and rows with one hash still differ by their copies.
  fileprivate static func hash(_ cells: [(field: String, text: String)]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String, _ end: UInt8) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ UInt64(end)) &* 0x100_0000_01B3
    }
    for (field, cell) in cells {
      add(field, 0x1F)
      add(cell, 0x1E)
    }
    return hash
  }
}
