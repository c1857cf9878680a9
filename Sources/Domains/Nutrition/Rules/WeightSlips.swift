/// Readings that cannot be: a digit missed, pounds for kilograms, somebody else on the scales.
enum WeightSlips {
  /// How far a reading may be from another one of the same day, as a fraction of it: more than water, food and clothes make.
  static let tolerance = 0.05
  /// By how much more with each day between them: twice what a fast loses.
  static let tolerancePerDay = 0.0025
  /// How many readings on either side are asked.
  static let neighbours = 3

  /// The same readings, ascending by day, with slips marked.
  ///
  /// A reading is a slip when most of the three before it and most of the three after it lie on the same side of it beyond the
  /// tolerance. So a jump that stays is none. At either end of the readings one side decides, if it has two of them; the latest
  /// reading is thereby one until another confirms it.
  static func marked(_ readings: [WeightReading]) -> [WeightReading] {
    var marked = readings
    for index in readings.indices {
      let before = verdict(readings[index], readings[max(0, index - neighbours)..<index])
      let after = verdict(readings[index], readings[(index + 1)..<min(readings.count, index + 1 + neighbours)])
      marked[index].isSlip =
        switch (before, after) {
        case (.nobody, .nobody): false
        case (.nobody, .differ(let side, let count)), (.differ(let side, let count), .nobody): side != 0 && count > 1
        case (.differ(let one, _), .differ(let other, _)): one != 0 && one == other
        }
    }
    return marked
  }

  private enum Verdict {
    case nobody
    /// On which side of the reading most lie beyond the tolerance: −1, 1, or 0 for neither; and how many were asked.
    case differ(side: Int, count: Int)
  }

  private static func verdict(_ reading: WeightReading, _ others: ArraySlice<WeightReading>) -> Verdict {
    guard !others.isEmpty else { return .nobody }
    var sides = (below: 0, above: 0)
    for other in others {
      let allowed = other.kilograms * (tolerance + tolerancePerDay * Double(abs(reading.days(since: other))))
      if other.kilograms < reading.kilograms - allowed { sides.below += 1 }
      if other.kilograms > reading.kilograms + allowed { sides.above += 1 }
    }
    if sides.below * 2 > others.count { return .differ(side: -1, count: others.count) }
    if sides.above * 2 > others.count { return .differ(side: 1, count: others.count) }
    return .differ(side: 0, count: others.count)
  }
}
