import Habits
import Testing

@Suite("The limit of active habits")
struct HabitLimitTests {
  @Test("The fifth habit is free, the sixth needs premium", arguments: [(4, true), (5, false), (500, false)])
  func habits(_ active: Int, _ isAllowed: Bool) {
    #expect(HabitLimit.mayActivate(active: active, hasAccess: false) == isAllowed)
    #expect(HabitLimit.mayActivate(active: active, hasAccess: true))
  }
}
