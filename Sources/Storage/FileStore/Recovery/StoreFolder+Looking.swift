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
