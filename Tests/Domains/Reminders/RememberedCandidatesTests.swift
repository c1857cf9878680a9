import CivilTime
import Synchronization
import Testing

@testable import Reminders

@Suite("Candidates made once")
struct RememberedCandidatesTests {
  /// Counts how often it is visited.
  private final class Counting: ReminderCandidates {
    let visits = Mutex(0)
    private let candidate: ReminderCandidate

    init(_ candidate: ReminderCandidate) { self.candidate = candidate }

    func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
      visits.withLock { $0 += 1 }
      if candidate.id.fireDay <= end { body(candidate) }
    }
  }

  @Test("They are made again only for days that were not asked for before")
  func once() throws {
    let source = Counting(try Sample.candidate("a", "2026-05-20", "08:00"))
    let remembered = RememberedCandidates(source)
    func found(from start: String, through end: String) throws -> Int {
      var count = 0
      remembered.visit(from: try Sample.instant(start), through: try Sample.day(end)) { _ in count += 1 }
      return count
    }
    #expect(try found(from: "2026-05-10T00:00:00.000Z", through: "2026-05-15") == 0)
    #expect(try found(from: "2026-05-11T00:00:00.000Z", through: "2026-05-12") == 0)
    #expect(source.visits.withLock { $0 } == 1)
    #expect(try found(from: "2026-05-12T00:00:00.000Z", through: "2026-05-25") == 1)
    #expect(try found(from: "2026-05-10T00:00:00.000Z", through: "2026-05-25") == 1)
    #expect(source.visits.withLock { $0 } == 2)
    #expect(try found(from: "2026-05-09T00:00:00.000Z", through: "2026-05-11") == 1, "extra candidates do no harm")
    #expect(source.visits.withLock { $0 } == 3)
  }
}
