import CivilTime
import DaybookProtocol
import Values

/// The smoothed weight: an exponentially weighted moving average by day.
package struct WeightTrend: Sendable, Equatable {
  /// By how much of a day's difference the trend follows (Walker, The Hacker's Diet, 1991).
  package static let smoothing = 0.1

  /// The readings, ascending, one a day.
  package let readings: [WeightReading]
  /// The first day with a trend; nil without a reading that counts.
  package let firstDay: CivilDay?
  /// Kilograms for `firstDay` and each day behind it up to the last reading that counts.
  package let values: [Double]

  /// The trend of readings that are ascending, one a day, with slips marked. It begins with the first that counts. A day
  /// without one is taken as lying on the straight line between its neighbours. Linear in the days.
  package init(_ readings: [WeightReading]) {
    self.readings = readings
    let counting = readings.filter { !$0.isSlip }
    firstDay = counting.first?.day
    guard var last = counting.first else {
      values = []
      return
    }
    var trend = last.kilograms
    var values = [trend]
    for reading in counting.dropFirst() {
      let days = reading.days(since: last)
      for day in stride(from: 1, through: days, by: 1) {
        let weight = last.kilograms + (reading.kilograms - last.kilograms) * Double(day) / Double(days)
        trend += WeightTrend.smoothing * (weight - trend)
        values.append(trend)
      }
      last = reading
    }
    self.values = values
  }

  /// The trend on a day, kg; nil before the first reading that counts and after the last.
  package func value(on day: CivilDay) -> Double? {
    guard let firstDay else { return nil }
    let index = Int(day.daysSinceEpoch) - Int(firstDay.daysSinceEpoch)
    return values.indices.contains(index) ? values[index] : nil
  }

  /// The last of some days that has a trend; nil when none has.
  package func lastDay(in days: ClosedRange<CivilDay>) -> CivilDay? {
    guard let firstDay, !values.isEmpty else { return nil }
    let last = min(firstDay.advanced(by: values.count - 1), days.upperBound)
    return last >= max(firstDay, days.lowerBound) ? last : nil
  }

  /// The reading of a day, slip or not.
  package func reading(on day: CivilDay) -> WeightReading? {
    let index = firstIndex(from: day)
    return index < readings.count && readings[index].day == day ? readings[index] : nil
  }

  /// The readings of some days that count.
  package func counting(_ days: ClosedRange<CivilDay>) -> [WeightReading] {
    readings[firstIndex(from: days.lowerBound)...].prefix { $0.day <= days.upperBound }.filter { !$0.isSlip }
  }

  /// Where the readings from a day on begin.
  private func firstIndex(from day: CivilDay) -> Int {
    var low = 0
    var high = readings.count
    while low < high {
      let middle = (low + high) / 2
      if readings[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Every day of a range, ready to draw; gaps are days without a weight.
  package func days(_ range: ClosedRange<CivilDay>) -> [WeightDay] {
    (range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch).map { number in
      let day = CivilDay(daysSinceEpoch: number)
      let reading = reading(on: day)
      return WeightDay(
        day: day, weight: reading.flatMap { Decimal(rounding: $0.kilograms, toScale: 3) },
        trend: value(on: day).flatMap { Decimal(rounding: $0, toScale: 3) }, doubtful: reading?.isSlip ?? false)
    }
  }
}
