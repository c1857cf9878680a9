import DaybookProtocol
import Premium
import Reminders
import Testing

@testable import Subscriptions

struct SubscriptionReminderTests {
  private func plan(
    _ subscriptions: [Subscription], budgets: [Budget] = [], leads: [Int] = [3], now: String = "2026-05-01T12:00:00Z",
    through: String = "2026-06-30", hasAccess: Bool = true, isEnabled: Bool = true
  ) throws -> [String] {
    let zone = try SystemTimeZoneDatabase.fromEnvironment().rules(named: "Europe/Berlin")
    let inputs = ReminderInputs(
      candidates: SubscriptionReminders(
        subscriptions, budgets: budgets, leadDays: leads, time: try #require(WallTime(hour: 9, minute: 0)), zone: zone,
        hasAccess: hasAccess),
      zone: zone, settings: ReminderSettings(isEnabled: isEnabled))
    let plan = ReminderPlan.make(inputs, now: try #require(Instant(now)), through: Some.day(through))
    return plan.entries.map { "\($0.fireAt) \($0.id) \($0.body)" }
  }

  private static let id = "00000000-0000-0001-0000-000000000001"

  @Test("A charge due on 10 May is reminded of three days before at 09:00, and then the next one")
  func charge() throws {
    let subscription = Some.subscription("15.49 USD", .monthly, "2026-05-10", name: "Netflix")
    #expect(
      try plan([subscription]) == [
        "2026-05-07T07:00:00.000Z subscriptions:\(Self.id):2026-05-10:0900-3d Netflix — $15.49 renews in 3 days.",
        "2026-06-07T07:00:00.000Z subscriptions:\(Self.id):2026-06-10:0900-3d Netflix — $15.49 renews in 3 days.",
      ])
    // Seven days before has already passed.
    #expect(try plan([subscription], now: "2026-05-07T07:00:00Z").count == 1)
    #expect(try plan([subscription], isEnabled: false).isEmpty)
    #expect(try plan([subscription], leads: []).isEmpty)
    #expect(try plan([subscription], leads: [7, 1], through: "2026-05-31").count == 2)
  }

  @Test("Without premium the lead is one day; lead days set with premium return with it")
  func free() throws {
    let subscription = Some.subscription("15.49 USD", .monthly, "2026-05-10", name: "Netflix").with {
      $0.reminderDays = [5, 2]
    }
    #expect(try plan([subscription], through: "2026-05-31", hasAccess: false).map { $0.prefix(10) } == ["2026-05-09"])
    #expect(
      try plan([subscription], through: "2026-05-31").map { $0.prefix(10) } == ["2026-05-05", "2026-05-08"])
    #expect(try plan([subscription.with { $0.reminderDays = [] }], hasAccess: false).isEmpty)
  }

  @Test("Paid, skipped, paused and ended charges have no reminder, and a shifted one has it for its new day")
  func marks() throws {
    let day = Some.day("2026-05-10")
    let subscription = Some.subscription("1 EUR", .monthly, "2026-05-10")
    let cases: [(Subscription, Int)] = [
      (subscription.marking(ChargeMark(occurrence: day, kind: .kept, paidOn: day)), 0),
      (subscription.marking(ChargeMark(occurrence: day, kind: .skipped)), 0),
      (subscription.pausing(from: day), 0), (subscription.cancelled(from: day), 0),
      (subscription.marking(ChargeMark(occurrence: day, kind: .shifted, shiftedTo: day.advanced(by: 2))), 1),
    ]
    for (subscription, count) in cases {
      let entries = try plan([subscription], through: "2026-05-20")
      #expect(entries.count == count)
      #expect(entries.allSatisfy { $0.hasPrefix("2026-05-09") })
    }
  }

  @Test("A reminder is known before and after it fires, also of a charge paid since; no other time or lead is")
  func gives() throws {
    let zone = try SystemTimeZoneDatabase.fromEnvironment().rules(named: "Europe/Berlin")
    let day = Some.day("2026-05-10")
    let open = Some.subscription("15.49 EUR", .monthly, "2026-05-10", name: "Netflix")
    let paid = open.marking(ChargeMark(occurrence: day, kind: .kept, paidOn: day))
    for subscription in [open, paid] {
      let reminders = SubscriptionReminders(
        [subscription], budgets: [Some.budget("10 EUR", .monthly, "2026-05-01")], leadDays: [3],
        time: try #require(WallTime(hour: 9, minute: 0)), zone: zone, hasAccess: true)
      for (id, isKnown) in [
        ("\(Self.id):2026-05-10:0900-3d", true), ("\(Self.id):2026-05-10:0900-1d", false),
        ("\(Self.id):2026-05-10:1000-3d", false), ("\(Self.id):2026-05-11:0900-3d", false),
        ("00000000-0000-0001-0000-000000000009:2026-05-10:0900-3d", false),
      ] {
        #expect(reminders.gives(try ReminderID("subscriptions:" + id)) == isKnown, "\(id)")
      }
    }
  }

  @Test("The end of a trial is reminded of, unless it was cancelled before")
  func trial() throws {
    let subscription = Some.subscription("9.99 EUR", .monthly, "2026-05-20", name: "Max").with {
      $0.start = Some.day("2026-05-06")
      $0.trialEnd = Some.day("2026-05-20")
    }
    let entries = try plan([subscription], leads: [1], through: "2026-05-31")
    // It covers the first charge, which has no reminder of its own on that day.
    #expect(entries.count == 1)
    #expect(
      entries.last?.contains("The free trial of Max ends in 1 day; €9.99 is charged on 2026-05-20.") == true)
    let later = subscription.with { $0.anchor = Some.day("2026-05-25") }
    #expect(try plan([later], leads: [1], through: "2026-05-31").count == 2)
    #expect(try plan([subscription.cancelled(from: Some.day("2026-05-20"))], leads: [1]).isEmpty)
  }

  @Test("The deadline for notice is reminded of, and the next one after a renewal")
  func notice() throws {
    let contract = Contract(
      end: Some.day("2026-08-31"), notice: CalendarSpan(3, .month), renewal: CalendarSpan(1, .month))
    let subscription = Some.subscription("30 EUR", .yearly, "2026-01-01", name: "Gym").with { $0.contract = contract }
    let entries = try plan([subscription], leads: [2], through: "2026-07-10")
    #expect(
      entries.map { $0.prefix(10) } == ["2026-05-29", "2026-06-28"])
    #expect(entries[0].contains("The last day to cancel Gym for the end of 2026-08-31 is in 2 days."))
    #expect(try plan([subscription.cancelled(from: Some.day("2026-09-01"))], leads: [2]).isEmpty)
    #expect(contract.deadline(onOrAfter: Some.day("2026-06-01"))?.end == Some.day("2026-09-30"))
    #expect(
      Contract(end: Some.day("2026-08-31"), notice: CalendarSpan(3, .month)).deadline(onOrAfter: Some.day("2026-06-01"))
        == nil)
  }

  @Test("The charge that exceeds a budget is reminded of the day before")
  func budget() throws {
    let subscriptions = [
      Some.subscription("10 EUR", .monthly, "2026-05-05", number: 1, name: "A"),
      Some.subscription("100 EUR", .yearly, "2026-06-20", number: 2, name: "B"),
    ]
    let budget = Some.budget("50 EUR")
    let entries = try plan(subscriptions, budgets: [budget], leads: [], through: "2026-07-31")
    #expect(entries.count == 1)
    #expect(entries[0].hasPrefix("2026-06-19T07:00:00.000Z subscriptions:budget.\(Some.id(99)):2026-06-20:0900-1d"))
    #expect(entries[0].contains("B exceeds your budget in 1 day: €60.00 over €50.00 up to 2026-06-30."))
  }

  @Test("Windows of any length agree on the plan, in any order of queries", arguments: [1, 7, 30, 365])
  func windows(_ length: Int) throws {
    let subscriptions = Some.samples(today: "2026-05-01")
    let all = try plan(subscriptions, leads: [1, 7], through: "2027-06-30")
    let end = Some.day("2026-05-01").advanced(by: length)
    let short = try plan(subscriptions, leads: [1, 7], through: end.description)
    #expect(short == Array(all.prefix(short.count)))
    #expect(all.dropFirst(short.count).allSatisfy { String($0.prefix(10)) > end.description })
  }

  @Test("Contract ends and deadlines are counted from the day after, so that month ends recover")
  func contractMonthEnds() {
    let monthly = Contract(end: Some.day("2025-11-30"), notice: CalendarSpan(0, .day), renewal: CalendarSpan(1, .month))
    var ends: [String] = []
    var day = Some.day("2025-11-01")
    for _ in 0..<5 {
      guard let deadline = monthly.deadline(onOrAfter: day) else { break }
      #expect(deadline.day == deadline.end)
      ends.append(deadline.end.description)
      day = deadline.day.advanced(by: 1)
    }
    #expect(ends == ["2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31"])
    let february = Contract(end: Some.day("2026-02-28"), notice: CalendarSpan(1, .month))
    #expect(february.deadline(onOrAfter: Some.day("2026-01-31"))?.day == Some.day("2026-01-31"))
    #expect(february.deadline(onOrAfter: Some.day("2026-02-01")) == nil)
    let last = Contract(
      end: CivilDay.allowed.upperBound, notice: CalendarSpan(0, .day), renewal: CalendarSpan(1, .month))
    #expect(last.deadline(onOrAfter: CivilDay.allowed.upperBound)?.end == CivilDay.allowed.upperBound)
  }
}
