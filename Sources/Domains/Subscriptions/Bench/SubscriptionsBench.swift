import BenchKit
import Foundation

/// A thousand subscriptions with five years of history, with premium: totals, calendar, lists.
package enum SubscriptionsBench {
  package static let groups = [
    Group(
      "subscriptions", ofStore: true,
      [
        Measure("overview/get, 1000 subscriptions, first", .milliseconds, "first", .share(0.5)),
        Measure("overview/get, 1000 subscriptions, p50", .milliseconds, "overview", .share(0.5), goal: .atMost(2)),
        Measure("overview/get after charges/pay, p50", .milliseconds, "after", .share(0.5)),
        Measure("charges/calendar of ten years, p50", .milliseconds, "calendar", .share(0.5), goal: .atMost(10)),
        Measure("charges/list of a month, p50", .microseconds, "month", .share(0.5)),
        Measure("subscriptions/list of 50, p50", .microseconds, "list", .share(0.5)),
      ]
    ) { bench throws(BenchError) in
      let folder = bench.freshFolder()
      let entitlements = folder + ".store.json"
      guard FileManager.default.createFile(atPath: entitlements, contents: Data(entitlement.utf8)) else {
        throw .unavailable("cannot write \(entitlements)")
      }
      try fill(bench, folder, count: bench.count(1000, smoke: 20))
      return { figures throws(BenchError) in
        for _ in 0..<bench.count(3, smoke: 1) { try measure(bench, folder, entitlements, &figures) }
      }
    }
  ]

  /// Measures one process, which verifies premium first.
  private static func measure(
    _ bench: Bench, _ folder: String, _ entitlements: String, _ figures: inout Figures
  ) throws(BenchError) {
    let queries = bench.count(200, smoke: 3)
    let server = try bench.service(folder, ["--store-of-record", entitlements])
    try server.request("premium/verify")
    let overview = Request("overview/get", "{\"day\":\"\(today)\",\"limit\":5}")
    figures.add("first", try server.sequence(overview, limit: 1).latencies)
    figures.add("overview", try server.sequence(overview, limit: queries).latencies)
    let first = "00000000-0000-4000-8000-000000000000"
    for index in 0..<min(queries, 50) {
      let pay = Request(
        "charges/pay", "{\"subscriptionId\":\"\(first)\",\"occurrence\":\"\(today)\",\"amount\":\"\(index + 1)\"}")
      try server.sequence(pay, limit: 1)
      figures.add("after", try server.sequence(overview, limit: 1).latencies)
    }
    for (key, request) in [
      ("calendar", Request("charges/calendar", "{\"from\":\"\(today)\",\"to\":\"2035-12-31\"}")),
      ("month", Request("charges/list", "{\"from\":\"2026-01-01\",\"to\":\"2026-01-31\"}")),
      ("list", Request("subscriptions/list", "{\"day\":\"\(today)\",\"limit\":50}")),
    ] { figures.add(key, try server.sequence(request, limit: queries / 4 + 1).latencies) }
  }

  /// The day of every request.
  private static let today = "2026-01-05"

  /// A store of record with premium.
  private static let entitlement = """
    {"mode":"online","transactions":[{"id":"1","productId":"daybook.premium.yearly",\
    "purchasedAt":"2026-01-01T12:00:00.000Z","expiresAt":"2199-01-01T12:00:00.000Z"}]}
    """

  /// Adds subscriptions that started five years ago, most of them monthly, each with a price increase, some paused,
  /// shared or ended, in three currencies.
  private static func fill(_ bench: Bench, _ folder: String, count: Int) throws(BenchError) {
    let server = try bench.service(folder)
    for index in 0..<count {
      let units = ["month", "month", "month", "month", "month", "month", "year", "year", "week", "week"]
      let every = index % 17 == 0 ? 3 : 1
      let day = index % 28 + 1
      let currency = ["USD", "EUR", "SEK"][index % 3]
      var members = [
        "\"id\":\"00000000-0000-4000-8000-\(padded(index, 12))\"", "\"name\":\"Service \(index)\"",
        "\"prices\":[{\"amount\":\"\(index % 40 + 1).99\",\"currency\":\"\(currency)\"},"
          + "{\"from\":\"2023-06-01\",\"amount\":\"\(index % 40 + 3).99\",\"currency\":\"\(currency)\"}]",
        "\"cycle\":{\"kind\":\"recurring\",\"every\":\(every),\"unit\":\"\(units[index % units.count])\"}",
        "\"anchor\":\"2021-01-\(padded(index == 0 ? 5 : day, 2))\"", "\"start\":\"2021-01-01\"",
      ]
      if index % 9 == 4 { members.append("\"pauses\":[{\"from\":\"2022-03-01\",\"until\":\"2022-09-01\"}]") }
      if index % 7 == 3 { members.append("\"share\":{\"numerator\":1,\"denominator\":3}") }
      if index % 11 == 5 { members.append("\"end\":\"2025-02-01\"") }
      try server.sequence(Request("subscriptions/add", "{\(members.joined(separator: ","))}"), limit: 1)
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
