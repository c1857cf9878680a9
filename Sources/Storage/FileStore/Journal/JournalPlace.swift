/// A journal file opened for reading; it stays readable, even once removed, while anything may still need it.
final class OpenJournal: Sendable {
  let descriptor: Descriptor
  private let fileSystem: any FileSystem

  init(_ descriptor: Descriptor, _ fileSystem: any FileSystem) {
    self.descriptor = descriptor
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(descriptor) }

  /// The bytes at `range`; fewer where the file ends earlier, or where reading fails.
  func contents(at range: Range<Int>) -> (bytes: [UInt8], failure: FileSystemError?) {
    fileSystem.contents(of: descriptor, from: range.lowerBound, size: range.count)
  }

  /// The transaction whose line was read at `range` before.
  ///
  /// - Throws: `storeUnavailable` when the line is no longer valid.
  func entry(at range: Range<Int>) throws(StoreError) -> JournalEntry {
    let (bytes, failure) = contents(at: range)
    if let failure { throw StoreError(reading: failure) }
    guard let entry = JournalEntry(checking: bytes[...]) else {
      throw StoreError(.storeUnavailable, "A line of the journal was damaged since it was read.", path: descriptor.path)
    }
    return entry
  }
}

/// The place of a transaction's line in a journal.
struct JournalPlace: Sendable {
  let journal: OpenJournal
  /// The range of the line, without the newline.
  let range: Range<Int>

  func entry() throws(StoreError) -> JournalEntry { try journal.entry(at: range) }
}
