/// The days that “x times in y days” covers, as inferred by Loop Habit Tracker: x successes within y days cover an
/// interval of y days, and overlapping intervals are shifted apart. Unlike in Loop, 30 and 31 days do not mean a
/// calendar month, which has a schedule of its own.
package enum LoopIntervals {
  /// The covered ranges of day numbers, disjoint, latest first. O(days met).
  ///
  /// - Parameter met: The numbers of the successful days, ascending.
  package static func covered(times: Int, days: Int, met: [Int]) -> [Range<Int>] {
    guard times > 0, days > 0, met.count >= times else { return [] }
    var ranges: [Range<Int>] = []
    // Intervals make room for the next later one, as long as they still contain their last success.
    var next = Int.max
    for last in stride(from: met.count - 1, through: times - 1, by: -1) {
      var begin = met[last - times + 1]
      guard met[last] - begin < days else { continue }
      let end = begin + days
      begin -= max(0, min(end - 1 - met[last], end - next))
      ranges.append(begin..<min(begin + days, next))
      next = begin
    }
    return ranges
  }
}
