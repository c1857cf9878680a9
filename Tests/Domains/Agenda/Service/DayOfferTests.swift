import DaybookServer
import FileStoreTesting
import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Day measures and agenda of the domains", .simulated)
struct DayOfferTests {
  @Test("After any history, measures and agenda agree with the domains' own methods", arguments: 0..<4)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let service = InProcessService(folder: data) else { return ["no pipes"] }
      var run = DayOfferRun(service, seed: UInt64(seed))
      run.run(steps: Histories.steps(60))
      service.close()
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}

/// A random history of logs; after each step the measures are compared with the domains' own lists.
private struct DayOfferRun {
  private let service: InProcessService
  private var random: SeededGenerator
  private(set) var mismatches: [String] = []
  private let range = #""from":"2026-01-01","to":"2026-01-31""#

  init(_ service: InProcessService, seed: UInt64) {
    self.service = service
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for step in 0..<steps where mismatches.isEmpty {
      let number = Int.random(in: 1...28, using: &random)
      let day = "\"day\":\"2026-01-\(number < 10 ? "0" : "")\(number)\""
      let amount = Int.random(in: 100...3000, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        _ = call("meals/add", #"{\#(day),"name":"Soup \#(step)","calories":\#(amount),"protein":"\#(amount / 40)"}"#)
      case 2: _ = call("days/updateEntry", #"{\#(day),"fasted":\#(amount % 2 == 0)}"#)
      case 3: _ = call("water/add", #"{\#(day),"value":"\#(amount)"}"#)
      case 4: _ = call("exercises/add", #"{\#(day),"name":"Run","calories":\#(amount)}"#)
      case 5: _ = call("settings/update", #"{"targetDeficit":\#(amount / 4)}"#)
      case 6:
        let anchor = day.replacing("day", with: "anchor")
        _ = call(
          "subscriptions/add",
          #"{"name":"Films \#(step)","amount":"9.99","currency":"EUR",\#(anchor),"cycle":{"kind":"recurring","every":1,"unit":"week"}}"#
        )
      default: _ = call("changes/undo", "{}")
      }
      compareDays(step)
      compareCharges(step)
    }
  }

  private mutating func compareDays(_ step: Int) {
    let days = call("days/list", "{\(range)}")["days"]?.array ?? []
    let data = days.filter { $0["hasData"] == .bool(true) }
    expect("meals", step, data.map { ($0["day"], $0["mealCount"]) })
    expect("calories", step, data.map { ($0["day"], $0["caloriesConsumed"]) })
    expect("protein", step, data.map { ($0["day"], $0["protein"]) })
    expect(
      "withinEatingTarget", step,
      data.map { ($0["day"], .string($0["metTarget"] == .bool(true) ? "1" : "0")) })
    let burned = days.filter { $0["exerciseCalories"]?.integer != 0 }
    expect("exerciseCalories", step, burned.map { ($0["day"], $0["exerciseCalories"]) })
    let meals = (call("meals/list", "{\(range)}")["meals"]?.array ?? []).reversed().map { $0["id"]?.string }
    compare("agenda of meals", step, items("nutrition").map { $0["id"]?.string }, meals)
  }

  private mutating func compareCharges(_ step: Int) {
    let charges = call("charges/list", "{\(range)}")["charges"]?.array ?? []
    let listed = charges.map { "\($0["day"]?.string ?? "") \($0["subscriptionId"]?.string ?? "")" }
    compare(
      "agenda of charges", step, items("charges").map { "\($0["day"]?.string ?? "") \($0["id"]?.string ?? "")" }, listed
    )
    var counts: [String: Int] = [:]
    for charge in charges { counts[charge["day"]?.string ?? "", default: 0] += 1 }
    let measured = values("charges").filter { $0.1 != "0" }
    compare(
      "charges", step, measured.map { "\($0.0) \($0.1)" }, counts.sorted { $0.key < $1.key }.map { "\($0) \($1)" })
  }

  private func items(_ domain: String) -> [JSONValue] {
    let sections = call("agenda/get", "{\(range)}")["sections"]?.array ?? []
    return sections.first { $0["domain"]?.string == domain }?["items"]?.array ?? []
  }

  private func values(_ measure: String) -> [(String, String)] {
    let measures = call("measures/get", #"{"names":["\#(measure)"],\#(range)}"#)["measures"]?.array ?? []
    return (measures.first?["days"]?.array ?? []).map { ($0["day"]?.string ?? "", $0["value"]?.string ?? "") }
  }

  private mutating func expect(_ measure: String, _ step: Int, _ expected: [(JSONValue?, JSONValue?)]) {
    let expected = expected.map { "\($0.0?.string ?? "") \($0.1?.string ?? $0.1?.integer.map { String($0) } ?? "")" }
    compare(measure, step, values(measure).map { "\($0.0) \($0.1)" }, expected)
  }

  private mutating func compare<Value: Equatable>(_ what: String, _ step: Int, _ found: [Value], _ expected: [Value]) {
    if found != expected { mismatches.append("\(what) after step \(step): \(found) instead of \(expected)") }
  }

  private func call(_ method: String, _ params: String) -> JSONValue { service.call(method, params)["result"] ?? .null }
}
