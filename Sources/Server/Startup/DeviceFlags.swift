import CivilTime
import FileStore
import JSON

/// What this device remembers of a folder, beside what the store says: `flags.json`, which other processes on the folder change too.
struct DeviceFlags {
  /// As they are in force here.
  var flags = Flags()
  /// Whether some of them is not on disk.
  private(set) var hasUnsaved = false
  /// What of them was on disk when they last could be written.
  private var written = Flags()
  /// Whether there was a file for them when it was last read or written.
  private var hasFile = false

  /// Takes what the file says; nil for one that is not there.
  mutating func take(_ read: Flags?) {
    flags = read ?? Flags()
    hasFile = read != nil
  }

  /// Forgets what is not on disk: the folder is another one now.
  mutating func dropUnsaved() { hasUnsaved = false }

  /// Changes them in memory; whether there is something to be written.
  mutating func change(_ body: (inout Flags) -> Void) -> Bool {
    var wanted = flags
    body(&wanted)
    guard wanted != flags || hasUnsaved else { return false }
    if !hasUnsaved { written = flags }
    flags = wanted
    return true
  }

  /// What the file is to say, over what it says now, since another process may have changed it: the same change made there, or, after some
  /// could not be written, all that became different here.
  func merged(
    onto content: SmallFile.Content, _ change: (inout Flags) -> Void, device: String, at now: Instant
  ) -> JSONObject {
    var present: Flags
    switch content {
    case .value(let object): present = Flags(object, device: device, now: now)
    // One that was there is gone because everything was deleted, a moment ago: nothing of it may come back.
    case .missing where hasFile && !hasUnsaved: present = Flags()
    case .missing, .damaged: return flags.json
    }
    if hasUnsaved { return flags.rebased(from: written, onto: present).json }
    change(&present)
    return present.json
  }

  /// They are on disk, or could not be written.
  mutating func noteSaved(_ isSaved: Bool) {
    hasUnsaved = !isSaved
    hasFile = hasFile || isSaved
  }
}
