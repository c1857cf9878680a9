import CivilTime

/// What a session has to do after a verification ended.
package struct PremiumEffects: Hashable, Sendable {
  /// What became of the cached flag.
  package struct Mismatch: Hashable, Sendable {
    /// The flag as cached, nil for none.
    package let cached: Bool?
    /// What is true.
    package let actual: Bool

    package init(cached: Bool?, actual: Bool) {
      self.cached = cached
      self.actual = actual
    }
  }

  /// Whether the answer belonged to no running verification: late, given twice, or of one that was superseded. Then there is
  /// nothing else here.
  package var isIgnored = false
  /// The record to write, nil for none. The stored clock mark goes with it: a new record begins without one.
  package var record: PremiumRecord?
  /// Whether to tell the user to restart to enable sync.
  package var showsRestartToast = false
  /// The new value of `hasShownPremiumRestartToast`, nil when it stays.
  package var toastFlag: Bool?
  /// Whether the status is another than the one last announced.
  package var statusChanged = false
  /// The warning to log, with both values.
  package var mismatch: Mismatch?
  /// The claims that turned out wrong.
  package var corrections: [PremiumCorrection] = []

  package init() {}
}
