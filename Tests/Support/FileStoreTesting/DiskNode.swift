import FileStore

/// A file, folder or link of a simulated disk, with its visible state and its unsynced changes.
struct DiskNode: Sendable {
  /// A pending change of a name's target.
  struct EntryChange: Sendable {
    var name: String
    var old: Int?
    var new: Int?
    /// Its order among all name changes; both halves of a rename share one.
    var order: Int
    /// Whether it never reaches the medium.
    var isForgotten = false
  }

  /// An unsynced overwrite.
  struct Overwrite: Sendable {
    var offset: Int
    var old: [UInt8]
  }

  var kind: FileStatus.Kind
  var mode: UInt32
  var syncedMode: UInt32
  var owner: UInt32 = 1000
  /// A unique id; 0 marks an unreferenced node.
  var inode: UInt64
  /// The number of its names.
  var links = 0
  /// The number of descriptors and unsynced changes that refer to it.
  var holds = 0

  /// A file's visible bytes.
  var bytes: [UInt8] = []
  /// The number of bytes on the medium.
  var syncedCount = 0
  /// The offsets of the appends since then.
  var appends: [Int] = []
  var overwrites: [Overwrite] = []
  /// The ranges lost by a failed sync: reads still show them, and no later sync saves them.
  var lostOverwrites: [Overwrite] = []
  /// The overwrites lost by a failed sync: reads still show them, and no later sync saves them.
  var lost: [Range<Int>] = []

  /// A folder's visible names.
  var entries: [String: Int] = [:]
  /// Their changes since the last sync.
  var pending: [EntryChange] = []

  /// The file's lock.
  var sharedLocks = 0
  var isLockedExclusively = false

  init(kind: FileStatus.Kind, mode: UInt32, inode: UInt64) {
    self.kind = kind
    self.mode = mode
    syncedMode = mode
    self.inode = inode
  }

  /// Restores a range from before an overwrite.
  mutating func undo(_ overwrite: Overwrite, _ range: Range<Int>? = nil) {
    let all = overwrite.offset..<(overwrite.offset + overwrite.old.count)
    let range = (range ?? all).clamped(to: all).clamped(to: 0..<bytes.count)
    for index in range { bytes[index] = overwrite.old[index - overwrite.offset] }
  }

  /// Lets the next sync save newly written bytes, even where an earlier sync lost some.
  mutating func saveAgain(_ range: Range<Int>) {
    if lost.isEmpty, lostOverwrites.isEmpty { return }
    lost = lost.flatMap { old in
      [old.clamped(to: 0..<range.lowerBound), old.clamped(to: range.upperBound..<Int.max)].filter { !$0.isEmpty }
    }
    lostOverwrites = lostOverwrites.flatMap { lost in
      let all = lost.offset..<(lost.offset + lost.old.count)
      let rest = [all.clamped(to: 0..<range.lowerBound), all.clamped(to: range.upperBound..<Int.max)]
      return rest.filter { !$0.isEmpty }.map { part in
        Overwrite(
          offset: part.lowerBound,
          old: Array(lost.old[(part.lowerBound - lost.offset)..<(part.upperBound - lost.offset)]))
      }
    }
  }

  /// Replaces ranges lost by failed syncs with zeros, and reverts lost overwrites.
  mutating func forgetLost() {
    for overwrite in lostOverwrites.reversed() { undo(overwrite) }
    lostOverwrites = []
    for range in lost {
      for index in range where index < bytes.count { bytes[index] = 0 }
    }
    lost = []
  }
}

/// The effect of a sync; a lying disk reverts the latest ones in a crash.
struct DiskSync: Sendable {
  var node: Int
  var syncedCount = 0
  var appends: [Int] = []
  var overwrites: [DiskNode.Overwrite] = []
  var pending: [DiskNode.EntryChange] = []
  var floor: Int
}
