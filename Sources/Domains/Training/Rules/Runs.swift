/// Runs of days, weeks or anything that is counted.
package struct Runs: Equatable {
  /// The run that is alive; 0 for none.
  package var current = 0
  package var longest = 0

  /// - Parameter numbers: Ascending, each once.
  /// - Parameter last: What a run has to reach, or the one before it, to be alive.
  package init(_ numbers: [Int], upTo last: Int) {
    var length = 0
    var before: Int?
    for number in numbers {
      length = before == number - 1 ? length + 1 : 1
      before = number
      longest = max(longest, length)
    }
    if let before, before == last || before == last - 1 { current = length }
  }
}
