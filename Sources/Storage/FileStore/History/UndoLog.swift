/// The latest transactions of each author, with their changes.
struct UndoLog: Sendable {
  /// The maximum number of authors; beyond it, the least recently active one is dropped.
  static let maximumAuthors = 64

  private struct History {
    /// Revisions, oldest first.
    var revisions: [Int] = []
    /// The number of them that are no undos.
    var ordinary = 0

    mutating func append(_ entry: UndoEntry, depth: Int?, _ entries: inout [Int: UndoEntry]) {
      revisions.append(entry.revision)
      if entry.undoes == nil { ordinary += 1 }
      if let depth { trim(durable: entry.revision, depth: depth, &entries) }
    }

    /// Drops entries beyond `depth`, here and in `entries`.
    mutating func trim(durable revision: Int, depth: Int, _ entries: inout [Int: UndoEntry]) {
      // Undos do not count towards the depth, but their number is bounded too.
      while ordinary > depth || revisions.count > depth * 2, let oldest = revisions.first, oldest < revision {
        revisions.removeFirst()
        if entries.removeValue(forKey: oldest)?.undoes == nil { ordinary -= 1 }
      }
    }
  }

  private var entries: [Int: UndoEntry] = [:]
  private var authors: [String: History] = [:]
  private let depth: Int

  init(depth: Int) { self.depth = max(1, depth) }

  /// Adds the latest transaction; if it is durable, drops what can no longer be undone.
  mutating func append(_ entry: UndoEntry, isDurable: Bool = false) {
    entries[entry.revision] = entry
    if let undoes = entry.undoes { flip(undoes) }
    authors[entry.author, default: History()].append(entry, depth: isDurable ? depth : nil, &entries)
    if isDurable { limitAuthors(durable: entry.revision) }
  }

  /// Drops the latest transaction, which is `revision`.
  mutating func rollBack(_ revision: Int) {
    guard let entry = entries.removeValue(forKey: revision), var history = authors[entry.author] else { return }
    if history.revisions.last == revision { history.revisions.removeLast() }
    if let undoes = entry.undoes { flip(undoes) } else { history.ordinary -= 1 }
    authors[entry.author] = history.revisions.isEmpty ? nil : history
  }

  /// Drops what can no longer be undone once transaction `revision` is durable.
  mutating func trim(durable revision: Int) {
    guard let author = entries[revision]?.author else { return }
    authors[author]?.trim(durable: revision, depth: depth, &entries)
    limitAuthors(durable: revision)
  }

  /// Drops the least recently active author, if there are too many.
  private mutating func limitAuthors(durable revision: Int) {
    func latest(_ history: History) -> Int { history.revisions.last ?? 0 }
    guard authors.count > UndoLog.maximumAuthors,
      let quietest = authors.min(by: { latest($0.value) < latest($1.value) }), latest(quietest.value) < revision
    else { return }
    for revision in quietest.value.revisions { entries[revision] = nil }
    authors[quietest.key] = nil
  }

  /// This log followed by the transactions of a later one. Which transactions are undone is computed again, as later
  /// ones may have undone earlier ones.
  func followed(by later: UndoLog) -> UndoLog {
    var whole = self
    for revision in later.entries.keys.sorted() where entries[revision] == nil {
      guard var entry = later.entries[revision] else { continue }
      entry.isUndone = false
      whole.append(entry)
    }
    return whole
  }

  subscript(revision: Int) -> UndoEntry? { entries[revision] }

  /// The author's latest transaction with a matching label that is neither an undo nor undone.
  func latest(author: String, matching: (String) -> Bool) -> UndoEntry? {
    var seen = 0
    for revision in (authors[author]?.revisions ?? []).reversed() {
      guard let entry = entries[revision], entry.undoes == nil else { continue }
      if !entry.isUndone, matching(entry.label) { return entry }
      seen += 1
      if seen == depth { return nil }
    }
    return nil
  }

  /// Toggles whether a transaction counts as undone; if it is an undo, the transaction it undid is toggled too, and so
  /// on.
  private mutating func flip(_ revision: Int) {
    var next: Int? = revision
    while let revision = next, let entry = entries[revision] {
      entries[revision]?.isUndone.toggle()
      // Only towards older ones, even if a journal says otherwise.
      next = entry.undoes.flatMap { $0 < revision ? $0 : nil }
    }
  }
}
