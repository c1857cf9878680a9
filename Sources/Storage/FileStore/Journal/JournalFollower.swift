import Values

/// Reads a store's journals in order and follows their growth, valid or not, without writing.
struct JournalFollower: Sendable {
  /// The maximum size of a journal that is read, in bytes.
  static let longestFile = 1 << 30
  /// A lower bound for the length of a line.
  private static let shortestLine = 128

  private(set) var position: JournalPosition?
  var report = RecoveryReport()
  /// Whether a part could not be read.
  private(set) var isIncomplete = false
  /// Whether a seal said that changes came between which only segments have.
  private(set) var hasMetReplacement = false
  /// The transactions read or made here, with their sequence numbers, to detect duplicates.
  var recent: RecentTransactions
  /// The first and last sequence number of each file read.
  var ranges: [Int: (first: Int, last: Int)] = [:]
  /// The sequence number of the last good line.
  var sequence: Int
  /// Whether the first line's number is accepted as it is.
  var joins: Bool
  /// Damaged complete lines since the last good one: each may have had a number.
  var damaged = 0
  private var hasCaughtUp = false
  /// Whether the lines come from `ahead.jsonl` instead of a journal.
  var readsCopies = false
  /// What the journals lacked when they were first read.
  var lost: LostLines?
  /// The revision from which on all lines are taken from there; nil outside the first read.
  private(set) var lostFrom: Int?
  /// Good lines after a gap, held until it is known whether the next file repeats them.
  var deferred: [(entry: JournalEntry, range: Range<Int>, file: String)] = []
  private(set) var current: OpenJournal?
  var currentName = ""
  private let fileSystem: any FileSystem

  /// Starts after `sequence`, or where the journals begin when it is nil.
  init(_ fileSystem: any FileSystem, after sequence: Int?, recent capacity: Int) {
    self.fileSystem = fileSystem
    self.sequence = sequence ?? 0
    joins = sequence == nil
    recent = RecentTransactions(capacity: capacity)
  }

  /// Closes the file being read, unless an undo still needs it.
  mutating func close() {
    current = nil
  }

  /// Reads everything new: in a fresh reader the journals from number `first` on, else what was appended since.
  ///
  /// - Parameter last: The number of the last journal to read.
  /// - Throws: `storeChanged` when the file is not the one that was read: then everything must be read again.
  mutating func catchUp(
    _ folder: StoreFolder, from first: Int, through last: Int = .max, _ memory: inout StoreMemory
  ) throws(StoreError) {
    let lost = hasCaughtUp ? nil : folder.lost.flatMap { $0.copiedJournal <= last ? $0 : nil }
    lostFrom = lost?.first
    let hasRead = try readJournals(folder, from: first, through: last, &memory)
    lostFrom = nil
    guard hasRead || lost != nil else { return }
    if let lost { apply(lost, &memory) }
    applyDeferred(&memory)
    // The next transaction then leaves a gap where those numbers may have been, which proves the loss for good.
    memory.skip(to: sequence + damaged)
    hasCaughtUp = true
  }

  /// Reads everything new; false when there is no journal yet.
  private mutating func readJournals(
    _ folder: StoreFolder, from first: Int, through last: Int, _ memory: inout StoreMemory
  ) throws(StoreError) -> Bool {
    guard folder.journal != nil else { return false }
    if current == nil {
      guard let number = try folder.journalNumbers().first(where: { $0 >= first && $0 <= last }),
        try open(number, folder)
      else { return false }
    }
    while let place = position {
      let isSealed = try readOn(&memory)
      guard place.file < last, let next = try successor(of: place, isSealed: isSealed, in: folder), next <= last else {
        break
      }
      // The next file was created after this one's last line was written, possibly after this one was read.
      if !isSealed { _ = try readOn(&memory) }
      guard try open(next, folder) else { break }
    }
    return true
  }

  /// Whether the current file has not changed since it was read; costs one call.
  var isAtEnd: Bool {
    guard let current, let position, position.tail != .sealed,
      let status = try? fileSystem.status(of: current.descriptor)
    else {
      return false
    }
    return status.linkCount > 0 && status.size == position.size
  }

  /// Moves past this process's own writes, which are applied already.
  mutating func skip(to new: JournalPosition, sequence: Int, _ folder: StoreFolder) throws(StoreError) {
    if position?.file != new.file { _ = try open(new.file, folder) }
    position = new
    self.sequence = sequence
    damaged = 0
  }

  /// The numbers of the files read, ascending.
  var numbers: [Int] { ranges.keys.sorted() }

  /// The first and last revision in a file; for a file without transactions, an empty range (`last` < `first`).
  func revisions(of file: Int) -> (first: Int, last: Int) {
    guard let range = ranges[file] else { return (sequence + 1, sequence) }
    return range
  }

  /// The incomplete text after the last complete line, if any. It may be a line that is just being written.
  var tear: Finding? {
    guard let position, position.tail == .torn else { return nil }
    return Finding(
      .tornTail, JournalFollower.path(of: currentName), at: position.offset..<position.size, after: sequence,
      "the line is incomplete")
  }

  // MARK: reading

  /// Opens the next file to read; false when it does not exist.
  private mutating func open(_ number: Int, _ folder: StoreFolder) throws(StoreError) -> Bool {
    guard let journal = folder.journal else { return false }
    let name = JournalFile.name(number)
    guard let opened = try folder.openTrusted(name, in: journal, .file, &report) else { return false }
    if let tear { report.note(tear) }
    close()
    current = OpenJournal(opened.descriptor, fileSystem)
    currentName = name
    position = JournalPosition(file: number, offset: 0, size: 0, tail: .whole)
    ranges[number] = (sequence + 1, sequence)
    return true
  }

  /// The number of the journal after one that was read to its end; nil when there is none yet.
  private mutating func successor(of place: JournalPosition, isSealed: Bool, in folder: StoreFolder) throws(StoreError)
    -> Int?
  {
    let next = place.file + 1
    if try folder.hasJournal(next) { return next }
    // Only after a seal, or in a new reader, is it worth looking past a missing file.
    guard isSealed || place.offset == 0 else { return nil }
    guard let later = try folder.journalNumbers().first(where: { $0 >= next }) else {
      if isSealed { sealWithoutSuccessor(isCopied: folder.lost?.target == next) }
      return nil
    }
    // It may have been created since `hasJournal` looked.
    if later > next, folder.lost?.target != next {
      note(.missingJournal, JournalFile.name(next), 0..<0, "a later one exists")
    }
    return later
  }

  /// Reads what follows the last complete line of the current file; returns whether the file is sealed.
  private mutating func readOn(_ memory: inout StoreMemory) throws(StoreError) -> Bool {
    guard let current = current?.descriptor, var place = position, place.tail != .unreadable else {
      return position?.tail == .sealed
    }
    let status = try StoreError.reading(fileSystem.status(of: current))
    guard status.linkCount > 0 else {
      throw StoreError(.storeChanged, "A journal was removed: the folder was replaced.")
    }
    let size = status.size
    guard size != place.size else { return place.tail == .sealed }
    guard size > place.size else {
      throw StoreError(.storeChanged, "A journal is shorter than it was: the folder was replaced.")
    }
    guard size <= JournalFollower.longestFile else {
      note(.unreadableRange, currentName, 0..<size, "the file is too long")
      place.tail = .unreadable
      position = place
      return false
    }
    let (bytes, failure) = fileSystem.contents(of: current, from: place.offset, size: size - place.offset)
    var isSealed = false
    var isReplaced = false
    place.size = size
    let start = place.offset
    let end = bytes.withUnsafeBytes { buffer in
      JournalScan(bytes: buffer).forEach { item, range in
        let range = (range.lowerBound + start)..<(range.upperBound + start)
        switch item {
        case .line(.seal(_, let revision)):
          isSealed = true
          // The revisions between are in the segments alone.
          if let revision, revision > sequence {
            isReplaced = true
            hasMetReplacement = true
          }
        case .line(.transaction(let entry)): apply(entry, range, &memory)
        case .finding(let kind, let reason):
          if kind == .damagedLine || kind == .unknownLine { countDamage() }
          note(kind, currentName, range, reason)
        }
      }
    }
    place.offset = start + end
    let isClosed = bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
    place.tail = end < bytes.count ? .torn : isClosed ? .whole : .unclosed
    if let failure {
      note(.unreadableRange, currentName, (start + end)..<max(size, start + end), failure.description)
      place.tail = .unreadable
      isIncomplete = true
      // Skips as many numbers as that range can hold lines, so that none is used twice.
      damaged += (size - start - end) / JournalFollower.shortestLine + 1
    }
    position = place
    // A first read from an older manifest finds the gap and reports it instead.
    if isReplaced, hasCaughtUp { throw StoreError(.storeChanged, "The store was replaced by an import or a restore.") }
    return isSealed
  }

  /// - Parameter isCopied: Whether the successor's lines are read from their copies.
  private mutating func sealWithoutSuccessor(isCopied: Bool) {
    guard position?.tail != .sealed, let last = position else { return }
    position?.tail = .sealed
    if isCopied { return }
    note(.missingJournal, JournalFile.name(last.file + 1), 0..<0, "the previous journal names it as its successor")
  }

  private mutating func countDamage() {
    damaged += 1
    report.damagedLines += 1
  }

  /// Reports that changes between two revisions are missing, and continues counting after them.
  mutating func note(_ kind: Finding.Kind, after last: Int, before next: Int?, _ file: String, _ reason: String) {
    report.note(Finding(kind, JournalFollower.path(of: file), after: last, before: next, reason))
    if let next { sequence = max(sequence, next - 1) }
  }

  mutating func note(_ kind: Finding.Kind, _ file: String, _ range: Range<Int>, _ reason: String) {
    report.note(Finding(kind, JournalFollower.path(of: file), at: range, after: sequence, reason))
  }

  /// The path of a file read here, relative to the store's folder.
  private static func path(of file: String) -> String {
    file == AheadFile.fileName ? file : StoreFolder.Name.journal + "/" + file
  }
}
