/// A hang guard: the end of a wait that nobody should see the end of.
struct Deadline {
  /// How long the wait may take.
  let limit: Duration
  /// When it ends.
  private let end: ContinuousClock.Instant

  /// A wait that begins now.
  init(_ limit: Duration) {
    self.limit = limit
    end = ContinuousClock.now + limit
  }

  /// Milliseconds left, at least 1, for `poll`; throws when none are.
  func milliseconds(_ what: @autoclosure () -> String) throws(WireError) -> Int32 {
    let left = end - ContinuousClock.now
    guard left > .zero else { throw .hang(what(), limit) }
    return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
  }
}
