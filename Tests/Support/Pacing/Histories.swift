import Foundation

/// The length of random histories. Their number is fixed, so that each seed gives the same history or a prefix of it.
package enum Histories {
  /// The percentage to run, from `HISTORIES` in the environment.
  private static let percent = Budget.percent("HISTORIES", usual: 40)

  /// The number of steps of a history with `all` steps, at least one.
  package static func steps(_ all: Int) -> Int { max(1, all * percent / 100) }
}

/// The points of a sweep that are tested, such as the calls before which power is cut.
package enum Sweeps {
  /// The percentage to test, from `SWEEPS` in the environment.
  private static let percent = Budget.percent("SWEEPS", usual: 20)

  /// The stride where their number is not known in advance.
  package static let step = max(1, 100 / percent)

  /// The tested points: the first, the last, and evenly spaced ones between them.
  package static func places(_ all: some Sequence<Int>) -> [Int] {
    let all = Array(all)
    guard let last = all.last else { return [] }
    return all.enumerated().filter { index, _ in index * percent % 100 < percent }.map(\.element).filter { $0 != last }
      + [last]
  }
}

/// The portion of a long test that is run.
enum Budget {
  /// An environment variable as a percentage from 1 to 100.
  static func percent(_ variable: String, usual: Int) -> Int {
    min(100, max(1, ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? usual))
  }
}
