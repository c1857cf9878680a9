import Foundation

/// A thousand subscriptions with five years of history, seen by somebody who has premium: in total, by the day, as a list.
enum SubscriptionsBench {
  static let measures = [
    "overview/get, 1000 subscriptions, first", "overview/get, 1000 subscriptions, p50",
    "overview/get after charges/pay, p50", "charges/calendar of ten years, p50", "charges/list of a month, p50",
    "subscriptions/list of 50, p50",
  ]

  /// How many there are, and requests of each kind in a process.
  private static let count = 1000
  private static let queries = 200
  private static let processes = 3

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let folder = bench.freshFolder()
    let shop = folder + ".shop.json"
    guard FileManager.default.createFile(atPath: shop, contents: Data(entitlement.utf8)) else {
      throw .unavailable("cannot write \(shop)")
    }
    try fill(bench, folder, count: bench.options.isSmoke ? 20 : count)
    var figures = [[UInt64]](repeating: [], count: measures.count)
    for _ in 0..<bench.options.rounds {
      for _ in 0..<(bench.options.isSmoke ? 1 : processes) { try take(bench, folder, shop, &figures) }
    }
    func row(_ index: Int, _ unit: String, _ nanoseconds: Double, _ goal: Goal? = nil) -> Row {
      Row(measures[index], unit, Statistics.quantile(figures[index], 0.5) / nanoseconds, goal: goal)
    }
    return [
      row(0, "ms", 1e6), row(1, "ms", 1e6, .atMost(2)), row(2, "ms", 1e6), row(3, "ms", 1e6, .atMost(10)),
      row(4, "µs", 1e3), row(5, "µs", 1e3),
    ]
  }

  /// One process, which has premium before anything is measured.
  private static func take(
    _ bench: Bench, _ folder: String, _ shop: String, _ figures: inout [[UInt64]]
  ) throws(BenchError) {
    let queries = bench.options.isSmoke ? 3 : queries
    let server = try bench.service(folder, ["--store-of-record", shop])
    _ = try server.request("premium/verify")
    let overview = Request("overview/get", "{\"day\":\"\(today)\",\"limit\":5}")
    figures[0] += try server.sequence(overview, limit: 1).latencies
    figures[1] += try server.sequence(overview, limit: queries).latencies
    let first = "00000000-0000-4000-8000-000000000000"
    for index in 0..<min(queries, 50) {
      let pay = Request(
        "charges/pay", "{\"subscriptionId\":\"\(first)\",\"occurrence\":\"\(today)\",\"amount\":\"\(index + 1)\"}")
      _ = try server.sequence(pay, limit: 1)
      figures[2] += try server.sequence(overview, limit: 1).latencies
    }
    let calendar = Request("charges/calendar", "{\"from\":\"\(today)\",\"to\":\"2035-12-31\"}")
    figures[3] += try server.sequence(calendar, limit: queries / 4 + 1).latencies
    let month = Request("charges/list", "{\"from\":\"2026-01-01\",\"to\":\"2026-01-31\"}")
    figures[4] += try server.sequence(month, limit: queries / 4 + 1).latencies
    let list = Request("subscriptions/list", "{\"day\":\"\(today)\",\"limit\":50}")
    figures[5] += try server.sequence(list, limit: queries / 4 + 1).latencies
  }

  /// The day everything is seen from.
  private static let today = "2026-01-05"

  /// What the shop says of somebody who has premium.
  private static let entitlement = """
    {"mode":"online","transactions":[{"id":"1","productId":"daybook.premium.yearly",\
    "purchasedAt":"2026-01-01T12:00:00.000Z","expiresAt":"2199-01-01T12:00:00.000Z"}]}
    """

  /// Adds subscriptions that began five years ago: most by the month, each with a price that rose, some paused for a while, some
  /// shared, some over, in three currencies.
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
      _ = try server.sequence(Request("subscriptions/add", "{\(members.joined(separator: ","))}"), limit: 1)
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
