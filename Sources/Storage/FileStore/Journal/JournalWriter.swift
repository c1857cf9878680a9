/// Appends transactions to the journal under the folder's lock; used on the commit thread.
struct JournalWriter: Sendable {
  let fileSystem: any FileSystem
  private let sizeLimit: Int
  /// Where the current window began; nil before the first.
  var window: WindowStart?
  private var folder: StoreFolder? { window?.folder }
  var journal: Descriptor? { folder?.journal }
  private var hasLostLock: Bool { folder?.hasLostLock ?? false }
  var current: (descriptor: Descriptor, number: Int)?
  private var mark = LatestMarkWriter()
  /// Writes the copies that are synced instead of the journal where possible.
  private var ahead: AheadWriter
  /// The journal's end as far as this writer knows: after the last line that counts.
  var position: JournalPosition?
  /// Where other processes wrote in this window although this process held the lock.
  private var unread: JournalPosition?
  /// The revision of the last line before `position`.
  private(set) var revision = 0
  /// The position up to which this writer has synced a file.
  private(set) var proven = (file: 0, offset: 0)
  /// Whether the folder's preparation was finished since it was opened.
  private var isFolderReady = false
  /// The file whose sync failed: another sync would prove nothing.
  private var doubtful: Int?
  /// Where the owner continues reading: after this writer's lines, or before what others wrote meanwhile.
  var readPosition: JournalPosition? { unread ?? position }

  init(_ fileSystem: any FileSystem, sizeLimit: Int, ahead: AheadWriter = AheadWriter(size: 0, threshold: 0)) {
    self.fileSystem = fileSystem
    self.sizeLimit = sizeLimit
    self.ahead = ahead
  }

  mutating func close() {
    if let current { fileSystem.close(current.descriptor) }
    current = nil
    mark.close(fileSystem)
    ahead.close(fileSystem)
  }

  /// Continues at the start of a window: others may have written since the last one.
  mutating func resume(at start: WindowStart) {
    if start.opening != window?.opening {
      close()
      // The numbers may now name another store's journals.
      (proven, doubtful) = ((0, 0), nil)
      isFolderReady = false
    }
    window = start
    position = start.position
    revision = start.revision
    unread = nil
  }

  /// Writes all lines with one call and syncs once, which also proves what others wrote before them. On a full disk
  /// deletions may use the reserve.
  mutating func write(_ batch: [PendingLine]) -> Outcome {
    var hasReleased = false
    var outcome = append(batch, &hasReleased)
    // The unused rest is reserved again, or another process's additions would take it.
    if hasReleased, let size = window?.reserveSize { window?.folder.keepReserve(size) }
    outcome.hasReleasedReserve = hasReleased
    if let durable = outcome.durable, let folder { mark.note(durable, in: folder) }
    return outcome
  }

  private mutating func append(_ batch: [PendingLine], _ hasReleased: inout Bool) -> Outcome {
    let writes = batch.contains { !$0.bytes.isEmpty }
    do throws(FileSystemError) { try makeReady(toWrite: writes) } catch {
      return Outcome(failure: StoreError(writing: error))
    }
    guard let open = current, var place = position else {
      return Outcome(failure: StoreError(.storeUnavailable, "There is no journal to write to."))
    }
    if doubtful == place.file {
      let cause = FileSystemError(
        call: "fdatasync", path: open.descriptor.path, reason: .inputOutput, errno: 0, text: "an earlier sync failed")
      return startOver(batch, cause, after: place)
    }
    let healing = writes ? place.tail.healing : []
    var ends: [Int] = []
    for line in batch { ends.append((ends.last ?? healing.count) + line.bytes.count) }
    var bytes = batch.first?.bytes ?? []
    // A single line may be large, so it is not copied.
    if batch.count > 1 || !healing.isEmpty {
      bytes = healing
      bytes.reserveCapacity(ends[batch.count - 1])
      for line in batch { bytes += line.bytes }
    }
    var (count, failure) = fileSystem.appendAll(bytes, to: open.descriptor)
    while failure?.reason == .noSpace, batch.contains(where: \.isDeletion),
      folder?.releaseReserve(for: .deletions) == true
    {
      hasReleased = true
      let rest = fileSystem.appendAll(Array(bytes[count...]), to: open.descriptor)
      (count, failure) = (count + rest.count, rest.failure)
    }
    if let failure, failure.reason != .noSpace { return startOver(batch, failure, after: place) }

    // Where locks do not work, another process may have written in between.
    if failure == nil, let size = try? fileSystem.status(of: open.descriptor).size, size != place.size + count {
      let cause = FileSystemError(
        call: "write", path: open.descriptor.path, reason: .other, errno: 0,
        text: "another process wrote at the same time")
      unread = unread ?? place
      return startOver(batch, cause, after: place)
    }

    // Another lock holder may have closed and folded this journal. A process that takes the lock after this point finds
    // what was written.
    if count > 0, hasLostLock { return Outcome(failure: JournalWriter.lostLock(open.descriptor.path)) }

    // Complete lines written before the disk was full are visible to the next reader, so they count; the last one even
    // without its newline.
    let whole = ends.prefix { $0 - 1 <= count }.count
    let counting = whole > 0 ? min(ends[whole - 1], count) : count >= healing.count ? healing.count : 0
    let isClosed = whole == 0 || ends[whole - 1] <= count
    let before = place
    place.size = before.size + count
    if counting > 0 { place.offset = before.size + counting }
    if count > 0 { place.tail = counting < count ? .torn : isClosed ? .whole : .unclosed }
    position = place
    guard whole > 0 || failure == nil else { return Outcome(failure: failure.map { StoreError(writing: $0) }) }
    // Only for a single line: of several that overwrite others, a power cut may keep the last and not the first.
    let isSaved =
      batch.count == 1 && writes && failure == nil && healing.isEmpty && save(bytes, from: before, to: place)
    if !isSaved {
      do throws(FileSystemError) { try fileSystem.synchronizeFile(open.descriptor) } catch {
        doubtful = before.file
        return startOver(batch, error, after: before)
      }
      proven = (place.file, place.offset)
      ahead.countSync()
    }
    if whole > 0 { revision = batch[whole - 1].revision }
    return Outcome(durable: whole > 0 ? revision : nil, failure: failure.map { StoreError(writing: $0) })
  }

  /// Makes the line just appended durable without syncing the journal; false if that is not possible.
  private mutating func save(_ line: [UInt8], from start: JournalPosition, to place: JournalPosition) -> Bool {
    guard let window else { return false }
    let isProven = proven == (start.file, start.offset)
    return ahead.save(line, from: start, to: place, isProven: isProven, after: revision, in: window)
  }

  /// After a failed write or sync the file's content is unknown, and retrying proves nothing: the same lines go into a
  /// new file, preceded by others' lines that this process never synced. Readers drop the duplicates.
  private mutating func startOver(_ batch: [PendingLine], _ cause: FileSystemError, after place: JournalPosition)
    -> Outcome
  {
    var reason = cause
    do throws(FileSystemError) {
      let bytes = try unproven(before: place) + batch.flatMap(\.bytes)
      try startFile(sealing: false)
      if let current {
        let (_, failure) = fileSystem.appendAll(bytes, to: current.descriptor)
        if let failure { throw failure }
        if hasLostLock {
          close()
          position = place
          return Outcome(failure: JournalWriter.lostLock(cause.path))
        }
        try fileSystem.synchronizeFile(current.descriptor)
        position = JournalPosition(file: current.number, offset: bytes.count, size: bytes.count, tail: .whole)
        proven = (current.number, bytes.count)
        revision = batch.last?.revision ?? revision
        return Outcome(durable: revision)
      }
    } catch { reason = error }
    let made = current?.number
    close()
    position = place
    // Whether this process's own changes are stored is unknown, as the file may hold them; a proof stores nothing.
    guard batch.contains(where: { !$0.bytes.isEmpty }) else {
      if let journal, let made, made != place.file {
        // The new file holds only copies, which after a crash would look like answered lines.
        try? fileSystem.unlink(JournalFile.name(made), in: journal)
        try? fileSystem.synchronizeDirectory(journal)
      }
      return Outcome(failure: StoreError(writing: reason))
    }
    let error = StoreError(
      .storeReadOnly,
      "The disk did not confirm the write: the change may have been stored. The store is now read-only.",
      path: reason.path,
      systemText: reason.text,
      details: [
        "call": cause.call, "errno": String(cause.errno), "cause": cause.text, StoreError.outcome: StoreError.unknown,
      ])
    return Outcome(failure: error, isFinal: true)
  }

  /// Opens the current journal file, or starts a new one if it cannot take the lines to write.
  private mutating func makeReady(toWrite writes: Bool) throws(FileSystemError) {
    guard let journal else { return }
    if !isFolderReady {
      try window?.folder.finishPreparing()
      isFolderReady = true
    }
    guard let place = position, !writes || place.tail.takesLines else {
      return try startFile(sealing: false)
    }
    if current?.number != place.file {
      close()
      let name = JournalFile.name(place.file)
      let file = try fileSystem.openFile(name, in: journal, for: .appending)
      current = (file, place.file)
      // Its creator may have died before syncing the directory.
      try fileSystem.synchronizeDirectory(journal)
    }
    guard writes, place.size >= sizeLimit, doubtful != place.file, let file = current?.descriptor else { return }
    if proven != (place.file, place.offset) {
      // A file must be durable before it is sealed.
      do throws(FileSystemError) { try fileSystem.synchronizeFile(file) } catch {
        doubtful = place.file
        throw error
      }
    }
    try startFile(sealing: place.tail == .whole)
  }
}
