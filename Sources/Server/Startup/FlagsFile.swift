import CivilTime
import FileStore
import JSON
import Platform

/// What is known of `flags.json` where it is written: one change after the other, each when those before it were written or failed.
final class FlagsFile: Sendable {
  /// A change of what this device remembers.
  struct Change: Sendable {
    /// What was in force before it.
    let before: Flags
    /// What is in force with it.
    let after: Flags
    /// The change itself, to be made on what others have written.
    let body: @Sendable (inout Flags) -> Void
  }

  private struct State {
    /// Whether there was a file when it was last read or written.
    var exists: Bool
    /// What was in force when the file last could be written; nil while it says everything.
    var written: Flags?
  }

  private let state: Guarded<State>

  /// - Parameter exists: Whether there is a file for them.
  init(exists: Bool) { state = Guarded(State(exists: exists)) }

  /// What the file is to say, over what it says now, since another process may have changed it: the same change made there, or, after some
  /// could not be written, all that became different here.
  func merged(_ change: Change, onto content: SmallFile.Content, device: String, at now: Instant) -> JSONObject {
    let state = state.withLock { $0 }
    var present: Flags
    switch content {
    case .value(let object): present = Flags(object, device: device, now: now)
    // One that was there is gone because everything was deleted, a moment ago: nothing of it may come back.
    case .missing where state.exists && state.written == nil: present = Flags()
    case .missing, .damaged: return change.after.json
    }
    if let written = state.written { return change.after.rebased(from: written, onto: present).json }
    change.body(&present)
    return present.json
  }

  /// A change was written, or could not be.
  func note(_ change: Change, isSaved: Bool) {
    state.withLock { state in
      state.written = isSaved ? nil : state.written ?? change.before
      state.exists = state.exists || isSaved
    }
  }
}
