import DaybookServer
import FileStoreTesting
import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of weights", .simulated)
struct WeightHistoryTests {
  @Test(
    "After any weights, meals, proposals and undos, the lists agree and every day's deficit is exact",
    arguments: 0..<6)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let service = InProcessService(folder: data) else { return ["no pipes"] }
      var run = WeightHistoryRun(service, seed: UInt64(seed))
      run.run(steps: Histories.steps(120))
      service.close()
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}

/// A random history of weights and meals on a service and a list, which must agree after each call.
struct WeightHistoryRun {
  private let service: InProcessService
  private var random: SeededGenerator
  /// Grams by id, as they were after each revision: the last is now.
  private var states: [[String: (day: Int, grams: Int)]] = [[:]]
  /// The disagreements.
  private(set) var mismatches: [String] = []

  init(_ service: InProcessService, seed: UInt64) {
    self.service = service
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps where mismatches.isEmpty {
      let id = "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<25, using: &random))"
      let day = Int.random(in: 1...28, using: &random)
      let grams = Int.random(in: 60_000...90_000, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: add(id, day, grams)
      case 4..<6: update(id, grams)
      case 6: delete(id)
      case 7: undo()
      case 8: _ = call("meals/add", "{\"day\":\"\(name(day))\",\"name\":\"Soup\",\"calories\":\(grams / 100)}")
      default: acceptProposal()
      }
      check(day)
    }
  }

  private var now: [String: (day: Int, grams: Int)] { states.last ?? [:] }

  private func name(_ day: Int) -> String { "2025-12-\(day < 10 ? "0" : "")\(day)" }

  private func kilograms(_ grams: Int) -> String { "\(grams / 1000).\(String(1000 + grams % 1000).dropFirst())" }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private func call(_ method: String, _ params: String) -> JSONValue { service.call(method, params) }

  private mutating func add(_ id: String, _ day: Int, _ grams: Int) {
    let response = call("weights/add", "{\"id\":\"\(id)\",\"day\":\"\(name(day))\",\"value\":\"\(kilograms(grams))\"}")
    guard now[id] == nil else { return expect(response.errorName == "conflict", response.text) }
    expect(response["result"]?["created"]?.boolean == true, response.text)
    var state = now
    state[id] = (day, grams)
    states.append(state)
  }

  private mutating func update(_ id: String, _ grams: Int) {
    let response = call("weights/update", "{\"id\":\"\(id)\",\"value\":\"\(kilograms(grams))\"}")
    guard let old = now[id] else { return expect(response.errorName == "notFound", response.text) }
    guard old.grams != grams else { return }
    var state = now
    state[id] = (old.day, grams)
    states.append(state)
  }

  private mutating func delete(_ id: String) {
    let response = call("weights/delete", "{\"id\":\"\(id)\"}")
    guard now[id] != nil else { return expect(response.errorName == "notFound", response.text) }
    var state = now
    state[id] = nil
    states.append(state)
  }

  /// Undoes the latest change if it was one of a weight.
  private mutating func undo() {
    let response = call("changes/undo", "{}")
    guard response["result"]?["method"]?.string?.hasPrefix("weights/") == true else { return }
    expect(states.count > 1, response.text)
    states.removeLast()
  }

  /// Requests a proposal and accepts it, or is refused.
  private mutating func acceptProposal() {
    let proposal = call("energy/proposal", "{}")["result"]
    let total = proposal?["totalCalories"]?.integer
    let response = call(
      "energy/acceptProposal",
      "{\"totalCalories\":\(total ?? 2000),\"revision\":\(proposal?["revision"]?.integer ?? 0)}")
    if let total {
      expect(response["result"]?["settings"]?["totalCalories"]?.integer == total, response.text)
    } else {
      expect(response.errorName == "noProposal", response.text)
    }
  }

  private mutating func check(_ day: Int) {
    let listed = call("weights/list", "{}")["result"]?["weights"]?.array ?? []
    let found = Dictionary(
      listed.map { ($0["id"]?.string ?? "", "\($0["day"]?.string ?? "") \($0["typed"]?["value"]?.string ?? "")") },
      uniquingKeysWith: { $1 })
    let expected = now.mapValues { "\(name($0.day)) \(kilograms($0.grams))" }
    expect(found == expected && listed.count == expected.count, "\(found) is not \(expected)")
    let trend = call("weights/trend", "{\"from\":\"2025-12-01\",\"to\":\"2025-12-28\"}")["result"]?["days"]?.array ?? []
    let weighed = trend.filter { $0["weight"] != nil }.compactMap { $0["day"]?.string }
    expect(weighed == Set(now.values.map(\.day)).sorted().map(name), "\(weighed)")
    let today = call("days/get", "{\"day\":\"\(name(day))\"}")["result"]
    let (total, consumed) = (today?["totalCalories"]?.integer ?? 0, today?["caloriesConsumed"]?.integer ?? 0)
    expect(today?["deficitAchieved"]?.integer == total - consumed, "the invariant: \(today?.text ?? "")")
  }
}
