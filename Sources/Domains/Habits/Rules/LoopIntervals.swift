/// Days that count as done because enough was done around them, as Loop Habit Tracker infers them for “x times in y days”: once x days
/// fall into an interval of y, all of it has enough, and intervals that would overlap move together.
package enum LoopIntervals {
  private struct Interval {
    var begin: Int
    let center: Int
    var end: Int
  }

  /// The ranges of day numbers that have enough, in any order; they may overlap.
  ///
  /// - Parameter met: The numbers of the days on which it was done, ascending.
  package static func covered(times: Int, days: Int, met: [Int]) -> [Range<Int>] {
    guard times > 0, days > 0, met.count >= times else { return [] }
    // The latest first, as every interval makes room for the one behind it.
    var intervals: [Interval] = []
    for last in stride(from: met.count - 1, through: times - 1, by: -1) {
      let (begin, center) = (met[last - times + 1], met[last])
      guard center - begin < days else { continue }
      var interval = Interval(begin: begin, center: center, end: begin + days - 1)
      if let next = intervals.last {
        let overlap = interval.end - next.begin
        if overlap >= 0 {
          let shift = min(interval.end - interval.center, overlap + 1)
          interval.begin -= shift
          interval.end -= shift
        }
      }
      intervals.append(interval)
    }
    return intervals.map { $0.begin..<$0.end + 1 }
  }
}
