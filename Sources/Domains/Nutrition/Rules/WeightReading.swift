import DaybookProtocol

/// A day's weight.
package struct WeightReading: Sendable, Equatable {
  package var day: CivilDay
  package var kilograms: Double
  /// Whether it is implausible, and left out of all computations.
  package var isOutlier = false

  /// One reading per day, ascending: the median of the day's weights. Outliers are marked.
  package static func byDay(_ weights: [(day: CivilDay, kilograms: Decimal)]) -> [WeightReading] {
    let sorted = weights.sorted { ($0.day, $0.kilograms) < ($1.day, $1.kilograms) }
    var readings: [WeightReading] = []
    var start = 0
    while start < sorted.count {
      let day = sorted[start].day
      var end = start
      while end < sorted.count, sorted[end].day == day { end += 1 }
      let low = sorted[(start + end - 1) / 2].kilograms.double
      let high = sorted[(start + end) / 2].kilograms.double
      readings.append(WeightReading(day: day, kilograms: low == high ? low : (low + high) / 2))
      start = end
    }
    return WeightOutliers.marked(readings)
  }

  func days(since other: WeightReading) -> Int { Int(day.daysSinceEpoch) - Int(other.day.daysSinceEpoch) }
}

/// Detects implausible readings: a missing digit, pounds for kilograms, another person's weight.
package enum WeightOutliers {
  /// The plausible difference of two readings of one day, as a fraction: more than water, food and clothes make.
  static let tolerance = 0.05
  /// The increase of `tolerance` per day between two readings: twice what a fast loses.
  static let tolerancePerDay = 0.0025
  /// The number of neighbours to compare with on either side.
  package static let neighbours = 3

  /// The readings, ascending by day, with outliers marked.
  ///
  /// A reading is an outlier if most of the three before it and most of the three after it are beyond the tolerance on the same
  /// side; a lasting jump is therefore none. At either end the one side decides if it has two readings, so that the latest
  /// reading can be an outlier until another confirms it.
  static func marked(_ readings: [WeightReading]) -> [WeightReading] {
    var marked = readings
    for index in readings.indices {
      let before = verdict(readings[index], readings[max(0, index - neighbours)..<index])
      let after = verdict(readings[index], readings[(index + 1)..<min(readings.count, index + 1 + neighbours)])
      marked[index].isOutlier =
        if before.count == 0 || after.count == 0 {
          before.side + after.side != 0 && before.count + after.count > 1
        } else {
          before.side != 0 && before.side == after.side
        }
    }
    return marked
  }

  /// The side of the reading on which most others are beyond the tolerance: −1, 1, or 0 for neither; and the number of others.
  private static func verdict(_ reading: WeightReading, _ others: ArraySlice<WeightReading>) -> (side: Int, count: Int)
  {
    var (below, above) = (0, 0)
    for other in others {
      let allowed = other.kilograms * (tolerance + tolerancePerDay * Double(abs(reading.days(since: other))))
      if other.kilograms < reading.kilograms - allowed { below += 1 }
      if other.kilograms > reading.kilograms + allowed { above += 1 }
    }
    let side = below * 2 > others.count ? -1 : above * 2 > others.count ? 1 : 0
    return (side, others.count)
  }
}
