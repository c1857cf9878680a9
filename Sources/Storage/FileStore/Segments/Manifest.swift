import Values

/// The content of `manifest.json`: the files that make up the store.
@dynamicMemberLookup struct Manifest: Sendable, Equatable {
  static let currentFormat = 1
  /// This code's number, compared with `minWriter`.
  static let currentWriter = 1

  var head = ManifestHead()
  /// Older journals, kept for undo, the changes feed and repeated transactions; ascending.
  var history: [HistoryEntry] = []
  /// Ascending by key; each key occurs once.
  var segments: [SegmentEntry] = []
  /// Whether it has members unknown to this code, which a rewrite would lose.
  var hasUnknownMembers = false

  init() {}

  init(
    generation: Int, store: EntityID, revision: Int, features: ManifestHead.Features = ManifestHead.Features(),
    journal: Int, history: [HistoryEntry] = [], segments: [SegmentEntry] = []
  ) {
    head = ManifestHead(
      generation: generation, store: store, revision: revision, features: features, journal: journal)
    self.history = history
    self.segments = segments
  }

  subscript<Value>(dynamicMember member: WritableKeyPath<ManifestHead, Value>) -> Value {
    get { head[keyPath: member] }
    set { head[keyPath: member] = newValue }
  }

  var isWritable: Bool { head.isWritable }

  /// A journal that is already folded into segments.
  struct HistoryEntry: Sendable, Equatable {
    var number = 0
    var bytes = 0
    var sha256 = SHA256Digest.zero
    /// The revisions of its transactions; the first is one above the last when there are none.
    var firstRevision = 0
    var lastRevision = 0
  }
}

/// The beginning of a manifest, which can be read without the segments.
struct ManifestHead: Sendable, Equatable {
  var format = Manifest.currentFormat
  /// 1 or more; each replacement increments it.
  var generation = 0
  /// The store id, as in `store.json`.
  var store = EntityID.zero
  /// The segments contain everything up to this revision.
  var revision = 0
  /// Programs with a lower number may read the store but not write it.
  var minWriter = 1
  var features = Features()
  /// The number of the first journal that is not folded into the segments; replay begins there.
  var journal = 0

  /// Features used by the folder that not every version knows.
  struct Features: Sendable, Equatable {
    /// A version that does not know one of these may read the store but not write it.
    var compatible: [String] = []
    /// A version that does not know one of these must not read the store.
    var incompatible: [String] = []

    /// `sync`: each change needs what a commit participant adds.
    static let known = Features(compatible: ["sync"])

    /// Those that forbid this code to read the store.
    var unknown: [String] { incompatible.filter { !Features.known.incompatible.contains($0) } }
  }

  /// Whether this code may read the store.
  var isReadable: Bool { format <= Manifest.currentFormat && features.unknown.isEmpty }

  /// Whether this code may write the store.
  var isWritable: Bool {
    minWriter <= Manifest.currentWriter && features.compatible.allSatisfy(Features.known.compatible.contains)
  }
}

enum ManifestReading<Value: Sendable & Equatable>: Sendable, Equatable {
  case readable(Value)
  /// Written by a newer version, in a way that this one must not read, for the given reason.
  case newer(String)
  /// Not as it was written, for the given reason.
  case damaged(String)
}
