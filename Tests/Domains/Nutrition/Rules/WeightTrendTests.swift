import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Nutrition

struct WeightTrendTests {
  private let start = CivilDay(daysSinceEpoch: 20_000)

  private func readings(_ weights: [(Int, Double)]) -> [WeightReading] {
    WeightOutliers.marked(weights.map { WeightReading(day: start.advanced(by: $0.0), kilograms: $0.1) })
  }

  @Test("The trend moves by a tenth of the difference, and interpolates gaps")
  func smoothing() {
    let trend = WeightTrend(readings([(0, 80), (1, 81), (3, 79)]))
    #expect(trend.firstDay == start)
    let expected = [80, 80.1, 80.09, 79.981]
    #expect(trend.values.count == 4)
    for (value, wanted) in zip(trend.values, expected) { #expect(abs(value - wanted) < 1e-9) }
    #expect(trend.value(on: start.advanced(by: -1)) == nil)
    #expect(trend.value(on: start.advanced(by: 4)) == nil)
  }

  @Test("What is older than its memory does not change a trend", arguments: [1, 7])
  func memory(every step: Int) throws {
    let weights = stride(from: 0, to: 2000, by: step).map { day -> (Int, Double) in
      let isOutlier = day % 11 == 0
      return (day, isOutlier ? 120.0 : 80.0 + Double(day * 37 % 100) / 25.0)
    }
    let last = try #require(weights.last).0
    let days = (start.advanced(by: last), last - WeightTrend.memory * 5 / 4)
    let all = try #require(WeightTrend(readings(weights)).value(on: days.0))
    let some = try #require(WeightTrend(readings(weights.filter { $0.0 >= days.1 })).value(on: days.0))
    #expect(abs(all - some) < 1e-11)
  }

  @Test("Without weights there is no trend, but every day is listed")
  func empty() {
    let trend = WeightTrend([])
    #expect(trend.firstDay == nil && trend.values.isEmpty)
    #expect(
      trend.days(start...start.advanced(by: 1)).allSatisfy { $0.weight == nil && $0.trend == nil && !$0.doubtful })
  }

  @Test("A day's weights count as their median, in any order")
  func medians() throws {
    let weights: [(day: CivilDay, kilograms: Decimal)] = try [("83", 0), ("80", 0), ("81", 0), ("82", 1), ("81", 1)].map
    {
      (start.advanced(by: $0.1), try #require(Decimal($0.0)))
    }
    let expected = [81, 81.5]
    #expect(WeightReading.byDay(weights).map(\.kilograms) == expected)
    #expect(WeightReading.byDay(weights.reversed()).map(\.kilograms) == expected)
  }

  @Test("A trend is within the range of its weights", arguments: 0..<50)
  func bounded(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let weights = (0..<60).filter { _ in Bool.random(using: &random) }.map {
      ($0, Double.random(in: 60...90, using: &random))
    }
    let readings = readings(weights)
    let counting = readings.filter { !$0.isOutlier }.map(\.kilograms)
    let trend = WeightTrend(readings)
    let low = try #require(counting.min())
    let high = try #require(counting.max())
    #expect(trend.values.allSatisfy { $0 > low - 1e-9 && $0 < high + 1e-9 })
    let series = trend.days(start...start.advanced(by: 59))
    #expect(series.count == 60)
    #expect(series.filter { $0.weight != nil }.count == readings.count)
  }

  @Test("A single outlier changes nothing, wherever it is", arguments: Array(0..<30), [8.2, 182, 60, 95] as [Double])
  func slips(_ at: Int, _ slip: Double) {
    var weights: [(Int, Double)] = (0..<30).map { day in
      let water: Double = day % 2 == 0 ? 0.4 : -0.4
      return (day, 82 - 0.05 * Double(day) + water)
    }
    weights[at].1 = slip
    let marked = readings(weights)
    #expect(marked.indices.filter { marked[$0].isOutlier } == [at])
    weights.remove(at: at)
    let without = WeightTrend(readings(weights))
    let trend = WeightTrend(marked)
    for offset in 1..<29 {
      let day = start.advanced(by: offset)
      #expect(abs((trend.value(on: day) ?? 0) - (without.value(on: day) ?? trend.value(on: day) ?? 0)) < 1e-9)
    }
  }

  @Test("A lasting jump is not an outlier")
  func jump() {
    let weights = [(0, 90.0), (1, 90.2), (2, 89.8), (3, 80.0), (4, 80.1), (5, 79.9)]
    #expect(readings(weights).allSatisfy { !$0.isOutlier })
  }

  @Test("Weights after a long pause are not outliers, however different")
  func pause() {
    #expect(readings([(0, 95), (1, 95), (2, 95), (200, 80), (201, 80.3)]).allSatisfy { !$0.isOutlier })
  }

  @Test("Of two weights neither is an outlier", arguments: [8.2, 182])
  func two(_ other: Double) { #expect(readings([(0, 82), (1, other)]).allSatisfy { !$0.isOutlier }) }
}
