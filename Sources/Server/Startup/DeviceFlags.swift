/// This device's own state of a folder, as in force in this process. It is also in `flags.json`, which other processes
/// on the folder change, and which is written off the session.
struct DeviceFlags {
  var flags = Flags()
  /// Whether the last write failed.
  private(set) var hasUnsaved = false
  /// The number of writes in progress.
  private var writings = 0
  /// The file; a new object for each folder.
  private(set) var file = FlagsFile(exists: false)

  /// Whether the file has everything that is in force here.
  var isSaved: Bool { !hasUnsaved && writings == 0 }

  /// Whether a failed write is not being retried.
  var needsSaving: Bool { hasUnsaved && writings == 0 }

  /// Loads the content of the file; nil for a missing file.
  mutating func load(_ read: Flags?) {
    flags = read ?? Flags()
    file = FlagsFile(exists: read != nil)
  }

  /// Forgets writes of a folder that was replaced.
  mutating func dropUnsaved() {
    hasUnsaved = false
    writings = 0
    file = FlagsFile(exists: false)
  }

  /// Changes the flags in memory; returns the change to write, if there is one.
  mutating func change(_ body: @escaping @Sendable (inout Flags) -> Void) -> FlagsFile.Change? {
    let before = flags
    var wanted = flags
    body(&wanted)
    guard wanted != flags || needsSaving else { return nil }
    flags = wanted
    writings += 1
    return FlagsFile.Change(before: before, after: wanted, body: body)
  }

  /// Notes the end of a write; one to an earlier folder's file is ignored.
  mutating func endWriting(_ isSaved: Bool, in file: FlagsFile) {
    guard file === self.file else { return }
    hasUnsaved = !isSaved
    writings -= 1
  }
}
