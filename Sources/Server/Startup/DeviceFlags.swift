import CivilTime
import FileStore
import JSON
import Platform

/// This device's own state of a folder, as in force in this process. It is also in `flags.json`, which other processes
/// on the folder change, and which is written off the session.
struct DeviceFlags {
  var flags = Flags()
  /// Whether the last write failed.
  private(set) var hasUnsaved = false
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

/// The write side of `flags.json`: changes in order, each after those before it were written or failed.
final class FlagsFile: Sendable {
  struct Change: Sendable {
    let before: Flags
    let after: Flags
    /// The change itself, to be applied to what others have written.
    let body: @Sendable (inout Flags) -> Void
  }

  private struct State {
    /// Whether the file existed when it was last read or written.
    var exists: Bool
    /// The flags at the last successful write; nil while the file is up to date.
    var written: Flags?
  }

  private let state: Guarded<State>

  init(exists: Bool) { state = Guarded(State(exists: exists)) }

  /// The new content of the file, given the present one, which another process may have changed: the same change
  /// applied there, or, after failed writes, everything that differs here.
  func merged(_ change: Change, onto content: SmallFile.Content, device: String, at now: Instant) -> JSONObject {
    let state = state.withLock { $0 }
    var present: Flags
    switch content {
    case .value(let object): present = Flags(object, device: device, now: now)
    // The file was removed because everything was deleted: none of its content may come back.
    case .missing where state.exists && state.written == nil: present = Flags()
    case .missing, .damaged: return change.after.json
    }
    if let written = state.written { return change.after.rebased(from: written, onto: present).json }
    change.body(&present)
    return present.json
  }

  func note(_ change: Change, isSaved: Bool) {
    state.withLock { state in
      state.written = isSaved ? nil : state.written ?? change.before
      state.exists = state.exists || isSaved
    }
  }
}
