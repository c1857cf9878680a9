import Values

extension SegmentLoader {
  /// An older generation of a month with what the journals tell that happened to the month since, so that nothing comes back that
  /// was moved or deleted.
  func replaying(_ old: Segment, _ journals: [Manifest.HistoryEntry], upTo revision: Int) -> Segment {
    var latest: [EntityID: Record?] = [:]
    for journal in journals {
      for entry in transactions(of: journal.number) where entry.revision <= revision {
        for operation in entry.transaction.operations where operation.collection == old.key.collection {
          latest[operation.id] = .some(operation.record(revision: entry.revision))
        }
      }
    }
    var records: [Record] = []
    for index in 0..<old.count {
      let record = old.record(at: index)
      // What is not newer than the line that was read has been changed by it.
      guard latest[record.id] == nil else { continue }
      records.append(record)
    }
    for case .some(let record) in latest.values where MonthKey(record.day) == old.key.month { records.append(record) }
    records.sort { $0.position < $1.position }
    var writer = SegmentWriter(old.key, generation: 1, expectedBytes: old.bytes.count)
    for record in records { try? writer.append(record) }
    return Segment.load(writer.finish().bytes, key: old.key)
  }

  /// The transactions of an older journal that can be read.
  private func transactions(of number: Int) -> [JournalEntry] {
    guard let journal, let file = try? fileSystem.openFile(JournalFile.name(number), in: journal, for: .reading) else {
      return []
    }
    defer { fileSystem.close(file) }
    guard let status = try? fileSystem.status(of: file) else { return [] }
    var entries: [JournalEntry] = []
    fileSystem.contents(of: file, size: min(status.size, 1 << 30)).bytes.withUnsafeBytes { bytes in
      _ = JournalScan(bytes: bytes).forEach { item, _ in
        if case .line(.transaction(let entry)) = item { entries.append(entry) }
      }
    }
    return entries
  }
}
