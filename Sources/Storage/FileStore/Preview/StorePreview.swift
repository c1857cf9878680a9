import JSON
import Values

/// The state of a store at one moment, for looking up single records: the beginning of the manifest and the journals
/// after it, with only checksums and sequence numbers verified. It exists only if these are in perfect order.
struct StorePreview: Sendable {
  enum Lookup: Sendable {
    case record(Record)
    case absent
    /// Uncertain; everything must be read.
    case unknown
  }

  /// The sequence number of the last transaction.
  private(set) var revision = 0
  /// Nil without a manifest.
  private let start: ManifestStart?
  /// The complete lines of the journals, in order.
  private var tails: [ArraySlice<UInt8>] = []
  /// The number and size of the last journal.
  private var last = (number: 0, size: 0)
  /// Whether records can be looked up.
  private(set) var hasTexts = true

  /// Longer journals are left to the full read.
  private static let sizeLimit = 1 << 26

  /// Nil when anything differs from an undamaged store, or is unusual even there.
  ///
  /// - Parameter hasSegments: Whether the segments folder exists, so that there must be a manifest.
  init?(_ folder: StoreFolder, hasSegments: Bool) {
    guard let root = folder.root, let journal = folder.journal, folder.identity != nil else { return nil }
    if let text = folder.ownContents(
      ManifestFiles.Name.current, in: root, limit: ManifestFiles.longestFile, first: ManifestStart.room)
    {
      guard let start = ManifestStart(beginning: text) else { return nil }
      self.start = start
      revision = start.revision
    } else {
      // Without a manifest, the first journal has everything from the beginning.
      guard !hasSegments else { return nil }
      start = nil
    }
    guard readTails(folder, journal, from: start?.journal ?? 1), folder.latestNoted() ?? 0 <= revision else {
      return nil
    }
  }

  /// Whether nothing was added since. A process that replaces the manifest first seals the journal, which makes it
  /// longer.
  func isCurrent(_ folder: StoreFolder) -> Bool {
    guard let journal = folder.journal,
      let status = try? folder.fileSystem.status(of: JournalFile.name(last.number), in: journal),
      (try? folder.hasJournal(last.number + 1)) == false
    else { return false }
    return status.size == last.size
  }

  /// Releases the memory of all texts; the revision remains.
  mutating func releaseTexts() {
    hasTexts = false
    tails = []
  }

  // MARK: journals

  private mutating func readTails(_ folder: StoreFolder, _ journal: Descriptor, from first: Int) -> Bool {
    var number = first
    while true {
      guard let text = folder.ownContents(JournalFile.name(number), in: journal, limit: StorePreview.sizeLimit),
        let seal = add(text), let hasNext = try? folder.hasJournal(number + 1), hasNext == seal
      else { return false }
      last = (number, text.count)
      if !hasNext { break }
      number += 1
    }
    // After an empty journal, readers look for a later one even if numbers are missing between.
    return tails.last?.isEmpty == false || (try? folder.journalNumbers().last) == number
  }

  /// Adds the lines of a journal; returns whether it is sealed, or nil when they are not consecutive.
  private mutating func add(_ text: [UInt8]) -> Bool? {
    var isSealed = false
    var start = 0
    let isWhole = text.withUnsafeBytes { file in
      guard let base = file.baseAddress else { return true }
      while true {
        let end = LineScan.newline(base, from: start, to: file.count)
        // An incomplete line was never answered; one that lacks only its newline is left to the full read.
        guard end < file.count else { return !LineSuffix.isValid(base + start, count: file.count &- start) }
        guard !isSealed, LineSuffix.isValid(base + start, count: end &- start) else { return false }
        let line = UnsafeRawBufferPointer(start: base + start, count: end &- start)
        if let number = JournalEntry.revision(of: line) {
          guard number == revision &+ 1 else { return false }
          revision = number
        } else {
          guard case .seal(_, let promised)? = try? JournalLine(reading: line), promised ?? 0 <= revision else {
            return false
          }
          isSealed = true
        }
        start = end &+ 1
      }
    }
    guard isWhole else { return nil }
    tails.append(text[..<start])
    return isSealed
  }

  // MARK: lookup

  /// Looks up a record: in the journals, then in the undated segment of its collection.
  func lookup(_ id: EntityID, in collection: CollectionName, _ loader: SegmentLoader) -> Lookup {
    var found: Lookup?
    for tail in tails {
      let isReadable = tail.withUnsafeBytes { file in
        TextSearch(id.text).forEachLine(of: file) { line in
          guard case .transaction(let entry)? = try? JournalLine(reading: line) else { return false }
          for operation in entry.transaction.operations where operation.id == id && operation.collection == collection {
            found = operation.record(revision: entry.revision).map(Lookup.record) ?? .absent
          }
          return true
        }
      }
      guard isReadable else { return .unknown }
    }
    if let found { return found }
    return start?.lookup(id, in: collection, loader) ?? .absent
  }
}

extension EntityID {
  fileprivate var text: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 36) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      write(to: base)
      count = 36
    }
  }
}
