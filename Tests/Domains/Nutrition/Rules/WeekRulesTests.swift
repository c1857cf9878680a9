import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Weeks")
struct WeekRulesTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let deficits: [Int?]
    let isRestDayOn: Bool
    let average: Int?
    let kind: ConsistencyKind
    let hits: Int
    let percentage: Int

    var testDescription: String { "\(deficits), rest day \(isRestDayOn ? "on" : "off")" }
  }

  /// The documented vectors, those of the reference, and edge cases.
  private static let vectors = [
    Vector(
      deficits: [763, 363, -237], isRestDayOn: true, average: 375, kind: .mostlyOnTrack, hits: 2, percentage: 66),
    Vector(deficits: [763, 363, -237], isRestDayOn: false, average: 296, kind: .notOnTrack, hits: 1, percentage: 33),
    Vector(deficits: [763, 363], isRestDayOn: true, average: 563, kind: .onTrack, hits: 2, percentage: 100),
    Vector(deficits: [763, 363], isRestDayOn: false, average: 563, kind: .onTrack, hits: 1, percentage: 50),
    Vector(
      deficits: [763, 363, -237, nil], isRestDayOn: true, average: 375, kind: .mostlyOnTrack, hits: 2, percentage: 66),
    Vector(deficits: [-200, -301], isRestDayOn: false, average: -250, kind: .aboveRange, hits: 0, percentage: 0),
    Vector(deficits: [-200, -301], isRestDayOn: true, average: -100, kind: .aboveRange, hits: 1, percentage: 50),
    Vector(deficits: [-1, 0], isRestDayOn: false, average: 0, kind: .notOnTrack, hits: 0, percentage: 0),
    Vector(deficits: [500, 600], isRestDayOn: true, average: 550, kind: .onTrack, hits: 2, percentage: 100),
    Vector(deficits: [nil, nil], isRestDayOn: true, average: nil, kind: .noData, hits: 0, percentage: 0),
    Vector(deficits: [], isRestDayOn: true, average: nil, kind: .noData, hits: 0, percentage: 0),
  ]

  @Test("Average, class and hits match the documented vectors", arguments: vectors)
  func table(_ vector: Vector) {
    let settings = vector.isRestDayOn ? SomeDays.settings : SomeDays.strict
    let week = WeekRules.consistency(SomeDays.with(deficits: vector.deficits), settings: settings)
    #expect(week.averageDeficit == vector.average)
    #expect(week.kind == vector.kind)
    #expect(week.hits == vector.hits)
    #expect(week.daysWithData == vector.deficits.compactMap(\.self).count)
    #expect(week.hitPercentage == vector.percentage)
    #expect(week.averageText == vector.average.map { "~\($0) kcal a day" })
  }

  @Test(
    "Thresholds are at zero, the truncated seven tenths, and the target",
    arguments: [
      (-1, 500, ConsistencyKind.aboveRange), (0, 500, .notOnTrack), (349, 500, .notOnTrack), (350, 500, .mostlyOnTrack),
      (499, 500, .mostlyOnTrack), (500, 500, .onTrack), (209, 300, .notOnTrack), (210, 300, .mostlyOnTrack),
      (524, 750, .notOnTrack), (525, 750, .mostlyOnTrack), (6, 9, .mostlyOnTrack), (5, 9, .notOnTrack),
      (0, 0, .onTrack),
    ] as [(Int, Int, ConsistencyKind)])
  func thresholds(_ average: Int, _ target: Int, _ kind: ConsistencyKind) {
    #expect(WeekRules.kind(average: average, target: target) == kind)
  }

  @Test("Of equally bad days the first is the rest day, and a day at the target is never")
  func restDay() {
    let days = SomeDays.with(deficits: [500, 100, 100, nil, 600])
    #expect(WeekRules.restDay(days, settings: SomeDays.settings) == SomeDays.monday.advanced(by: 1))
    #expect(WeekRules.restDay(days, settings: SomeDays.strict) == nil)
    #expect(WeekRules.restDay(SomeDays.with(deficits: [500, 501]), settings: SomeDays.settings) == nil)
  }

  @Test(
    "A day's class depends on the rest of the eating target",
    arguments: [
      (0, DayStanding.withinTarget), (2263, .withinTarget), (2264, .slightlyOver), (2263 + 414, .slightlyOver),
      (2263 + 415, .wellOver),
    ] as [(Int, DayStanding)])
  func standing(_ consumed: Int, _ standing: DayStanding) {
    #expect(DayRules.standing(SomeDays.day(0, consumed: consumed), settings: SomeDays.settings) == standing)
  }

  @Test("The days of a week come from the first weekday on, each once")
  func days() {
    let facts = SomeDays.with(deficits: [763, 363, -237, nil, nil, nil, 100])
    let week = SomeDays.monday.advanced(by: 2).week(from: 0)
    let days = WeekRules.days(week, in: facts, settings: SomeDays.settings)
    #expect(days.map(\.day) == Array(week.days))
    #expect(
      days.map(\.standing) == [
        .withinTarget, .slightlyOver, .restDay, .noData, .noData, .noData, .slightlyOver,
      ])
    #expect(days.map(\.countedDeficit) == [763, 363, 0, nil, nil, nil, 100])
    #expect(days[3].deficitAchieved == 2763, "what no day lacks is what could still be eaten")
    let sundays = WeekRules.days(SomeDays.monday.week(from: 6), in: facts, settings: SomeDays.settings)
    #expect(
      sundays.map(\.standing) == [
        .noData, .withinTarget, .slightlyOver, .restDay, .noData, .noData, .noData,
      ])
  }

  @Test("Switching the rest day on lowers no average and no number of hits", arguments: 0..<200)
  func neverLower(_ seed: Int) throws {
    var random = SeededNumbers(seed: UInt64(seed))
    let deficits = (0..<7).map { _ in Bool.random(using: &random) ? Int.random(in: -900...900, using: &random) : nil }
    let days = SomeDays.with(deficits: deficits)
    let with = WeekRules.consistency(days, settings: SomeDays.settings)
    let without = WeekRules.consistency(days, settings: SomeDays.strict)
    #expect(with.averageDeficit ?? 0 >= without.averageDeficit ?? 0)
    #expect(with.hits >= without.hits && with.hits <= with.daysWithData)
    let counted = WeekRules.days(SomeDays.monday.week(from: 0), in: days, settings: SomeDays.settings)
      .compactMap(\.countedDeficit)
    #expect(with.averageDeficit == (counted.isEmpty ? nil : counted.reduce(0, +) / counted.count))
  }
}
