import Foundation

/// How long random histories are. Their number never changes, so that each seed is the same history, or a beginning of it.
package enum Histories {
  /// How much of them is gone through: `HISTORIES` of the environment.
  private static let percent = Budget.percent("HISTORIES", usual: 40)

  /// The steps of a history that has `all` of them; one at least.
  package static func steps(_ all: Int) -> Int { max(1, all * percent / 100) }
}

/// Which places of a sweep are tried, such as the calls before which the power is cut.
package enum Sweeps {
  /// How many of them are: `SWEEPS` of the environment.
  private static let percent = Budget.percent("SWEEPS", usual: 20)

  /// How far apart they are where their number is not known before.
  package static let step = max(1, 100 / percent)

  /// The places that are tried: the first, the last, and so many between them, as far apart as one another.
  package static func places(_ all: some Sequence<Int>) -> [Int] {
    let all = Array(all)
    guard let last = all.last else { return [] }
    return all.enumerated().filter { index, _ in index * percent % 100 < percent }.map(\.element).filter { $0 != last }
      + [last]
  }
}

/// How much of a long test is done.
enum Budget {
  /// A variable of the environment as a percentage from 1 to 100.
  static func percent(_ variable: String, usual: Int) -> Int {
    min(100, max(1, ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? usual))
  }
}
