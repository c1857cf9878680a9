/// What this device remembers of a folder, beside what the store says, as it is in force here. `flags.json` has it too, which other
/// processes on the folder change, and which is written away from the session.
struct DeviceFlags {
  /// As they are in force here.
  var flags = Flags()
  /// Whether some of them could not be written.
  private(set) var hasUnsaved = false
  /// How many writings are under way.
  private var writings = 0
  /// Where they are written; another one for each folder.
  private(set) var file = FlagsFile(exists: false)

  /// Whether the file says all that is known here.
  var isSaved: Bool { !hasUnsaved && writings == 0 }

  /// Whether something could not be written, and is not being tried again.
  var needsSaving: Bool { hasUnsaved && writings == 0 }

  /// Takes what the file says; nil for one that is not there.
  mutating func take(_ read: Flags?) {
    flags = read ?? Flags()
    file = FlagsFile(exists: read != nil)
  }

  /// Forgets what is not on disk: the folder is another one now.
  mutating func dropUnsaved() {
    hasUnsaved = false
    writings = 0
    file = FlagsFile(exists: false)
  }

  /// Changes them in memory; what is to be written, if something is.
  mutating func change(_ body: @escaping @Sendable (inout Flags) -> Void) -> FlagsFile.Change? {
    let before = flags
    var wanted = flags
    body(&wanted)
    guard wanted != flags || needsSaving else { return nil }
    flags = wanted
    writings += 1
    return FlagsFile.Change(before: before, after: wanted, body: body)
  }

  /// A writing is over. That of a file which has been left is of no interest.
  mutating func noteSaved(_ isSaved: Bool, in file: FlagsFile) {
    guard file === self.file else { return }
    hasUnsaved = !isSaved
    writings -= 1
  }
}
