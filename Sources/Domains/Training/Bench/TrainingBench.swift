import BenchKit
import CivilTime
import Foundation

/// Benchmarks with 5,000 sessions of 30 sets: statistics, and a running session.
package enum TrainingBench {
  /// The groups of the domain.
  package static let groups = [
    Group(
      "training", ofStore: true,
      [
        Measure("training/records, first", .milliseconds, "records, first", .share(0.5), goal: .atMost(30)),
        Measure("training/series by week, first", .milliseconds, "series, first", .share(0.5), goal: .atMost(30)),
        Measure("training/exercise, first", .milliseconds, "exercise, first", .share(0.5), goal: .atMost(30)),
        Measure("training/records, warm p50", .milliseconds, "records, warm", .share(0.5), goal: .atMost(1)),
        Measure("training/series, warm p50", .milliseconds, "series, warm", .share(0.5), goal: .atMost(1)),
        Measure("training/exercise, warm p50", .milliseconds, "exercise, warm", .share(0.5), goal: .atMost(1)),
        Measure("training/records without digests", .milliseconds, "records, rebuilt", .share(0.5), goal: .atMost(200)),
        Measure("start of 40 exercises, p50", .milliseconds, "start", .share(0.5), goal: .atMost(2)),
        Measure(
          "workoutSession/logSet, p50", .microseconds, "set p50", beside: ("append, fdatasync", "bare p50"),
          goal: .ratioAtMost(1.2)),
        Measure("library/search of 1,000, p50", .milliseconds, "search", .share(0.5), goal: .atMost(0.3)),
      ]
    ) { bench throws(BenchError) in
      let folder = bench.freshFolder()
      try fill(bench, folder)
      return { figures throws(BenchError) in
        for _ in 0..<bench.count(3, smoke: 1) { try measure(bench, folder, &figures) }
      }
    }
  ]

  private static func service(_ bench: Bench, _ folder: String) throws(BenchError) -> Spawned {
    let server = try CPUPinning.onAll { () throws(BenchError) in try bench.service(folder) }
    // Opens the folder without reading training data.
    try server.request("settings/get")
    return server
  }

  private static let questions = [
    ("records", Request("training/records", "{}")),
    ("series", Request("training/series", "{\"by\":\"week\",\"to\":\"2026-01-05\"}")),
    ("exercise", Request("training/exercise", "{\"exerciseId\":\"\(chest(1))\",\"to\":\"2026-01-05\"}")),
  ]

  private static func measure(_ bench: Bench, _ folder: String, _ figures: inout Figures) throws(BenchError) {
    for (key, request) in questions {
      let server = try service(bench, folder)
      figures.add("\(key), first", try server.sequence(request, limit: 1).latencies)
    }
    let server = try service(bench, folder)
    let count = bench.count(200, smoke: 3)
    for (key, request) in questions {
      try server.sequence(request, limit: 1)
      figures.add("\(key), warm", try server.sequence(request, limit: count).latencies)
    }
    let search = Request("library/search", "{\"query\":\"pres benhc\",\"limit\":10}")
    try server.sequence(search, limit: 1)
    figures.add("search", try server.sequence(search, limit: count).latencies)
    for _ in 0..<count / 4 + 1 {
      let start = Request("workoutSession/start", "{\"workoutId\":\"\(workout)\"}")
      figures.add("start", try server.sequence(start, limit: 1).latencies)
      try server.request("workoutSession/cancel")
    }
    try logSets(bench, folder, server, &figures)
    let digests = try withoutDigests(folder) { () throws(BenchError) in
      let server = try service(bench, folder)
      return try server.sequence(questions[0].1, limit: 1).latencies
    }
    figures.add("records, rebuilt", digests)
  }

  /// Logs sets, and compares them with appends of as many bytes.
  private static func logSets(
    _ bench: Bench, _ folder: String, _ server: Spawned, _ figures: inout Figures
  ) throws(BenchError) {
    try server.request(Request("workoutSession/start", "{\"workoutId\":\"\(workout)\"}"))
    let before = DurabilityBench.size(of: folder)
    let log = Request("workoutSession/logSet", "{\"values\":{\"weight\":\"80\",\"reps\":8}}")
    let sets = try server.sequence(log, limit: bench.count(160, smoke: 3))
    figures.add(latenciesOf: sets, "set")
    let bytes = (DurabilityBench.size(of: folder) - before) / max(1, sets.count)
    figures.add(
      latenciesOf: try DurabilityBench.append(bytes, in: folder, milliseconds: bench.options.milliseconds), "bare")
    try server.request("workoutSession/cancel")
  }

  private static func withoutDigests<Value>(
    _ folder: String, _ body: () throws(BenchError) -> Value
  ) throws(BenchError) -> Value {
    let digests = folder + "/segments/digest-training"
    let aside = folder + ".digests"
    try? FileManager.default.moveItem(atPath: digests, toPath: aside)
    defer {
      try? FileManager.default.removeItem(atPath: digests)
      try? FileManager.default.moveItem(atPath: aside, toPath: digests)
    }
    return try body()
  }

  private static let workout = "b0000000-0000-4000-8000-000000000001"

  /// The id of a built-in chest exercise.
  private static func chest(_ number: Int) -> String { "0000000c-0001-0001-0001-00000000000\(number)" }

  private static let names = [
    "Bench Press", "Barbell Row", "Overhead Press", "Barbell Curl", "Tricep Pushdown", "Back Squat", "Plank",
    "Deadlift",
    "Pull-Up", "Lateral Raise",
  ]

  /// Imports the sessions from two files, and adds exercises up to 1,000 and a workout with 40.
  private static func fill(_ bench: Bench, _ folder: String) throws(BenchError) {
    let server = try service(bench, folder)
    let count = bench.count(5000, smoke: 20)
    guard let last = CivilDay("2026-01-04") else { throw .wrong("no such day") }
    for half in 0..<2 {
      var text = "Date,Workout Name,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes\n"
      for session in half * count / 2..<(half + 1) * count / 2 {
        let day = last.advanced(by: session - count)
        for row in 0..<30 {
          let name = names[(row / 5 + session) % names.count]
          text +=
            "\(day) 18:00:00,Day \(session % 4),\(name),\(row % 5 + 1),\(40 + (session / 50 + row) % 80),\(5 + row % 8),0,0,\n"
        }
      }
      let path = folder + ".\(half).csv"
      guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
        throw .unavailable("cannot write \(path)")
      }
      try server.request(Request("training/import", "{\"path\":\"\(path)\",\"weightUnit\":\"kg\"}"))
    }
    for index in 0..<bench.count(945, smoke: 5) {
      try server.request(
        Request("customExercises/add", "{\"traits\":{\"name\":\"Exercise \(index) of mine\",\"kind\":\"strength\"}}"))
    }
    let exercises = (0..<40).map {
      "{\"exerciseId\":\"\(chest($0 % 6 + 1))\",\"groups\":[{\"sets\":4,\"target\":{\"weight\":\"60\",\"reps\":8}}]}"
    }.joined(separator: ",")
    try server.request(
      Request("workouts/add", "{\"id\":\"\(workout)\",\"name\":\"Long\",\"exercises\":[\(exercises)]}"))
    _ = try server.end()
    try bench.fold(folder)
  }
}
