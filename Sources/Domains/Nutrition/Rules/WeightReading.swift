import CivilTime
import DaybookProtocol
import Values

/// What the scales said on a day.
package struct WeightReading: Sendable, Equatable {
  /// The day.
  package var day: CivilDay
  /// Kilograms.
  package var kilograms: Double
  /// Whether it is taken for a slip, and left out of what is computed.
  package var isSlip = false

  /// A reading that is no slip.
  package init(day: CivilDay, kilograms: Double) {
    self.day = day
    self.kilograms = kilograms
  }

  /// One reading for each day with weights, ascending: the median of the day's, of two the mean. Slips are marked.
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
    return WeightSlips.marked(readings)
  }

  /// Days from another reading's day to this one's.
  func days(since other: WeightReading) -> Int { Int(day.daysSinceEpoch) - Int(other.day.daysSinceEpoch) }
}
