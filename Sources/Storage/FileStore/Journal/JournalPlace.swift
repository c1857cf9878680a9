import Values

/// A journal file that was opened to be read: it is there, even removed, as long as somebody may want to read on in it.
final class OpenJournal: Sendable {
  let descriptor: Descriptor
  private let fileSystem: any FileSystem

  init(_ descriptor: Descriptor, _ fileSystem: any FileSystem) {
    self.descriptor = descriptor
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(descriptor) }

  /// What stands there; less where the file ends before, or cannot be read.
  func bytes(at range: Range<Int>) -> [UInt8] { contents(at: range).bytes }

  private func contents(at range: Range<Int>) -> (bytes: [UInt8], failure: FileSystemError?) {
    fileSystem.contents(of: descriptor, from: range.lowerBound, size: range.count)
  }

  /// The transaction that a range of it told of when it was read first.
  ///
  /// - Throws: `storeUnavailable` when it does not read as that any more.
  func entry(at range: Range<Int>) throws(StoreError) -> JournalEntry {
    let (bytes, failure) = contents(at: range)
    if let failure { throw StoreError(reading: failure) }
    guard let entry = JournalEntry(checking: bytes[...]) else {
      throw StoreError(.storeUnavailable, "A line of the journal was damaged since it was read.", path: descriptor.path)
    }
    return entry
  }
}

/// Where a journal tells of a transaction.
struct JournalPlace: Sendable {
  let journal: OpenJournal
  /// Its line there, without the newline.
  let range: Range<Int>

  func entry() throws(StoreError) -> JournalEntry { try journal.entry(at: range) }
}
