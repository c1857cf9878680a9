import FileStore

/// A file, folder or link of a simulated disk: as calls see it, and what of that the medium does not have yet.
struct DiskNode: Sendable {
  /// A name that stands for another node from now on, or for nothing.
  struct EntryChange: Sendable {
    var name: String
    var old: Int?
    var new: Int?
    /// Its place among all changes of names on the disk; the halves of a rename share one.
    var order: Int
    /// Whether it never gets to the medium.
    var isForgotten = false
  }

  /// Bytes that were put over others and not synchronized.
  struct Overwrite: Sendable {
    var offset: Int
    var old: [UInt8]
  }

  var kind: FileStatus.Kind
  var mode: UInt32
  var syncedMode: UInt32
  var owner: UInt32 = 1000
  /// Never used twice; 0 marks a node that nothing names or opens.
  var inode: UInt64
  /// How many names it has.
  var links = 0
  /// How many descriptors and unsynchronized changes refer to it.
  var holds = 0

  /// A file's bytes, as seen.
  var bytes: [UInt8] = []
  /// How many of them are on the medium.
  var syncedCount = 0
  /// Where the appends since then began.
  var appends: [Int] = []
  var overwrites: [Overwrite] = []
  /// Those that a failed sync threw away: reading still shows them, and no later sync saves them.
  var lostOverwrites: [Overwrite] = []
  /// What a failed sync threw away: reading still shows it, and no later sync saves it.
  var lost: [Range<Int>] = []

  /// A folder's names, as seen.
  var entries: [String: Int] = [:]
  /// What changed of them since the last sync.
  var pending: [EntryChange] = []

  /// How the file is locked.
  var sharedLocks = 0
  var isLockedExclusively = false

  init(kind: FileStatus.Kind, mode: UInt32, inode: UInt64) {
    self.kind = kind
    self.mode = mode
    syncedMode = mode
    self.inode = inode
  }

  /// Puts back what an overwrite covered, from an offset on, so many bytes.
  mutating func undo(_ overwrite: Overwrite, _ range: Range<Int>? = nil) {
    let all = overwrite.offset..<(overwrite.offset + overwrite.old.count)
    let range = (range ?? all).clamped(to: all).clamped(to: 0..<bytes.count)
    for index in range { bytes[index] = overwrite.old[index - overwrite.offset] }
  }

  /// Has the next sync save bytes that are written now, whatever an earlier one threw away there.
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

  /// Puts zeros in the place of what failed syncs threw away, and what was there before in that of overwrites.
  mutating func forgetLost() {
    for overwrite in lostOverwrites.reversed() { undo(overwrite) }
    lostOverwrites = []
    for range in lost {
      for index in range where index < bytes.count { bytes[index] = 0 }
    }
    lost = []
  }
}

/// What a sync made durable: a lying disk takes the latest of these back in a crash.
struct DiskSync: Sendable {
  var node: Int
  var syncedCount = 0
  var appends: [Int] = []
  var overwrites: [DiskNode.Overwrite] = []
  var pending: [DiskNode.EntryChange] = []
  var floor: Int
}
