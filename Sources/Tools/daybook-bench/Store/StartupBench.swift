import Foundation

/// The two phases of a start on ten years of data: what each step takes, and what a client notices of the tasks behind it.
enum StartupBench {
  private static let steps = [
    "logger", "flags", "premium", "pendingRestore", "store", "settings", "route", "quickActions", "launchReason",
  ]

  static let measures =
    ["bootstrap"] + steps.map { "bootstrap, \($0)" }
    + ["last High task", "session/get p99, launch tasks", "session/get, first of a process"]

  /// How many starts make a round, and how many requests are sent before it is looked whether the start is over.
  private static let starts = 15
  private static let burst = 20
  /// Starts that have not come to their end by then are a defect.
  private static let mostBursts = 5000

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let folder = bench.freshFolder()
    try fixture.copy(to: folder)
    var figures = Figures()
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 2 : starts) { try figures.take(bench, folder) }
    }
    let bootstrap = figures.budgets["bootstrap"]?.median ?? 0
    let stepRows = steps.map { step in
      Row("bootstrap, \(step)", "µs", figures.steps[step]?.median ?? 0, beside: "bootstrap", bootstrap)
    }
    return [
      Row(
        "bootstrap", "µs", bootstrap, beside: "its budget", figures.limits["bootstrap"], goal: .ratioAtMost(1))
    ] + stepRows + [
      Row(
        "last High task", "µs", figures.budgets["highTasks"]?.median ?? 0, beside: "its budget",
        figures.limits["highTasks"], goal: .ratioAtMost(1)),
      Row(
        "session/get p99, launch tasks", "µs", Statistics.quantile(figures.busy, 0.99) / 1e3, beside: "idle",
        Statistics.quantile(figures.idle, 0.99) / 1e3, goal: .ratioAtMost(2)),
      Row(
        "session/get, first of a process", "µs", Statistics.quantile(figures.first, 0.5) / 1e3, beside: "idle, p50",
        Statistics.quantile(figures.idle, 0.5) / 1e3),
    ]
  }

  private struct Figures {
    var steps: [String: Series] = [:]
    var budgets: [String: Series] = [:]
    var limits: [String: Double] = [:]
    var first: [UInt64] = []
    var busy: [UInt64] = []
    var idle: [UInt64] = []

    /// One start. The service is killed then, lest its end tidies the folder up.
    mutating func take(_ bench: Bench, _ folder: String) throws(BenchError) {
      let server = try bench.service(folder)
      let request = Request("session/get")
      first += try server.sequence(request, limit: 1).latencies
      var report: [String: Any] = [:]
      var bursts = 0
      repeat {
        busy += try server.sequence(request, limit: StartupBench.burst).latencies
        report = try server.request("startup/report") as? [String: Any] ?? [:]
        bursts += 1
      } while report["state"] as? String != "ready" && bursts < StartupBench.mostBursts
      try Bench.expect(report["state"] as? String == "ready", "the start does not end: \(report)")
      idle += try server.sequence(request, limit: max(StartupBench.burst * bursts, 100)).latencies
      for task in report["tasks"] as? [[String: Any]] ?? [] where task["phase"] as? String == "bootstrap" {
        guard let name = task["name"] as? String, let took = task["tookUs"] as? Double else {
          throw .wrong("“startup/report” does not tell what a task took: \(task)")
        }
        steps[name, default: Series()].append(took)
      }
      for budget in report["budgets"] as? [[String: Any]] ?? [] {
        guard let name = budget["name"] as? String, let limit = budget["limitUs"] as? Double else {
          throw .wrong("“startup/report” does not tell a budget: \(budget)")
        }
        limits[name] = limit
        if let measured = budget["measuredUs"] as? Double { budgets[name, default: Series()].append(measured) }
      }
      let isWhole = StartupBench.steps.allSatisfy { steps[$0] != nil } && limits["bootstrap"] != nil
      try Bench.expect(isWhole, "“startup/report” lacks a step or a budget: \(report)")
    }
  }
}
