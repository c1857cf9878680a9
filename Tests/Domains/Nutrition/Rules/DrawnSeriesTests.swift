import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Series of weights and expenditure")
struct DrawnSeriesTests {
  private let first = SomeDays.monday

  private func trend(_ weights: [Int: Double]) -> WeightTrend {
    WeightTrend(
      weights.sorted { $0.key < $1.key }.map { WeightReading(day: first.advanced(by: $0.key), kilograms: $0.value) })
  }

  @Test("A bucket has the statistics of its days and the trend of its last day that has one")
  func weights() {
    let trend = trend([0: 80, 1: 82, 3: 79, 16: 78])
    let points = WeightSeries.points(.week, in: first...first.advanced(by: 27), of: trend, firstWeekday: 0)
    #expect(points.map(\.weightDays) == [3, 0, 1, 0])
    #expect(points[0].mean == Decimal("80.333") && points[0].median == Decimal(80))
    #expect(points[0].lowest == Decimal(79) && points[0].highest == Decimal(82))
    #expect(points[0].trend == trend.value(on: first.advanced(by: 6)).flatMap { Decimal(rounding: $0, toScale: 3) })
    #expect(points[1].mean == nil && points[1].trend != nil, "a gap between weights has a trend")
    #expect(points[2].trend == trend.value(on: first.advanced(by: 16)).flatMap { Decimal(rounding: $0, toScale: 3) })
    #expect(points[3].mean == nil && points[3].trend == nil)
  }

  @Test("A daily series of weights equals the trend", arguments: 0..<10)
  func sameAsTrend(_ seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    var weights: [Int: Double] = [:]
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      weights[Int.random(in: 0..<40, using: &random)] = Double.random(in: 70...75, using: &random)
    }
    let (trend, days) = (trend(weights), first.advanced(by: -3)...first.advanced(by: 45))
    let points = WeightSeries.points(.day, in: days, of: trend, firstWeekday: 0)
    for (point, day) in zip(points, trend.days(days)) {
      #expect(point.from == day.day && point.mean == day.weight && point.trend == day.trend)
      #expect((point.weightDays == 0) == (point.mean == nil) && point.median == point.mean)
    }
    #expect(points.count == days.dayCount)
  }

  @Test("Outliers are in no bucket")
  func slips() {
    let readings = WeightReading.byDay([0, 1, 2, 3, 4].map { (first.advanced(by: $0), Decimal($0 == 2 ? 180 : 80)) })
    let point = WeightSeries.point(first...first.advanced(by: 6), of: WeightTrend(readings))
    #expect(point.weightDays == 4 && point.highest == Decimal(80))
  }

  @Test("Expenditure is averaged over days with an estimate, intake over logged days")
  func expenditure() {
    let days = (0..<14).map { offset in
      ExpenditureDay(
        day: first.advanced(by: offset), calories: offset % 2 == 0 ? 2000 + offset : nil,
        trend: offset < 5 ? Decimal(80) : nil, expenditure: offset < 2 ? 2500 + offset : nil)
    }
    let points = ExpenditureSeries.points(.week, in: first...first.advanced(by: 9), of: days, firstWeekday: 0)
    #expect(points.map(\.loggedDays) == [4, 3] && points.map(\.calories) == [2003, 2010])
    #expect(points.map(\.estimates) == [2, 0] && points.map(\.expenditure) == [2500, nil])
    #expect(points.map(\.trend) == [Decimal(80), nil])
  }
}
