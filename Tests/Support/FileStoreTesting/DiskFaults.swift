import FileStore

/// The calls that a disk takes.
package enum DiskCall: String, Sendable, CaseIterable {
  case open = "openat"
  case create = "creat"
  case makeDirectory = "mkdirat"
  case read = "pread"
  case append = "write"
  case overwrite = "pwrite"
  case synchronizeFile = "fdatasync"
  case synchronizeDirectory = "fsync"
  case status = "fstatat"
  case setMode = "fchmod"
  case rename = "renameat"
  case link = "linkat"
  case unlink = "unlinkat"
  case removeDirectory = "rmdirat"
  case list = "readdir"
  case lock = "flock"

  /// Whether it can change what others see or what a crash leaves.
  package var isChange: Bool {
    switch self {
    case .open, .read, .status, .list, .lock: false
    default: true
    }
  }
}

/// An error that certain calls meet.
package struct DiskFault: Sendable {
  /// What happens in the place of what was asked.
  package enum Effect: Sendable {
    /// Nothing, and an error says so.
    case fails(FileSystemError.Reason)
    /// All of it, and an error says it did not.
    case happensYetFails(FileSystemError.Reason)
    /// An append takes so many bytes.
    case isShort(Int)
    /// A change of names succeeds, and the next crash undoes it, even if it was synchronized.
    case isForgotten
  }

  /// The calls it is about; nil for all.
  package var calls: Set<DiskCall>?
  /// The process it is about; nil for all.
  package var process: Int32?
  /// The end of the name it is about; nil for all.
  package var name: String?
  /// How many such calls it lets pass first.
  package var after: Int
  /// Whether it stays, or strikes once.
  package var isForEver: Bool
  package var effect: Effect

  package init(
    _ effect: Effect, calls: Set<DiskCall>? = nil, after: Int = 0, isForEver: Bool = false, process: Int32? = nil,
    name: String? = nil
  ) {
    self.effect = effect
    self.calls = calls
    self.after = after
    self.isForEver = isForEver
    self.process = process
    self.name = name
  }
}

extension FileSystemError.Reason {
  /// The number and words that a system has for it.
  var system: (errno: Int32, text: String) {
    switch self {
    case .notFound: (2, "no such file or directory")
    case .alreadyExists: (17, "file exists")
    case .notADirectory: (20, "not a directory")
    case .symbolicLink: (40, "too many levels of symbolic links")
    case .permissionDenied: (13, "permission denied")
    case .readOnly: (30, "read-only file system")
    case .noSpace: (28, "no space left on device")
    case .inputOutput: (5, "input/output error")
    case .other: (24, "too many open files")
    }
  }
}

extension SimulatedDisk {
  /// How the disk misbehaves.
  package struct Faults: Sendable {
    /// The power goes off before the call with this number, counted from 0: it and all later ones fail and do nothing.
    package var powerOffAtCall: Int?
    /// Whether files can be mapped.
    package var mapsFiles = false
    /// Bytes that can still be written.
    package var freeBytes: Int?
    /// The most bytes that one call appends.
    package var longestAppend: Int?
    /// How many of the next syncs of files fail.
    package var failingSyncs = 0
    /// How many of the next makings of files fail.
    package var failingCreations = 0
    /// Every change is refused.
    package var isReadOnly = false
    /// Reading any file at or behind this offset fails.
    package var unreadableFrom: Int?
    /// Whose files they are said to be, if not the user's.
    package var owner: UInt32?
    /// Errors of certain calls; of several that fit the first counts.
    package var rules: [DiskFault] = []
    /// Syncs answer success and do nothing: no disk of any profile, but a way to see that the lab notices.
    package var ignoresSyncs = false
    /// How long a sync takes, on the disk's own clock.
    package var syncMilliseconds: Int64 = 0

    package init() {}
  }
}
