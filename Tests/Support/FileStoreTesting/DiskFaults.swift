import FileStore

/// The calls of a disk.
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

/// An injected error for certain calls.
package struct DiskFault: Sendable {
  /// The effect instead of the requested one.
  package enum Effect: Sendable {
    /// Nothing happens, and the call fails.
    case fails(FileSystemError.Reason)
    /// The effect happens, but the call fails.
    case happensYetFails(FileSystemError.Reason)
    /// An append writes only this many bytes.
    case isShort(Int)
    /// A change of names succeeds, but the next crash reverts it, even if it was synced.
    case isForgotten
  }

  /// The affected calls; nil for all.
  package var calls: Set<DiskCall>?
  /// The affected process; nil for all.
  package var process: Int32?
  /// The suffix of affected names; nil for all.
  package var name: String?
  /// The number of such calls that pass first.
  package var after: Int
  /// Whether it is permanent, or applies once.
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
  /// The system's error number and text.
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
  /// The faults of the disk.
  package struct Faults: Sendable {
    /// The power fails before the call with this number, counted from 0; it and all later calls fail without effect.
    package var powerOffAtCall: Int?
    /// Whether files can be mapped.
    package var mapsFiles = false
    /// The free space in bytes.
    package var freeBytes: Int?
    /// The maximum length of an append.
    package var longestAppend: Int?
    /// The number of next file syncs that fail.
    package var failingSyncs = 0
    /// The number of next file creations that fail.
    package var failingCreations = 0
    /// Every change is refused.
    package var isReadOnly = false
    /// Reads of any file at or after this offset fail.
    package var unreadableFrom: Int?
    /// The reported owner of files, if not the user.
    package var owner: UInt32?
    /// Injected errors; the first matching one applies.
    package var rules: [DiskFault] = []
    /// Syncs report success without effect; in no disk profile, but shows that the lab detects it.
    package var ignoresSyncs = false
    /// How long a sync takes, on the disk's own clock.
    package var syncMilliseconds: Int64 = 0

    package init() {}
  }
}
