/// One defect of a segment's file.
struct SegmentDamage: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    /// A line whose checksum does not match.
    case badChecksum
    /// A line with a valid checksum that is not a known kind of record.
    case unknownLine
    case tornEnd
    /// A repeated line, or an older version of a record in the same file.
    case duplicate
    /// A record of another month, or one with a day in an undated segment.
    case outsideMonth
    /// Two valid lines without a newline between them, or an extra newline.
    case brokenNewline
    /// The whole file is another segment.
    case foreignFile
    /// The whole file has a newer version's format.
    case newerFormat
    case tooLong

    /// There is no valid first line.
    case missingHeader
    /// There is no valid last line, so the file may have been longer.
    case missingFooter
    /// The first or last line does not match the records, or is in the wrong place.
    case wrongHeader
    case wrongFooter
    case missingRecords
    /// The hash of the bytes differs from that in the file or the manifest.
    case wrongHash
    /// The records were not in order; they were sorted.
    case outOfOrder
    /// The file is a valid segment, but not the one that the manifest names.
    case differsFromManifest

    /// Whether the bytes in the range belong to neither a record nor the first or last line. Used and unused bytes
    /// together make up the whole file.
    var isUnused: Bool {
      switch self {
      case .badChecksum, .unknownLine, .tornEnd, .duplicate, .outsideMonth, .brokenNewline, .foreignFile, .newerFormat,
        .tooLong:
        true
      default: false
      }
    }
  }

  var kind: Kind
  /// The range in the file, in bytes. Adjacent damage of one kind is merged.
  var range: Range<Int>
  var reason: String
}
