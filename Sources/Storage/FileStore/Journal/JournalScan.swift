import JSON

/// Goes through bytes of a journal file that begin with a line, line by line, valid or not.
struct JournalScan {
  /// What was found at a range of the file.
  enum Item {
    case line(JournalLine)
    case finding(Finding.Kind, String)
  }

  let bytes: UnsafeRawBufferPointer

  /// Hands out everything that is complete, in order of offsets; returns where the last complete line ends.
  func forEach(_ body: (Item, Range<Int>) -> Void) -> Int {
    var start = 0
    while let end = newline(from: start) {
      if end > start { scan(start..<end, body) }
      start = end + 1
    }
    return start
  }

  /// The offset of the next newline. An import is one line of many megabytes, and every process on the folder looks for its end.
  private func newline(from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = LineScan.newline(base, from: start, to: bytes.count)
    return end < bytes.count ? end : nil
  }

  /// Looks at what stands between two newlines.
  private func scan(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    if LineSuffix.isValid(slice(range)) {
      read(range, body)
      return
    }
    let left = LineSalvage.split(bytes, range) { line, gap in
      read(line, body)
      if let gap { body(.finding(.brokenNewline, "two lines run into one"), gap) }
    }
    guard let rest = left else { return }
    if let line = lineBehindRubbish(rest) {
      body(.finding(.damagedLine, "the line before it was lost with its end"), rest.lowerBound..<line)
      read(line..<range.upperBound, body)
      return
    }
    if slice(rest).endsIn(LineSuffix.torn) {
      body(.finding(.healedTear, "a line that was cut off while it was written"), rest)
    } else {
      body(.finding(.damagedLine, "the checksum does not fit"), rest)
    }
  }

  /// Reads a line whose checksum fits.
  private func read(_ range: Range<Int>, _ body: (Item, Range<Int>) -> Void) {
    do throws(JSONError) { body(.line(try JournalLine(reading: slice(range))), range) } catch {
      body(.finding(.unknownLine, error.description), range)
    }
  }

  /// Where a good line begins that ends the range; what stands before it lost its newline, as the zeros do that a failed sync
  /// and a power cut leave.
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

  /// Everything in a journal's bytes that is no good line, with the sequence numbers around it, as it stands in the file by
  /// itself: without what only others could tell, such as gaps to the journal before.
  ///
  /// - Parameters:
  ///   - size: The file's length, of which `bytes` is what could be read.
  ///   - failure: Why not all of it.
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
    if end < bytes.count { note(.tornTail, end..<bytes.count, "the line has no end") }
    if let failure { note(.unreadableRange, bytes.count..<max(size, bytes.count), failure.description) }
    return report.findings
  }
}
