import Values

/// What `manifest.json` says: which files are the store.
@dynamicMemberLookup struct Manifest: Sendable, Equatable {
  /// The version of the layout that this code writes and reads.
  static let currentFormat = 1
  /// What this code is, for `minWriter`.
  static let currentWriter = 1

  var head = ManifestHead()
  /// Older journals that are kept for undo, for changes and for repeated transactions; ascending.
  var history: [HistoryEntry] = []
  /// Ascending by key, each key once.
  var segments: [SegmentEntry] = []
  /// Whether it has members that this code does not know, which a newer version wrote and a rewrite would lose.
  var hasUnknownMembers = false

  init() {}

  init(
    generation: Int, store: EntityID, revision: Int, journal: Int, history: [HistoryEntry] = [],
    segments: [SegmentEntry] = []
  ) {
    head = ManifestHead(generation: generation, store: store, revision: revision, journal: journal)
    self.history = history
    self.segments = segments
  }

  subscript<Value>(dynamicMember member: WritableKeyPath<ManifestHead, Value>) -> Value {
    get { head[keyPath: member] }
    set { head[keyPath: member] = newValue }
  }

  /// Whether this code may write the store.
  var isWritable: Bool { head.isWritable }

  /// A journal of the past.
  struct HistoryEntry: Sendable, Equatable {
    var number = 0
    var bytes = 0
    var sha256 = SHA256Digest.zero
    /// The revisions that its transactions made; the first is one above the last when it has none.
    var firstRevision = 0
    var lastRevision = 0
  }
}

/// The beginning of a manifest, which is read without its segments.
struct ManifestHead: Sendable, Equatable {
  var format = Manifest.currentFormat
  /// 1 or more, one more with every replacement.
  var generation = 0
  /// The same as in `store.json`.
  var store = EntityID.zero
  /// Everything up to this revision is in the segments.
  var revision = 0
  /// Programs below this number may read the store but not write it.
  var minWriter = 1
  var features = Features()
  /// The number of the first journal that is not contained in the segments: replay begins there.
  var journal = 0

  /// What the folder makes use of that not every version knows.
  struct Features: Sendable, Equatable {
    /// A version that does not know one of these may read the store but not write it.
    var compatible: [String] = []
    /// A version that does not know one of these may not read the store.
    var incompatible: [String] = []

    /// Those that this code knows.
    static let known = Features()
  }

  /// Whether this code may write the store.
  var isWritable: Bool {
    minWriter <= Manifest.currentWriter && features.compatible.allSatisfy(Features.known.compatible.contains)
  }
}

/// The outcome of reading a manifest.
enum ManifestReading<Value: Sendable & Equatable>: Sendable, Equatable {
  case readable(Value)
  /// A newer version wrote it, in a way that this one must not touch, for the reason given.
  case newer(String)
  /// It is not what was once written, for the reason given.
  case damaged(String)
}
