import Values

/// What a row of a table can come to.
package protocol ImportedContent: Sendable, Equatable {
  /// It has nothing that is imported.
  static var ignored: Self { get }
  /// It cannot be used.
  static var refused: Self { get }
}

/// A row that was read.
package struct ImportedRow<Content: ImportedContent>: Sendable, Equatable {
  /// The row as a spreadsheet counts.
  package let number: Int
  package let content: Content
  /// The identity that it states.
  package let id: EntityID?
  /// What tells it from all other rows, and is the same whenever the same table, or a longer one of the same things, is read. Empty
  /// when it states an identity, or comes to nothing.
  package let key: String

  package init(number: Int, content: Content, id: EntityID? = nil, key: String = "") {
    self.number = number
    self.content = content
    self.id = id
    self.key = key
  }
}

/// The rows of a table that was read, and what is wrong with them.
package struct ImportedRows<Content: ImportedContent>: Sendable {
  package private(set) var list: [ImportedRow<Content>] = []
  /// How many rows come to nothing, and how many cannot be used.
  package private(set) var ignored = 0
  package private(set) var refused = 0
  /// What is wrong with them: all problems of the first rows.
  package private(set) var problems: [CellProblem] = []

  package init() {}

  package mutating func add(_ row: ImportedRow<Content>, _ found: [CellProblem]) {
    list.append(row)
    if row.content == .ignored {
      ignored += 1
    } else if row.content == .refused {
      refused += 1
      problems += found.prefix(CellProblem.mostTold - problems.count)
    }
  }
}

/// Tells rows apart that state no identity, by what they are of and how many alike came before.
package struct RowKeys: Sendable {
  /// How many rows had a key so far.
  private var occurrences: [String: Int] = [:]
  /// The rows' ids so far.
  private var ids: Set<EntityID> = []

  package init() {}

  /// Whether an identity was not there before.
  package mutating func insert(_ id: EntityID) -> Bool { ids.insert(id).inserted }

  /// The key of the next row that is of these parts; `table` comes before them.
  package mutating func key(_ table: [String], _ parts: [String]) -> String {
    let key = parts.joined(separator: "\u{1F}")
    let before = occurrences[key, default: 0]
    occurrences[key] = before + 1
    return (table + [key, String(before)]).joined(separator: "\u{1F}")
  }
}
