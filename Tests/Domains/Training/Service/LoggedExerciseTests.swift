import CivilTime
import DaybookProtocol
import DomainKit
import Testing
import TrainingService
import Values

@Suite("Sessions logged as exercise entries")
struct LoggedExerciseTests {
  private let day = CivilDay(daysSinceEpoch: 20_000)

  private func finished(_ kcal: Int?, _ name: String = "Push", after days: Int = 0) -> WorkoutSession {
    let day = day.advanced(by: days)
    let start = Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000)
    return WorkoutSession(
      id: EntityID(high: 1, low: 1), day: day, zone: .utc, version: 1, startedAt: start,
      endedAt: start.advanced(by: 3_600_000), seconds: 3600, name: name, modules: [], kcal: kcal, createdAt: start,
      updatedAt: start)
  }

  private func logged(
    _ session: WorkoutSession, after old: WorkoutSession? = nil, _ stored: ExerciseEntry? = nil, isWanted: Bool = true
  ) -> ExerciseEntry? {
    LoggedExercise.entry(of: session, after: old, stored: stored, isWanted: isWanted, zone: .utc)
  }

  @Test("A finished session is logged if logging is on and it has energy", arguments: [nil, 0, 300])
  func finishes(kcal: Int?) {
    #expect(logged(finished(kcal))?.calories == (kcal == 300 ? 300 : nil))
    #expect(logged(finished(kcal), isWanted: false) == nil)
  }

  @Test("A correction updates everything that was not corrected by hand")
  func follows() throws {
    let (old, new) = (finished(300), finished(200, "Pull", after: 1))
    let stored = try #require(logged(old))
    let next = try #require(logged(new, after: old, stored))
    #expect(next.calories == 200 && next.name == "Pull" && next.day == day.advanced(by: 1))
    var own = stored
    own.calories = 250
    let kept = try #require(logged(new, after: old, own))
    #expect(kept.calories == 250 && kept.name == "Pull" && kept.day == day.advanced(by: 1))
    own = stored
    (own.name, own.day) = ("Bench", day.advanced(by: 5))
    let other = try #require(logged(new, after: old, own))
    #expect(other.calories == 200 && other.name == "Bench" && other.day == day.advanced(by: 5))
    #expect(logged(old, after: old, own) == own)
  }

  @Test("An entry deleted by hand stays deleted; a missing one is created once there is energy")
  func absent() {
    #expect(logged(finished(200), after: finished(300)) == nil)
    #expect(logged(finished(200), after: finished(nil))?.calories == 200)
    var imported = finished(200)
    imported.importedFrom = "Strong"
    #expect(logged(imported, after: finished(nil)) == nil)
  }

  @Test("Without energy the estimate is removed, and the user's number stays")
  func withoutEnergy() throws {
    let stored = try #require(logged(finished(300)))
    #expect(logged(finished(nil), after: finished(300), stored) == nil)
    var own = stored
    own.calories = 250
    #expect(logged(finished(nil), after: finished(300), own) == own)
  }
}
