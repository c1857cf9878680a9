import CivilTime
import FileStore
import JSON
import Platform

/// The write side of `flags.json`: changes in order, each after those before it were written or failed.
final class FlagsFile: Sendable {
  /// A change of the flags.
  struct Change: Sendable {
    /// The flags before it.
    let before: Flags
    /// The flags after it.
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

  /// Notes the outcome of a write.
  func note(_ change: Change, isSaved: Bool) {
    state.withLock { state in
      state.written = isSaved ? nil : state.written ?? change.before
      state.exists = state.exists || isSaved
    }
  }
}
