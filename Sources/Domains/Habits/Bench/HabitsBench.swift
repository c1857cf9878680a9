import BenchKit
import CivilTime
import Foundation

/// Fifty habits over ten years with some 180,000 logs, and premium access: dashboard, cards, streaks and strength.
package enum HabitsBench {
  package static let groups = [
    Group(
      "habits", ofStore: true,
      [
        Measure("dashboard/get of 50 habits, first", .milliseconds, "dashboard, first", .share(0.5), goal: .atMost(15)),
        Measure("dashboard/get, warm p50", .milliseconds, "dashboard, warm", .share(0.5), goal: .atMost(2)),
        Measure("dashboard/get after a log, p50", .milliseconds, "dashboard, after", .share(0.5), goal: .atMost(2)),
        Measure("cards/open of all, warm p50", .milliseconds, "cards, open", .share(0.5), goal: .atMost(10)),
        Measure("cards/shift of all, p50", .milliseconds, "cards, shift", .share(0.5), goal: .atMost(5)),
        Measure("habits/streaks of one, warm p50", .milliseconds, "streaks, warm", .share(0.5), goal: .atMost(1)),
        Measure("habits/stats of one, warm p50", .milliseconds, "stats, warm", .share(0.5), goal: .atMost(1)),
        Measure("streaks and strength of all, first", .milliseconds, "all, first", .share(0.5), goal: .atMost(25)),
        Measure("habits/overview of a year, first", .milliseconds, "overview, first", .share(0.5)),
        Measure("the same without digests", .milliseconds, "all, rebuilt", .share(0.5)),
        Measure("habitLogs/increment, p50", .microseconds, "increment", .share(0.5)),
      ]
    ) { bench throws(BenchError) in
      let folder = bench.freshFolder()
      let shop = folder + ".shop.json"
      guard FileManager.default.createFile(atPath: shop, contents: Data(entitlement.utf8)) else {
        throw .unavailable("cannot write \(shop)")
      }
      let last = try fill(bench, folder, shop)
      return { figures throws(BenchError) in
        for _ in 0..<bench.count(3, smoke: 1) { try measure(bench, folder, shop, last, &figures) }
      }
    }
  ]

  private static func service(_ bench: Bench, _ folder: String, _ shop: String) throws(BenchError) -> Spawned {
    let server = try CPUPinning.onAll { () throws(BenchError) in
      try bench.service(folder, ["--store-of-record", shop])
    }
    try server.request("premium/verify")
    return server
  }

  private static func measure(
    _ bench: Bench, _ folder: String, _ shop: String, _ last: CivilDay, _ figures: inout Figures
  ) throws(BenchError) {
    let dashboard = Request("dashboard/get", "{\"day\":\"\(last)\"}")
    let streaks = Request("habits/streaks", "{\"id\":\"\(id(0))\"}")
    let overview = Request("habits/overview", "{\"from\":\"\(last.advanced(by: -364))\",\"to\":\"\(last)\"}")
    for (key, request) in [("dashboard, first", dashboard), ("all, first", dashboard), ("overview, first", overview)] {
      let server = try service(bench, folder, shop)
      figures.add(key, try server.sequence(request, limit: 1).latencies)
    }
    let server = try service(bench, folder, shop)
    let queries = bench.count(200, smoke: 3)
    try server.sequence(dashboard, limit: 1)
    figures.add("dashboard, warm", try server.sequence(dashboard, limit: queries).latencies)
    figures.add("streaks, warm", try server.sequence(streaks, limit: queries).latencies)
    figures.add(
      "stats, warm", try server.sequence(Request("habits/stats", "{\"id\":\"\(id(0))\"}"), limit: queries).latencies)
    figures.add(
      "cards, open",
      try server.sequence(Request("cards/open", "{\"lastDay\":\"\(last)\"}"), limit: queries / 4 + 1).latencies)
    for step in 0..<queries / 4 + 1 {
      let shift = Request("cards/shift", "{\"by\":\(step % 2 == 0 ? -1 : 1)}")
      figures.add("cards, shift", try server.sequence(shift, limit: 1).latencies)
    }
    let increment = Request("habitLogs/increment", "{\"habitId\":\"\(id(1))\",\"day\":\"\(last)\"}")
    for _ in 0..<queries / 4 + 1 {
      figures.add("increment", try server.sequence(increment, limit: 1).latencies)
      figures.add("dashboard, after", try server.sequence(dashboard, limit: 1).latencies)
    }
    // The process may be writing a checkpoint.
    _ = try server.end()
    let rebuilt = try service(bench, try withoutDigests(folder, bench.freshFolder()), shop)
    figures.add("all, rebuilt", try rebuilt.sequence(dashboard, limit: 1).latencies)
  }

  /// A copy of a folder without digests.
  private static func withoutDigests(_ folder: String, _ copy: String) throws(BenchError) -> String {
    do {
      try FileManager.default.copyItem(atPath: folder, toPath: copy)
      try FileManager.default.removeItem(atPath: copy + "/segments/digest-habits")
    } catch { throw .unavailable("\(folder) cannot be copied: \(error)") }
    return copy
  }

  private static func id(_ index: Int) -> String {
    let number = "\(index)"
    return "e0000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
  }

  private static let schedules = [
    #"{"kind":"daily"}"#, #"{"kind":"weekdays","weekdays":["monday","wednesday","friday"]}"#,
    #"{"kind":"perWeek","times":4}"#, #"{"kind":"everyDays","days":2}"#, #"{"kind":"perDays","times":3,"days":7}"#,
  ]

  /// Adds fifty habits of all kinds and schedules, with a log on most days of ten years; returns the last day.
  private static func fill(_ bench: Bench, _ folder: String, _ shop: String) throws(BenchError) -> CivilDay {
    let server = try service(bench, folder, shop)
    let days = bench.count(3653, smoke: 40)
    guard let last = CivilDay("2026-01-05") else { throw .wrong("no such day") }
    let first = last.advanced(by: 1 - days)
    for index in 0..<50 {
      let kind = index % 7 == 3 ? "\"kind\":\"bad\",\"target\":\"4\"" : "\"target\":\"2\""
      try server.request(
        Request(
          "habits/add",
          "{\"id\":\"\(id(index))\",\"name\":\"Habit \(index)\",\"unit\":\"time\",\(kind),\"startDay\":\"\(first)\","
            + "\"schedule\":\(schedules[index % schedules.count])}"))
    }
    var entries: [String] = []
    func send() throws(BenchError) {
      let text = entries.joined(separator: ",")
      try server.request(Request("habitLogs/setMany", "{\"entries\":[\(text)],\"allowFuture\":true}"))
      entries = []
    }
    for day in (first...last).days {
      for index in 0..<50 where (Int(day.daysSinceEpoch) &* 7 &+ index &* 13) % 61 != 0 {
        let value = (Int(day.daysSinceEpoch) &+ index) % 11 == 0 ? 1 : 2 + index % 2
        entries.append("{\"habitId\":\"\(id(index))\",\"day\":\"\(day)\",\"value\":\"\(value)\"}")
      }
      if entries.count > 5000 { try send() }
    }
    if !entries.isEmpty { try send() }
    // Its own checkpoint would interfere with the other.
    _ = try server.end()
    try bench.fold(folder)
    return last
  }

  /// The store's answer for a user with premium access.
  private static let entitlement = """
    {"mode":"online","transactions":[{"id":"1","productId":"daybook.premium.yearly",\
    "purchasedAt":"2026-01-01T12:00:00.000Z","expiresAt":"2199-01-01T12:00:00.000Z"}]}
    """
}
