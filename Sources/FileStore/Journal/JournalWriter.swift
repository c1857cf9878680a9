import CivilTime
import JSON
import Values

/// Appends transactions to the journal; lives on the commit thread alone.
struct JournalWriter: Sendable {
  /// What became of a batch.
  struct Outcome {
    /// The last revision that is safe on disk, if any of the batch is.
    var durable: Int?
    /// Why the rest is not.
    var failure: StoreError?
    /// Whether no later write can work either.
    var isFinal = false
  }

  private let configuration: FileStore.Configuration
  private let identity: StoreIdentity
  private var folder: StoreFolder
  private var tail: Recovery.Tail
  private var current: (descriptor: Descriptor, file: JournalFile)?

  init(
    _ configuration: FileStore.Configuration, folder: StoreFolder, identity: StoreIdentity, tail: Recovery.Tail
  ) {
    self.configuration = configuration
    self.identity = identity
    self.folder = folder
    self.tail = tail
  }

  /// Closes the journal and gives the lock back.
  mutating func close() {
    closeCurrent()
    folder.close()
  }

  private mutating func closeCurrent() {
    if let current { folder.fileSystem.close(current.descriptor) }
    current = nil
  }

  /// Writes all lines with one call and synchronizes once.
  mutating func write(_ batch: [PendingLine]) -> Outcome {
    do throws(StoreError) { try makeReady() } catch { return Outcome(failure: error) }
    guard var open = current else {
      return Outcome(failure: StoreError(.storeUnavailable, "There is no journal to write to.", path: folder.path))
    }
    // What a crash or a full disk cut off is closed for good before anything follows it. Not earlier: as long as it has
    // no newline, everybody can see that it was never answered.
    var bytes = tail == .torn ? JournalWriter.healing : []
    var ends: [Int] = []
    bytes.reserveCapacity(batch.reduce(bytes.count) { $0 + $1.bytes.count })
    for line in batch {
      bytes += line.bytes
      ends.append(bytes.count)
    }
    let start = bytes.count - batch.reduce(0) { $0 + $1.bytes.count }
    let (count, failure) = folder.fileSystem.appendAll(bytes, to: open.descriptor)
    open.file.size += count
    current = open
    if count > 0 { tail = count == start || ends.contains(count) ? .whole : .torn }
    if let failure, failure.reason != .noSpace { return startOver(batch, failure) }

    // Lines that got in whole before the disk was full are there for the next reader, so they count.
    let whole = ends.prefix { $0 <= count }.count
    guard whole > 0 || failure == nil else { return Outcome(failure: failure.map { StoreError(writing: $0) }) }
    do throws(FileSystemError) {
      try folder.fileSystem.synchronizeFile(open.descriptor)
    } catch { return startOver(batch, error) }
    return Outcome(
      durable: whole > 0 ? batch[whole - 1].revision : nil, failure: failure.map { StoreError(writing: $0) })
  }

  private static let healing = Array("\(LineSuffix.torn)\n".utf8)

  /// After a failed write or sync nobody knows what is in the file, and trying again proves nothing: the same lines go
  /// into a new file. Readers drop what they then find twice.
  private mutating func startOver(_ batch: [PendingLine], _ cause: FileSystemError) -> Outcome {
    var reason = cause
    do throws(FileSystemError) {
      try startFile(sealing: false)
      if var open = current {
        let (count, failure) = folder.fileSystem.appendAll(batch.flatMap(\.bytes), to: open.descriptor)
        open.file.size += count
        current = open
        if let failure { throw failure }
        try folder.fileSystem.synchronizeFile(open.descriptor)
        return Outcome(durable: batch.last?.revision)
      }
    } catch { reason = error }
    closeCurrent()
    let error = StoreError(
      .storeReadOnly, "What was written could not be proven safe; the store can only be read now.",
      path: reason.path, systemText: reason.text,
      details: ["call": cause.call, "errno": String(cause.errno), "cause": cause.text])
    return Outcome(failure: error, isFinal: true)
  }

  /// Sees to it that the folder is there and a journal file is open that may take more.
  private mutating func makeReady() throws(StoreError) {
    if current == nil || folder.root == nil {
      try folder.prepare(
        identity: identity, temporaryName: "store.json.\(folder.fileSystem.processID).\(configuration.newID())",
        now: configuration.now())
    }
    do throws(FileSystemError) {
      guard let current else {
        guard let last = folder.files.last, let journal = folder.journal, tail != .unreadable else {
          try startFile(sealing: false)
          return
        }
        let descriptor = try folder.fileSystem.openFile(last.name, in: journal, for: .appending)
        self.current = (descriptor, last)
        return
      }
      if current.file.size >= configuration.journalSizeLimit { try startFile(sealing: tail == .whole) }
    } catch { throw StoreError(writing: error) }
  }

  /// Starts the next journal file and goes on there. The one before is sealed if it is in order; one whose sync failed
  /// is not touched again.
  private mutating func startFile(sealing: Bool) throws(FileSystemError) {
    guard let journal = folder.journal else { return }
    let names = try folder.fileSystem.names(in: journal)
    let number = (names.compactMap { JournalFile.number(of: $0) }.max() ?? 0) + 1
    let next = JournalFile(number: number, size: 0)
    let descriptor = try folder.fileSystem.createFile(next.name, in: journal)
    do throws(FileSystemError) {
      try folder.fileSystem.synchronizeDirectory(journal)
    } catch {
      folder.fileSystem.close(descriptor)
      throw error
    }
    if let current, sealing {
      // Only a courtesy to readers, who go by the numbers of the files: its failure harms nobody.
      let seal = JournalLine.seal(successor: next.name).bytes
      if folder.fileSystem.appendAll(seal, to: current.descriptor).failure == nil {
        try? folder.fileSystem.synchronizeFile(current.descriptor)
      }
    }
    closeCurrent()
    current = (descriptor, next)
    tail = .whole
  }
}
