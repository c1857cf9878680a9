import CivilTime

extension StoreFolder {
  /// The sequence number of the last line of the last journal; nil unless that line is complete and valid.
  func lastRevision() -> Int? {
    (try? journalNumbers().last).flatMap { lastRevision(of: $0) }
  }

  /// The same for a journal with that number.
  func lastRevision(of number: Int) -> Int? {
    guard let (bytes, isAll) = tail(of: number, size: 16 << 10), bytes.last == UInt8(ascii: "\n") else { return nil }
    let start = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? (isAll ? 0 : nil)
    guard let start else { return nil }
    return bytes[start..<(bytes.count - 1)].withUnsafeBytes { line in
      LineSuffix.isValid(line) ? JournalEntry.revision(of: line) : nil
    }
  }

  /// When the latest transaction was made, by the clock of that time; nil when the ends of the journals do not show
  /// it.
  func lastChange() -> Instant? {
    for number in ((try? journalNumbers()) ?? []).suffix(3).reversed() {
      guard let (bytes, _) = tail(of: number, size: 64 << 10) else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
        if let entry = JournalEntry(checking: line) { return entry.transaction.at }
      }
    }
    return nil
  }

  /// The last bytes of a journal, and whether they are the whole file; nil when unreadable.
  private func tail(of number: Int, size: Int) -> (bytes: [UInt8], isAll: Bool)? {
    guard let journal, let file = try? openTrusted(JournalFile.name(number), in: journal, .file) else { return nil }
    defer { fileSystem.close(file.descriptor) }
    let count = min(file.status.size, size)
    let (bytes, failure) = fileSystem.contents(of: file.descriptor, from: file.status.size - count, size: count)
    return failure == nil ? (bytes, count == file.status.size) : nil
  }

  /// Counts the files and bytes of segments and journals.
  func tally(_ health: inout StoreHealth) throws(StoreError) {
    var segments = StoreHealth.Tally()
    try SegmentFiles.forEachFile(in: self) { collection, name, directory, _ throws(FileSystemError) in
      guard !collection.isOfDigests else { return }
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
