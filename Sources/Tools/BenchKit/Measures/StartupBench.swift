import Foundation

/// The two phases of a start on ten years of data: the duration of each step, and the effect of launch tasks on
/// clients.
enum StartupBench {
  private static let steps = [
    "logger", "flags", "premium", "pendingRestore", "store", "settings", "route", "quickActions", "launchReason",
  ]

  static let group = Group(
    "startup", ofStore: true,
    [
      Measure(
        "bootstrap", .microseconds, "bootstrap", beside: ("its budget", "limit bootstrap"), goal: .ratioAtMost(1))
    ] + steps.map { Measure("bootstrap, \($0)", .microseconds, $0, beside: ("bootstrap", "bootstrap")) } + [
      Measure("last High task", .microseconds, "highTasks", goal: .atMost(3000)),
      Measure(
        "session/get p99, launch tasks", .microseconds, "busy", .share(0.99), beside: ("idle", "idle"),
        goal: .ratioAtMost(2)),
      Measure(
        "session/get, first of a process", .microseconds, "first", .share(0.5), beside: ("idle, p50", "idle")),
    ]
  ) { bench throws(BenchError) in
    let folder = try bench.copyOfTenYears()
    return { figures throws(BenchError) in
      for _ in 0..<bench.count(15, smoke: 2) { try measure(bench, folder, &figures) }
    }
  }

  /// The number of requests between checks for the end of the launch.
  private static let burst = 20
  /// The maximum number of bursts before a launch counts as stuck.
  private static let mostBursts = 5000

  /// Measures one start. The service is then killed, so that a shutdown does not checkpoint the folder.
  private static func measure(_ bench: Bench, _ folder: String, _ figures: inout Figures) throws(BenchError) {
    let server = try bench.service(folder)
    let request = Request("session/get")
    figures.add("first", try server.sequence(request, limit: 1).latencies)
    var report: [String: Any] = [:]
    var bursts = 0
    repeat {
      figures.add("busy", try server.sequence(request, limit: burst).latencies)
      report = try server.request("startup/report") as? [String: Any] ?? [:]
      bursts += 1
    } while report["state"] as? String != "ready" && bursts < mostBursts
    try Bench.expect(report["state"] as? String == "ready", "the start does not end: \(report)")
    figures.add("idle", try server.sequence(request, limit: max(burst * bursts, 100)).latencies)
    var found: Set<String> = []
    func add(_ key: String, _ microseconds: Any?) {
      guard let microseconds = microseconds as? Double else { return }
      figures.add(key, microseconds * 1000)
      found.insert(key)
    }
    for task in report["tasks"] as? [[String: Any]] ?? [] where task["phase"] as? String == "bootstrap" {
      add(task["name"] as? String ?? "", task["tookUs"])
    }
    for budget in report["budgets"] as? [[String: Any]] ?? [] {
      let name = budget["name"] as? String ?? ""
      add("limit \(name)", budget["limitUs"])
      add(name, budget["measuredUs"])
    }
    try Bench.expect(
      found.isSuperset(of: steps + ["bootstrap", "limit bootstrap"]),
      "“startup/report” lacks a step or a budget: \(report)")
  }
}
