import DaybookProtocol
import Testing

@testable import DaybookServer
@testable import Reminders

/// When to check for due reminders.
@Suite("The book of reminders")
struct ReminderBookTests {
  private func instant(_ minute: Int64) -> Instant { Instant(milliseconds: minute * 60_000) }

  private func plan(madeAt minute: Int64, next: Int64?) -> ReminderPlan {
    ReminderPlan(
      madeAt: instant(minute), entries: [], total: next == nil ? 0 : 1, changesAt: next.map { instant($0) })
  }

  @Test("At first a check is due, and then none before the first planned reminder, or ever without one")
  func first() {
    var book = ReminderBook()
    #expect(book.isCheckDue && !book.isDue(instant(0)))
    book.replace(by: plan(madeAt: 0, next: 10))
    #expect(book.isCheckDue && book.checkedUntil == nil, "what was missed before the start is not looked for yet")
    book.recordCheck(instant(1))
    #expect(!book.isCheckDue && book.checkedUntil == instant(1))
    #expect(!book.isDue(instant(9)) && book.isDue(instant(10)) && book.isDue(instant(11)))
    book.replace(by: plan(madeAt: 2, next: nil))
    #expect(!book.isDue(instant(1_000_000)) && !book.isCheckDue)
  }

  @Test("A due reminder is still checked for when the plan that has it is replaced first")
  func replaced() {
    var book = ReminderBook()
    book.recordCheck(instant(0))
    book.replace(by: plan(madeAt: 0, next: 10))
    book.replace(by: plan(madeAt: 10, next: 60))
    #expect(book.isCheckDue && !book.isDue(instant(10)) && book.checkedUntil == instant(0))
    // Nor does a further plan drop it.
    book.replace(by: plan(madeAt: 11, next: 60))
    #expect(book.isCheckDue && book.checkedUntil == instant(0))
  }

  @Test("Past reminders of a replacing plan are not checked for")
  func past() {
    var book = ReminderBook()
    book.recordCheck(instant(0))
    book.replace(by: plan(madeAt: 0, next: 60))
    book.replace(by: plan(madeAt: 30, next: 40))
    #expect(!book.isCheckDue && book.checkedUntil == instant(30))
  }

  @Test("A missed reminder is due at its catch-up time, and not once its item has reminded")
  func missed() throws {
    func id(_ item: String, _ minute: Int) throws -> ReminderID {
      try ReminderID(source: .habits, item: item, day: CivilDay(daysSinceEpoch: 0), minute: minute)
    }
    let (one, two) = (try id("a", 0), try id("b", 0))
    var book = ReminderBook()
    book.recordCheck(instant(0))
    book.missed = [one: instant(5), two: instant(9)]
    #expect(!book.isDue(instant(4)) && book.isDue(instant(5)) && book.missedUntil(instant(5)) == [one])
    book.recordCheck(instant(5))
    #expect(!book.isDue(instant(5)) && book.missedUntil(instant(9)) == [two])
    book.recordCheck(instant(6), delivered: [try id("b", 360)])
    #expect(!book.isDue(instant(9)))
  }
}
