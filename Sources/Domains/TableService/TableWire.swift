import DaybookProtocol
import Tables
import Values

extension TableOutcome {
  /// The wire form.
  package var wire: (outcome: TableRowOutcome, id: EntityID?, differs: [String]?) {
    switch self {
    case .new(let id): (.new, id, nil)
    case .present(let id, _): (.present, id, nil)
    case .different(let id, let names, _): (.different, id, names)
    case .ignored: (.ignored, nil, nil)
    case .refused: (.refused, nil, nil)
    }
  }
}

extension ImportedTable {
  /// The wire form of its columns.
  package var columns: [TableColumn] {
    mapping.headers.enumerated().map { index, header in
      TableColumn(number: index + 1, header: header.text, field: mapping.field(at: index))
    }
  }

  /// The wire form of its delimiter.
  package var delimiterText: String { String(decoding: [delimiter], as: UTF8.self) }
}
