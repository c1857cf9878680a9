import CivilTime

extension StoreFolder {
  /// Counts the files of segments and journals.
  func tally(_ health: inout StoreHealth) throws(StoreError) {
    var segments = StoreHealth.Tally()
    try SegmentFiles.forEachFile(in: self) { name, directory, _ throws(FileSystemError) in
      segments.files += 1
      segments.bytes += (try? fileSystem.status(of: name, in: directory).size) ?? 0
    }
    health.segments = segments
    guard let journal else { return }
    for number in try journalNumbers() {
      health.journals.files += 1
      health.journals.bytes += (try? fileSystem.status(of: JournalFile.name(number), in: journal).size) ?? 0
    }
  }

  /// Bytes at the end of a journal in which its last transaction is looked for.
  private static let tail = 64 << 10

  /// When the latest transaction was made, by the clock of that time; nil when the ends of the journals do not tell.
  func lastChange() -> Instant? {
    guard let journal, let numbers = try? journalNumbers() else { return nil }
    for number in numbers.suffix(3).reversed() {
      guard let file = try? openTrusted(JournalFile.name(number), in: journal, .file) else { continue }
      defer { fileSystem.close(file.descriptor) }
      let count = min(file.status.size, StoreFolder.tail)
      let bytes = fileSystem.contents(of: file.descriptor, from: file.status.size - count, size: count).bytes
      for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
        let entry = line.withUnsafeBytes { line -> JournalEntry? in
          guard LineSuffix.isValid(line), case .transaction(let entry)? = try? JournalLine(reading: line) else {
            return nil
          }
          return entry
        }
        if let entry { return entry.transaction.at }
      }
    }
    return nil
  }
}

extension Quarantine {
  /// What would be listed of findings that were not set aside yet, with the records they speak of. Writes nothing.
  func suspects(_ findings: [Finding]) -> [QuarantineEntry] {
    var files: [String: [Finding]] = [:]
    for finding in findings where finding.kind.hasBytes && finding.kind.isLossPossible {
      files[finding.file, default: []].append(finding)
    }
    return files.flatMap { file, findings -> [QuarantineEntry] in
      guard let source = try? open(file) else { return [] }
      defer { source.close(folder.fileSystem) }
      return entries(findings, contents(source).bytes, .max)
    }
  }
}
