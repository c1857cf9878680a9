import Values

/// What `manifest.json` says: which files are the store.
struct Manifest: Sendable, Equatable {
  /// The version of the layout that this code writes and reads.
  static let currentFormat = 1
  /// What this code is, for `minWriter`.
  static let currentWriter = 1

  /// 1 or more, one more with every replacement.
  var generation: Int
  /// The same as in `store.json`.
  var store: EntityID
  /// Everything up to this revision is in the segments.
  var revision: Int
  /// Programs below this number may read the store but not write it.
  var minWriter = 1
  var features = Features()
  /// The number of the first journal that is not contained in the segments: replay begins there.
  var journal: Int
  /// Older journals that are kept for undo, for changes and for repeated transactions; ascending.
  var history: [HistoryEntry] = []
  /// Ascending by key, each key once.
  var segments: [SegmentEntry] = []

  /// Whether it was read with members that this code does not know, which a newer version wrote and which writing it anew
  /// would lose.
  var hasUnknownMembers = false

  /// What the folder makes use of that not every version knows.
  struct Features: Sendable, Equatable {
    /// Who does not know one of these may read the store but not write it.
    var compatible: [String] = []
    /// Who does not know one of these may not read the store.
    var incompatible: [String] = []

    /// Those that this code knows.
    static let known = Features()

    /// Those of the incompatible ones that it does not know.
    var unknownIncompatible: [String] { incompatible.filter { !Features.known.incompatible.contains($0) } }
  }

  /// A journal of the past.
  struct HistoryEntry: Sendable, Equatable {
    /// The number in its name.
    var number: Int
    /// Its length and its hash.
    var bytes: Int
    var sha256: SHA256Digest
    /// The revisions that its transactions made; the first is one above the last when it has none.
    var firstRevision: Int
    var lastRevision: Int
  }

  /// Whether this code may write the store.
  var isWritable: Bool { head.isWritable }

  /// What is at its beginning.
  var head: ManifestHead {
    ManifestHead(
      generation: generation, store: store, revision: revision, minWriter: minWriter, features: features,
      journal: journal)
  }
}

/// The beginning of a manifest, which is read without its segments.
struct ManifestHead: Sendable, Equatable {
  var generation: Int
  var store: EntityID
  var revision: Int
  var minWriter: Int
  var features: Manifest.Features
  var journal: Int

  /// Whether this code may write the store.
  var isWritable: Bool {
    minWriter <= Manifest.currentWriter
      && features.compatible.allSatisfy { Manifest.Features.known.compatible.contains($0) }
  }
}

/// What came of reading a manifest.
enum ManifestReading<Value: Sendable & Equatable>: Sendable, Equatable {
  case readable(Value)
  /// A newer version wrote it, in a way that this one must not touch, for the reason given.
  case newer(String)
  /// It is not what was once written, for the reason given.
  case damaged(String)
}
