import Foundation

/// How long random histories are. Their number never changes, so that each seed is the same history, or a beginning of it.
package enum Histories {
  /// How much of them is gone through, in percent, from 1 up: `HISTORIES` of the environment, all when absent.
  private static let percent = ProcessInfo.processInfo.environment["HISTORIES"].flatMap(Int.init) ?? 100

  /// The steps of a history that has `usual` of them; one at least.
  package static func steps(_ usual: Int) -> Int { max(1, usual * max(1, percent) / 100) }
}
