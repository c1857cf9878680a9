/// The latest transactions of each author, with what they changed.
struct UndoLog: Sendable {
  /// Authors that are remembered; beyond that, the one who has been quiet for longest is forgotten.
  static let maximumAuthors = 64

  /// What is remembered of one author.
  private struct History {
    /// Revisions, oldest first.
    var revisions: [Int] = []
    /// How many of them are no undos.
    var ordinary = 0
  }

  private var entries: [Int: UndoEntry] = [:]
  private var authors: [String: History] = [:]
  /// How many transactions of an author can be taken back.
  private let depth: Int

  init(depth: Int) { self.depth = max(1, depth) }

  /// Takes in a transaction, the latest of all.
  mutating func append(_ entry: UndoEntry) {
    entries[entry.revision] = entry
    authors[entry.author, default: History()].revisions.append(entry.revision)
    if let undoes = entry.undoes { flip(undoes) } else { authors[entry.author]?.ordinary += 1 }
  }

  /// Forgets the latest transaction, which is `revision`.
  mutating func rollBack(_ revision: Int) {
    guard let entry = entries.removeValue(forKey: revision), var history = authors[entry.author] else { return }
    if history.revisions.last == revision { history.revisions.removeLast() }
    if let undoes = entry.undoes { flip(undoes) } else { history.ordinary -= 1 }
    authors[entry.author] = history.revisions.isEmpty ? nil : history
  }

  /// Forgets what is further back than anyone may undo, now that transaction `revision` is durable.
  mutating func trim(durable revision: Int) {
    guard let author = entries[revision]?.author, let place = authors.index(forKey: author) else { return }
    // Undos do not use up the depth, but are not kept without bound either.
    while authors.values[place].ordinary > depth || authors.values[place].revisions.count > depth * 2,
      let oldest = authors.values[place].revisions.first, oldest < revision
    {
      authors.values[place].revisions.removeFirst()
      if entries.removeValue(forKey: oldest)?.undoes == nil { authors.values[place].ordinary -= 1 }
    }
    if authors.count > UndoLog.maximumAuthors { forgetQuietestAuthor(durable: revision) }
  }

  private mutating func forgetQuietestAuthor(durable revision: Int) {
    func latest(_ history: History) -> Int { history.revisions.last ?? 0 }
    guard let quietest = authors.min(by: { latest($0.value) < latest($1.value) }), latest(quietest.value) < revision
    else { return }
    for revision in quietest.value.revisions { entries[revision] = nil }
    authors[quietest.key] = nil
  }

  /// This log with the transactions of a later one behind its own. Which of them were undone is worked out again, as the
  /// later ones may have undone earlier ones.
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

  /// The author's latest transaction that is no undo, was not undone, and has a label that fits.
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

  /// Turns round whether a transaction counts as undone; if it is itself an undo, what it undid turns the other way,
  /// and so on.
  private mutating func flip(_ revision: Int) {
    var next: Int? = revision
    while let revision = next, let entry = entries[revision] {
      entries[revision]?.isUndone.toggle()
      // Towards older ones only, even if the journal claims otherwise.
      next = entry.undoes.flatMap { $0 < revision ? $0 : nil }
    }
  }
}
