import Values

extension SegmentScan {
  /// Salvages the text between two newlines, or after the last one, that is no valid line as a whole.
  mutating func salvage(_ file: UnsafeRawBufferPointer, _ start: Int, _ end: Int) {
    guard let base = file.baseAddress else { return }
    let left = LineSalvage.split(file, start..<end) { line, gap in
      readLine(base, line.lowerBound, line.upperBound, next: gap == nil ? min(end + 1, file.count) : line.upperBound)
      if let gap { note(.brokenNewline, gap, "two lines run together") }
    }
    guard let start = left?.lowerBound else {
      if end == file.count { note(.brokenNewline, end..<end, "the last line has no newline") }
      return
    }
    if end == file.count {
      let isZero = file[start...].allSatisfy { $0 == 0 }
      note(.tornEnd, start..<end, isZero ? "zeros at the end" : "the last line is incomplete")
    } else if start == end {
      note(.brokenNewline, start..<end + 1, "an empty line")
    } else {
      note(.badChecksum, start..<end + 1, "the checksum does not match")
    }
  }

  /// Sorts the records and keeps the highest revision of each. To be called once, when anything is wrong with the
  /// file.
  mutating func sort(_ file: UnsafeRawBufferPointer) {
    let found = lines.compactMap { line in record(line, file).map { (line, $0) } }
    var best: [EntityID: (line: SegmentLine, record: RecordLine)] = [:]
    for (line, record) in found {
      guard let other = best.updateValue((line, record), forKey: record.id) else { continue }
      var dropped = other.line
      if other.record.revision >= record.revision {
        best[record.id] = other
        dropped = line
      }
      odd[dropped.start] = nil
      let end = Int(dropped.end)
      // A missing newline belongs to no line.
      let hasNewline = end < file.count && file[end] == UInt8(ascii: "\n")
      note(.duplicate, Int(dropped.start)..<(hasNewline ? end + 1 : end), "record \(record.id) occurs again")
    }
    guard !isOrdered || best.count < lines.count else { return }
    lines = best.values.sorted { $0.record.position < $1.record.position }.map(\.line)
    if !zip(lines, lines.dropFirst()).allSatisfy({ $0.start < $1.start }) {
      note(.outOfOrder, file.count..<file.count, "the records were not in order")
    }
    minRevision = best.values.map(\.record.revision).min() ?? 0
    maxRevision = best.values.map(\.record.revision).max() ?? 0
  }

  /// Compares the header and footer with the records, and both with the manifest.
  mutating func compare(_ file: UnsafeRawBufferPointer, _ entry: SegmentEntry?, checksHash: Bool) {
    let end = file.count..<file.count
    if let header, header.format > SegmentHeader.currentFormat {
      disown(.newerFormat, file.count, "it has format \(header.format)")
      return
    }
    if let header, header.key != key {
      disown(.foreignFile, file.count, "it claims to be \(header.key)")
      return
    }
    compareHeader()
    compareFooter(end)
    if checksHash { compareHashes(file, entry) }
    if let expected, expected > lines.count {
      note(.missingRecords, end, "it has \(lines.count) of \(expected) records")
    }
    guard let entry else { return }
    if entry.bytes != file.count || entry.count != lines.count || entry.minRevision != minRevision
      || entry.maxRevision != maxRevision || (header.map { $0.generation != entry.generation } ?? false)
    {
      note(.differsFromManifest, end, "the manifest has \(entry.count) records in \(entry.bytes) bytes")
    }
  }

  private mutating func compareHeader() {
    guard let header else {
      note(.missingHeader, 0..<0, "there is no valid first line")
      return
    }
    let start = headerStart..<headerStart
    if headerStart != 0 { note(.wrongHeader, start, "it is not the first line") }
    if header.count != lines.count || header.minRevision != minRevision || header.maxRevision != maxRevision {
      note(.wrongHeader, start, "it has \(header.count) records up to revision \(header.maxRevision)")
    }
  }

  private mutating func compareFooter(_ end: Range<Int>) {
    guard let footer else {
      note(.missingFooter, end, "there is no valid last line")
      return
    }
    if footer.bytes != footerStart || footer.count != lines.count {
      note(.wrongFooter, footerStart..<footerStart, "it has \(footer.count) records in \(footer.bytes) bytes")
    }
  }

  private mutating func compareHashes(_ file: UnsafeRawBufferPointer, _ entry: SegmentEntry?) {
    let end = file.count..<file.count
    var hash = SHA256()
    if let footer {
      hash.update(UnsafeRawBufferPointer(rebasing: file[..<footerStart]))
      if hash.finish() != footer.sha256 {
        note(.wrongHash, footerStart..<footerStart, "the hash of what precedes the last line does not match")
      }
    }
    hash.update(UnsafeRawBufferPointer(rebasing: file[(footer == nil ? 0 : footerStart)...]))
    let found = hash.finish()
    if let entry, found != entry.sha256 { note(.wrongHash, end, "the hash of the file differs from the manifest's") }
    fileHash = found
  }

  /// Records that nothing of the file may be used here.
  private mutating func disown(_ kind: SegmentDamage.Kind, _ count: Int, _ reason: String) {
    lines = []
    odd = [:]
    (minRevision, maxRevision) = (0, 0)
    damage = [SegmentDamage(kind: kind, range: 0..<count, reason: reason)]
  }

  /// Reads again the line of a record that was accepted before.
  private func record(_ line: SegmentLine, _ file: UnsafeRawBufferPointer) -> RecordLine? {
    if let record = odd[line.start] { return record }
    guard let base = file.baseAddress else { return nil }
    return layout.read(base + Int(line.start), count: Int(line.end - line.start))
  }
}
