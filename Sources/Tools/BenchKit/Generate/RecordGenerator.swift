import CivilTime
import Values

/// Generates years of records, oldest day first. The same arguments always give the same records, byte for byte.
package struct RecordGenerator: Sequence, Sendable {
  /// The collections of the records.
  static let collections = ["meals", "weights", "habitLogs", "workouts", "subscriptions"]

  /// Incremented when the same arguments give different records.
  static let version = 3

  /// The day after the last one.
  package static let end = CivilDay(daysSinceEpoch: 20_454)

  /// The average number of records per day at the usual density; 160,000 in ten years.
  private static let usual = 43.8

  /// The number of whole years, 1…100; the last is 2025.
  var years = 10
  var seed: UInt64 = 1
  /// The density, 1 being usual.
  var density = 1.0
  /// The exact number of records; nil leaves it to the density.
  var records: Int?

  /// The first day.
  package var start: CivilDay {
    CivilDay(year: RecordGenerator.end.components.year - years, month: 1, day: 1) ?? RecordGenerator.end
  }

  /// The creation time of the export: the end of the last day, in UTC.
  var finished: Instant { Instant(milliseconds: Int64(RecordGenerator.end.daysSinceEpoch) * 86_400_000) }

  /// A month of the first year, 1…12.
  package func oldMonth(_ month: Int) -> ClosedRange<CivilDay> {
    let year = start.components.year
    let last = CivilDay.length(ofMonth: month, year: year)
    guard let from = CivilDay(year: year, month: month, day: 1), let to = CivilDay(year: year, month: month, day: last)
    else { return start...start }
    return from...to
  }

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let generator: RecordGenerator
    private var life: Life
    /// The remaining records of the current day, last first.
    private var pending: [GeneratedRecord] = []
    private var made = 0

    fileprivate init(_ generator: RecordGenerator) {
      self.generator = generator
      life = Life(seed: generator.seed, from: generator.start.advanced(by: -1))
    }

    package mutating func next() -> GeneratedRecord? {
      if let limit = generator.records, made == limit { return nil }
      while pending.isEmpty {
        guard life.day.advanced(by: 1) < RecordGenerator.end else { return nil }
        liveOneDay()
      }
      made += 1
      return pending.popLast()
    }

    private mutating func liveOneDay() {
      life.wakeUp()
      let daysLeft = Int(RecordGenerator.end.daysSinceEpoch - life.day.daysSinceEpoch)
      if let limit = generator.records {
        // Adjusts the density so that the remaining days reach the limit.
        life.density = Int(Double(limit - made) / Double(daysLeft) / RecordGenerator.usual * 1000)
      } else {
        life.density = Int(generator.density * 1000)
      }
      life.appendWeight(to: &pending)
      life.appendMeals(to: &pending)
      life.appendHabitLogs(to: &pending)
      life.appendWorkout(to: &pending)
      life.appendSubscription(to: &pending)
      if daysLeft == 1, let limit = generator.records {
        while pending.count < limit - made { life.appendHabitLog(to: &pending) }
      }
      // By creation time, last first.
      pending.sort { $0.createdAt != $1.createdAt ? $0.createdAt > $1.createdAt : $0.id > $1.id }
    }
  }
}
