/// One thing about a segment's file that is not as it should be.
struct SegmentDamage: Sendable, Equatable {
  /// What kind of thing it is.
  enum Kind: String, Sendable, CaseIterable {
    /// A line whose checksum does not fit.
    case badChecksum
    /// A line whose checksum fits but which is no record we understand.
    case unknownLine
    /// The file ends in the middle of a line.
    case tornEnd
    /// A line is there again, or its record is there with a higher revision.
    case duplicate
    /// A record of another month, or one with a day among those that have none.
    case outsideMonth
    /// Two good lines without a newline between them, or a newline too many.
    case brokenNewline
    /// The whole file is another segment's.
    case foreignFile
    /// The whole file was written by a newer version, in a way this one does not understand.
    case newerFormat
    /// The whole file is too long to be read.
    case tooLong

    /// There is no first line that says what this is.
    case missingHeader
    /// There is no last line, so that the file may have been longer.
    case missingFooter
    /// What the first or the last line says does not fit the records, or it does not stand where it should.
    case wrongHeader
    case wrongFooter
    /// There are fewer records than there should be.
    case missingRecords
    /// The hash of the bytes is not the one that the file or the manifest has.
    case wrongHash
    /// Records do not stand in order; they were sorted.
    case outOfOrder
    /// The file is a good segment, but not the one that the manifest means.
    case differsFromManifest

    /// Whether the bytes of its range are neither a record's nor the first or last line's. All others are, so that what is
    /// used and what is not are together the whole file.
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
  /// Where in the file, in bytes. Neighbouring damage of one kind is one.
  var range: Range<Int>
  /// What exactly is wrong, for people.
  var reason: String
}
