import Values

/// Reads a store's journals in order, without writing anything, whatever their bytes are.
struct Recovery {
  /// How the last journal file ends, which decides how the next write begins.
  enum Tail: Sendable, Equatable {
    /// There is no journal file.
    case missing
    /// In a newline, or empty.
    case whole
    /// In the middle of a line.
    case torn
    /// Unknown, since it could not be read to its end: nothing may be appended to it.
    case unreadable
  }

  /// Journal files above this are not read into memory.
  private static let longestFile = 1 << 30

  var memory: StoreMemory
  var report: RecoveryReport
  private(set) var tail = Tail.missing
  /// The transactions that were read, with their sequence numbers, to know the ones that come twice.
  private(set) var transactions: [EntityID: Int] = [:]

  /// The sequence number of the last good line, or the one it was given.
  private var sequence = 0
  /// Damaged complete lines since then: each may have had a number of its own.
  private var damaged = 0
  private var successor: String?

  init(memory: StoreMemory, report: RecoveryReport) {
    self.memory = memory
    self.report = report
  }

  /// Reads all journals of a folder.
  mutating func run(_ folder: StoreFolder) throws(StoreError) {
    guard let journal = folder.journal else { return }
    for file in folder.files {
      if let successor, file.name != successor, !folder.files.contains(where: { $0.name == successor }) {
        note(.missingJournal, successor, 0..<0, "the journal before it names it as its successor")
      }
      successor = nil
      guard let opened = try folder.openTrusted(file.name, in: journal, .file, &report) else { continue }
      defer { folder.fileSystem.close(opened.descriptor) }
      read(opened.descriptor, size: opened.status.size, name: file.name, folder.fileSystem)
    }
    if let successor { note(.missingJournal, successor, 0..<0, "the journal before it names it as its successor") }
    // So that the next transaction leaves a gap where those may have been, which proves the loss for ever.
    memory.skip(to: sequence + damaged)
  }

  private mutating func read(_ descriptor: Descriptor, size: Int, name: String, _ fileSystem: any FileSystem) {
    guard size <= Recovery.longestFile else {
      note(.unreadableRange, name, 0..<size, "the file is too long")
      tail = .unreadable
      return
    }
    let (bytes, failure) = fileSystem.contents(of: descriptor, size: size)
    let endsInLine = bytes.withUnsafeBytes { buffer in
      JournalScan(file: buffer).forEach { item, range in
        switch item {
        case .line(.seal(let successor)): self.successor = successor
        case .line(.transaction(let entry)): take(entry, name, range)
        case .finding(let kind, let reason):
          // What is cut off by an unreadable range is no tear.
          if kind == .tornTail, failure != nil { return }
          if kind == .damagedLine || kind == .unknownLine { countDamage() }
          note(kind, name, range, reason)
        }
      }
    }
    tail = endsInLine ? .torn : .whole
    if let failure {
      note(.unreadableRange, name, bytes.count..<max(size, bytes.count), failure.description)
      tail = .unreadable
    }
  }

  private mutating func countDamage() {
    damaged += 1
    report.damagedLines += 1
  }

  /// Takes in a transaction, unless it is there already.
  private mutating func take(_ entry: JournalEntry, _ file: String, _ range: Range<Int>) {
    let id = entry.transaction.id
    if transactions[id] == entry.revision {
      note(.duplicate, file, range, "transaction \(id), number \(entry.revision), is there already")
      return
    }
    let next = sequence + 1
    var revision = entry.revision
    if revision > next {
      note(.sequenceGap, file, range.lowerBound..<range.lowerBound, "numbers \(next) to \(revision - 1) are missing")
      memory.noteLoss(before: revision)
    } else if revision < next {
      note(.sequenceFork, file, range, "number \(revision) comes after \(sequence); it counts as \(next)")
      revision = next
    }
    report.reached(revision)
    transactions[id] = entry.revision
    memory.apply(entry.transaction, revision: revision, isDurable: true)
    report.transactions += 1
    sequence = revision
    damaged = 0
  }

  private mutating func note(_ kind: RecoveryFinding.Kind, _ file: String, _ range: Range<Int>, _ reason: String) {
    report.note(
      RecoveryFinding(
        kind: kind, file: StoreFolder.Name.journal + "/" + file, offset: range.lowerBound, length: range.count,
        previousSequence: sequence, reason: reason))
  }
}
