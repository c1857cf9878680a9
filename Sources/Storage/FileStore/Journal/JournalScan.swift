import JSON

/// Scans the bytes of a journal file line by line, valid or not.
struct JournalScan {
  /// What was found at a range of the file.
  enum Item {
    case line(JournalLine)
    case finding(Finding.Kind, String)
  }

  let bytes: UnsafeRawBufferPointer

  /// Passes on every complete line and finding in order of offset; returns the end of the last complete line. A last
  /// line that lacks only its newline is complete.
  func forEach(_ body: (Item, Range<Int>) -> Void) -> Int {
    var start = 0
    while let end = newline(from: start) {
      if end > start { scan(start..<end, body) }
      start = end + 1
    }
    guard start < bytes.count, LineSuffix.isValid(slice(start..<bytes.count)) else { return start }
    read(start..<bytes.count, body)
    return bytes.count
  }

  /// The offset of the next newline. It must be fast: an import is one line of many megabytes that every process
  /// scans.
  private func newline(from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = LineScan.newline(base, from: start, to: bytes.count)
    return end < bytes.count ? end : nil
  }

  /// Scans the text between two newlines.
  private func scan(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    if LineSuffix.isValid(slice(range)) {
      read(range, body)
      return
    }
    let left = LineSalvage.split(bytes, range) { line, gap in
      read(line, body)
      if let gap { body(.finding(.brokenNewline, "two lines run together"), gap) }
    }
    guard let rest = left else { return }
    if let line = lineBehindRubbish(rest) {
      body(.finding(.damagedLine, "the previous line and its newline are damaged"), rest.lowerBound..<line)
      read(line..<range.upperBound, body)
      return
    }
    if slice(rest).endsIn(LineSuffix.torn) {
      body(.finding(.healedTear, "a line that was cut off while it was written"), rest)
    } else {
      body(.finding(.damagedLine, "the checksum does not match"), rest)
    }
  }

  /// Parses a line with a valid checksum.
  private func read(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    do throws(JSONError) { body(.line(try JournalLine(reading: slice(range))), range) } catch {
      body(.finding(.unknownLine, error.description), range)
    }
  }

  /// The start of a good line that ends the range; what precedes it lost its newline, like the zeros left by a failed
  /// sync and a power cut.
  private func lineBehindRubbish(_ range: Range<Int>) -> Int? {
    let opening: StaticString = "{\"seq\":"
    var at = range.lowerBound
    while let brace = bytes[at..<range.upperBound].firstIndex(of: UInt8(ascii: "{")) {
      let line = slice(brace..<range.upperBound)
      if brace > range.lowerBound, line.hasText(opening), LineSuffix.isValid(line) { return brace }
      at = brace + 1
    }
    return nil
  }

  private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  /// All findings of one journal file on its own, with the sequence numbers around them; gaps between journals are not
  /// included.
  ///
  /// - Parameters:
  ///   - size: The file's size, of which `bytes` is the readable part.
  ///   - failure: Why the rest could not be read.
  static func findings(in bytes: [UInt8], of name: String, size: Int, failure: FileSystemError?) -> [Finding] {
    var report = RecoveryReport()
    var sequence = 0
    func note(_ kind: Finding.Kind, _ range: Range<Int>, _ reason: String) {
      report.note(Finding(kind, StoreFolder.Name.journal + "/" + name, at: range, after: sequence, reason))
    }
    let end = bytes.withUnsafeBytes { file in
      JournalScan(bytes: file).forEach { item, range in
        switch item {
        case .line(.transaction(let entry)):
          sequence = entry.revision
          report.reached(sequence)
        case .line(.seal): break
        case .finding(let kind, let reason): note(kind, range, reason)
        }
      }
    }
    if end < bytes.count { note(.tornTail, end..<bytes.count, "the line is incomplete") }
    if let failure { note(.unreadableRange, bytes.count..<max(size, bytes.count), failure.description) }
    return report.findings
  }
}
