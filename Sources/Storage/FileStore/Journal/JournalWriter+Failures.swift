/// The outcome of a batch, and rewriting lines whose outcome is in doubt.
extension JournalWriter {
  struct Outcome {
    /// The last durable revision, if any of the batch is durable.
    var durable: Int?
    /// Why the rest failed.
    var failure: StoreError?
    /// Whether no later write can succeed either.
    var isFinal = false
    /// Whether part of the reserve was used.
    var hasReleasedReserve = false
  }

  /// The error of a lost lock. The lines stay where they are, and the next reader applies them: in this process too,
  /// from the position before them.
  static func lostLock(_ path: String) -> StoreError {
    StoreError(
      .storeUnavailable, "The lock file was removed during the write; the change may or may not be stored.", path: path)
  }

  /// The lines before `place` that this process never synced, as they read now.
  ///
  /// - Throws: When they are not valid transactions, or are too many for readers to recognise as duplicates.
  func unproven(before place: JournalPosition) throws(FileSystemError) -> [UInt8] {
    let start = proven.file == place.file ? min(proven.offset, place.offset) : 0
    guard start < place.offset, let journal else { return [] }
    let name = JournalFile.name(place.file)
    let file = try fileSystem.openFile(name, in: journal, for: .reading)
    defer { fileSystem.close(file) }
    let (bytes, failure) = fileSystem.contents(of: file, from: start, size: place.offset - start)
    if let failure { throw failure }
    var lines: [UInt8] = []
    var (count, last) = (0, revision)
    bytes.withUnsafeBytes { buffer in
      _ = JournalScan(bytes: buffer).forEach { item, range in
        guard case .line(.transaction(let entry)) = item else { return }
        lines += bytes[range] + [UInt8(ascii: "\n")]
        (count, last) = (count + 1, entry.revision)
      }
    }
    guard last == revision, count <= JournalWriter.maximumRepeated else {
      throw FileSystemError(
        call: "pread", path: file.path, reason: .inputOutput, errno: 0,
        text: "the lines of other processes cannot be rewritten")
    }
    return lines
  }

  /// Readers recognise the last few thousand transactions as duplicates.
  private static let maximumRepeated = 2048
}
