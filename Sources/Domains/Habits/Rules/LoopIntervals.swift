/// Days that count as done because enough was done around them, as Loop Habit Tracker infers them for “x times in y days”: once
/// x days fall into an interval of y, all of it has enough, and intervals that would overlap move together. Unlike Loop, 30 and
/// 31 days are no month of the calendar: there is a schedule of its own for that.
package enum LoopIntervals {
  /// The ranges of day numbers that have enough, apart from one another, the latest first. Takes time by the number of days met.
  ///
  /// - Parameter met: The numbers of the days on which it was done, ascending.
  package static func covered(times: Int, days: Int, met: [Int]) -> [Range<Int>] {
    guard times > 0, days > 0, met.count >= times else { return [] }
    var ranges: [Range<Int>] = []
    // The latest first, as every interval makes room for the one behind it, as far as the last of its days met stays in it.
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
