/// Compares the findings that a store reported with the change made.
struct DamageReport {
  private let driver: any StoreDriver
  private let findings: [LabFinding]

  init(_ driver: any StoreDriver, findings: [LabFinding]) {
    self.driver = driver
    self.findings = findings
  }

  /// I5: the change is reported at its place.
  func check(
    _ file: String, _ original: [UInt8], _ mutation: FileMutator.Mutation, _ role: LabFileRole
  ) throws(Violation) {
    let newline = UInt8(ascii: "\n")
    if case .journal = role {
      // If a journal ends in a whole line, nobody can tell that there was more; empty lines do not matter.
      let isPrefix = mutation.bytes.count < original.count && original.starts(with: mutation.bytes)
      if isPrefix, mutation.bytes.isEmpty || mutation.bytes.last == newline { return }
      if mutation.bytes.split(separator: newline) == original.split(separator: newline) { return }
      if isRepetition(mutation.bytes, of: original) { return }
    }
    // A loss without a trace shows as a gap before the next line, wherever that is.
    if mutation.bytes.count < original.count, findings.contains(where: \.isLossPossible) { return }
    // Reordered lines are all there; reporting that is enough.
    if mutation.isReordered, findings.contains(where: { $0.file == file }) { return }
    let hit = (mutation.range.lowerBound - 1)...(mutation.range.upperBound + 1)
    let isReported = findings.contains {
      $0.file == file && hit.overlaps($0.range.lowerBound...max($0.range.upperBound, $0.range.lowerBound))
    }
    if !isReported { throw Violation("I5", "\(mutation.range) is not reported; findings: \(findings)") }
  }

  /// Whether all lines are still there, those with transactions in order and once.
  private func isRepetition(_ changed: [UInt8], of original: [UInt8]) -> Bool {
    let (before, after) = (original.wholeLines, changed.wholeLines)
    func transactions(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
      lines.filter { driver.transaction(inLine: $0) != nil }
    }
    return transactions(before) == transactions(after) && Set(before) == Set(after) && changed.last == original.last
  }
}
