import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

struct ProblemTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let problem: String
    let change: @Sendable (inout Subscription) -> Void

    var testDescription: String { problem }
  }

  private static let samples = [
    Sample(problem: "/name missing") { $0.name = " \n" },
    Sample(problem: "/name length") { $0.name = String(repeating: "x", count: 201) },
    Sample(problem: "/prices/0/amount range") { $0.prices[0].amount = .zero },
    Sample(problem: "/prices/0/amount range") { $0.prices[0].amount = Decimal(-1) },
    Sample(problem: "/prices/0/amount range") { $0.prices[0].amount = Decimal(10_000_000_000) },
    Sample(problem: "/prices/0/amount precision") { $0.prices[0].amount = Some.decimal("1.00001") },
    Sample(problem: "/prices/1/amount range") {
      $0.prices.append(Some.price("0 EUR", from: "2026-02-01"))
    },
    Sample(problem: "/prices/2/from order") {
      let change = Some.price("1 EUR", from: "2026-02-01")
      $0.prices += [change, change]
    },
    Sample(problem: "/shares/2/from order") {
      $0.shares =
        [Some.share(1, of: 1)] + ["2026-03-01", "2026-02-01"].map { Some.share(1, of: 1, from: Some.day($0)) }
    },
    Sample(problem: "/shares/1/from range") {
      $0.shares = [Some.share(1, of: 1), Some.share(1, of: 1, from: Some.day("2201-01-01"))]
    },
    Sample(problem: "/cycle/every range") { $0.cycle = .every(0, .day) },
    Sample(problem: "/cycle/every range") { $0.cycle = .every(1001, .month) },
    Sample(problem: "/anchor range") { $0.anchor = Some.day("2201-01-01") },
    Sample(problem: "/anchor order") {
      $0.cycle = .once
      $0.start = $0.anchor.advanced(by: 1)
    },
    Sample(problem: "/anchor order") {
      $0.cycle = .lifetime
      $0.trialEnd = $0.anchor.advanced(by: 1)
    },
    Sample(problem: "/anchor order") {
      $0 = $0.changingCycle(to: .once, anchor: Some.day("2026-02-01"), from: Some.day("2026-03-01"))
    },
    Sample(problem: "/trialEnd order") { $0.trialEnd = $0.start },
    Sample(problem: "/end order") { $0.end = $0.start.advanced(by: -1) },
    Sample(problem: "/pauses/0/until order") {
      $0.pauses = [Pause(from: Some.day("2026-02-01"), until: Some.day("2026-02-01"))]
    },
    Sample(problem: "/pauses/0/until missing") {
      $0.pauses = [Pause(from: Some.day("2026-02-01")), Pause(from: Some.day("2026-03-01"))]
    },
    Sample(problem: "/pauses/1/from order") {
      $0.pauses = [
        Pause(from: Some.day("2026-02-01"), until: Some.day("2026-04-01")), Pause(from: Some.day("2026-03-01")),
      ]
    },
    Sample(problem: "/formerTerms/0/until order") {
      $0.formerTerms = [FormerTerm(cycle: .weekly, anchor: $0.anchor, until: $0.start)]
    },
    Sample(problem: "/contract/end order") {
      $0.contract = Contract(end: $0.start.advanced(by: -1), notice: CalendarSpan(1, .month))
    },
    Sample(problem: "/url form") { $0.url = "javascript:alert(1)" },
    Sample(problem: "/url form") { $0.url = "https://" },
    Sample(problem: "/url form") { $0.url = "https://a b" },
    Sample(problem: "/note length") { $0.note = String(repeating: "x", count: 10_001) },
    Sample(problem: "/tags/1 repeated") { $0.tags = ["Home", "home"] },
    Sample(problem: "/tags/0 length") { $0.tags = [""] },
    Sample(problem: "/tags length") { $0.tags = (0...20).map { "tag\($0)" } },
    Sample(problem: "/reminderDays/0 range") { $0.reminderDays = [31] },
    Sample(problem: "/reminderDays/1 repeated") { $0.reminderDays = [1, 1] },
    Sample(problem: "/marks/0/paidOn conflict") {
      $0.marks = [
        ChargeMark(occurrence: $0.anchor, kind: .skipped, paidOn: $0.anchor)
      ]
    },
    Sample(problem: "/marks/0/shiftedTo range") {
      $0.marks = [ChargeMark(occurrence: $0.anchor, kind: .shifted, shiftedTo: Some.day("2026-02-15"))]
    },
    Sample(problem: "/marks/1/occurrence repeated") {
      $0.marks = [ChargeMark(occurrence: $0.anchor, kind: .skipped), ChargeMark(occurrence: $0.anchor, kind: .skipped)]
    },
  ]

  @Test("Each rule names its member and what is allowed", arguments: samples)
  func problems(_ sample: Sample) {
    let subscription = Some.subscription("10 EUR").with(sample.change)
    let problems = SubscriptionRules.refusals(of: subscription)
    #expect(problems.map { "\($0.pointer) \($0.rule.rawValue)" } == [sample.problem])
    #expect(problems.allSatisfy { !$0.message.isEmpty && !$0.allowed.isEmpty })
  }

  @Test("Values at their limits are accepted")
  func limits() {
    let subscription = Some.subscription("9999999999 EUR").with {
      $0.name = String(repeating: "x", count: 200)
      $0.note = String(repeating: "x", count: 10_000)
      $0.url = "HTTPS://example.com/a?b#c"
      $0.tags = (0..<20).map { "tag\($0)" }
      $0.reminderDays = [7, 1]
      $0.cycle = .every(1000, .year)
      $0.marks = [ChargeMark(occurrence: Some.day("2026-01-16"), kind: .shifted, shiftedTo: Some.day("2030-01-01"))]
    }
    #expect(SubscriptionRules.refusals(of: subscription) == [])
    let free = Some.subscription("0 EUR").with { $0.trialEnd = $0.start.advanced(by: 7) }
    #expect(SubscriptionRules.refusals(of: free) == [])
  }

  @Test("Histories may be long, up to a limit", arguments: [0, 1])
  func deep(_ more: Int) {
    let subscription = Some.subscription("1 EUR", .every(1, .day)).with { subscription in
      let start = subscription.start
      let day = { (number: Int) in start.advanced(by: number) }
      subscription.prices += (1...999 + more).map {
        SubscriptionPrice(Some.money("\($0) EUR"), from: day($0))
      }
      subscription.shareList += (1...999 + more).map { Some.share(1, of: $0, from: day($0)) }
      subscription.pauses = (1...1000 + more).map { Pause(from: day($0 * 3), until: day($0 * 3 + 1)) }
      subscription.formerTerms = (1...1000 + more).map {
        FormerTerm(cycle: .every($0 % 7 + 1, .day), anchor: day($0), until: day($0 * 2))
      }
      subscription.marks = (0..<10_000 + more).map {
        ChargeMark(occurrence: day($0), kind: .kept, paidOn: day($0))
      }
    }
    let problems = SubscriptionRules.refusals(of: subscription).map { "\($0.pointer) \($0.rule)" }
    let lists = ["/prices", "/formerTerms", "/pauses", "/shares", "/marks"]
    #expect(problems == (more == 0 ? [] : lists.map { "\($0) length" }))
    // After ten thousand paid charges comes an unpaid one.
    #expect(subscription.nextCharge(today: subscription.start)?.day == subscription.start.advanced(by: 10_000 + more))
  }

  @Test("The cycle of a day is found among many, and the charge before it beyond terms without any")
  func manyTerms() {
    let subscription = Some.subscription("1 EUR", .yearly, "2026-01-01").with { subscription in
      let start = subscription.start
      subscription.formerTerms = (0..<40).map { number in
        FormerTerm(
          cycle: .every(number + 1, .day), anchor: start.advanced(by: number % 20 == 0 ? number * 3 : -1),
          until: start.advanced(by: (number + 1) * 3))
      }
      subscription.formerTermList[39].cycle = .once
      subscription.anchor = start.advanced(by: 120)
    }
    for number in -2...130 {
      let day = subscription.start.advanced(by: number)
      let former = subscription.formerTermList.first { day < $0.until }
      #expect(subscription.term(on: day).cycle == former?.cycle ?? .yearly)
    }
    // Of the former terms, only these days have a charge.
    let charged = subscription.charges(in: subscription.start...subscription.anchor.advanced(by: -1)).map(\.day)
    let first = charged[charged.count - 1].advanced(by: 1)
    for (day, problems) in [(first, 0), (first.advanced(by: -1), 1)] {
      let marked = subscription.with { $0.marks = [ChargeMark(occurrence: $0.anchor, kind: .shifted, shiftedTo: day)] }
      #expect(SubscriptionRules.refusals(of: marked).count == problems)
    }
  }
}
