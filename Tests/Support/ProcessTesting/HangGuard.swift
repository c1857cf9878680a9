import Spawning

/// How long a test waits before it reports a hang; nothing else comes near it.
package enum HangGuard {
  /// The factor for slow machines, from the environment.
  package static let scale = SystemText.timeScale

  /// The limit in seconds.
  package static let seconds = 60 * scale
}

/// An error of the test harness.
package struct HarnessError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
