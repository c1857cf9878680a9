import FileStore
import Platform
import Values

/// Ids derived from a seed (SplitMix64), so that tests see the same ones every time.
final class SeededIDs: Sendable {
  private let state: Guarded<UInt64>

  /// A number that differs between runs on different data, from the store's revision.
  static func salt(of folder: String) -> UInt64 {
    let configuration = FileStore.Configuration(
      folder: folder, newID: { EntityID(high: 0, low: 0) }, now: Clock.now, onDurable: { _ in },
      onCommitFailure: { _ in }, isReader: true)
    guard let store = try? FileStore.open(configuration), let revision = try? store.latestRevision else { return 0 }
    return UInt64(revision) &* 0x1_0000_0001
  }

  init(seed: UInt64) { state = Guarded(seed) }

  /// The next id.
  @Sendable func next() -> EntityID {
    state.withLock { state in
      func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
      }
      return EntityID(randomHigh: word(), randomLow: word())
    }
  }
}
