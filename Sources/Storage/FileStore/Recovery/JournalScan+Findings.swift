extension JournalScan {
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
