import DaybookProtocol
import DaybookServer
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories that are full")
struct SubscriptionLimitTests {
  private static let id = "00000000-0000-4000-8000-000000000010"

  /// A thousand texts, each with a day two after the previous one.
  private static func list(_ count: Int = 1000, _ text: (CivilDay) -> String) -> String {
    let first = CivilDay(daysSinceEpoch: 11_000)
    return (0..<count).map { text(first.advanced(by: $0 * 2)) }.joined(separator: ",")
  }

  @Test("Exceeding a limit of a thousand is reported under a name of the request")
  func full() throws {
    let folder = try TemporaryFolder()
    let service = try #require(InProcessService(folder: folder.data) { _ in })
    defer { service.close() }
    let prices = SubscriptionLimitTests.list(999) { #"{"from":"\#($0)","amount":"1","currency":"EUR"}"# }
    let shares = SubscriptionLimitTests.list(999) { #"{"from":"\#($0)","numerator":1,"denominator":3}"# }
    let pauses = SubscriptionLimitTests.list { #"{"from":"\#($0)","until":"\#($0.advanced(by: 1))"}"# }
    let terms = SubscriptionLimitTests.list {
      #"{"cycle":{"kind":"recurring","every":1,"unit":"month"},"anchor":"2000-01-01","until":"\#($0)"}"#
    }
    let params =
      #""name":"S","start":"2000-01-01","anchor":"2000-01-01","prices":[{"amount":"1","currency":"EUR"},\#(prices)],"#
      + #""shares":[{"numerator":1,"denominator":2},\#(shares)],"pauses":[\#(pauses)],"formerTerms":[\#(terms)]"#
    let added = service.call("subscriptions/add", "{\"id\":\"\(SubscriptionLimitTests.id)\",\(params)}")
    try #require(added["result"] != nil, "\(added.text.prefix(300))")
    let cycle = #""cycle":{"kind":"recurring","unit":"year"},"from":"2060-01-01""#
    for (method, params, pointer) in [
      ("changePrice", #""amount":"2","from":"2060-01-01""#, "/amount"),
      ("changeShare", #""share":null,"from":"2060-01-01""#, "/share"),
      ("changeCycle", cycle, "/cycle"),
      ("changeCycle", cycle + #","amount":"2""#, "/amount"),
      ("pause", #""from":"2060-01-01""#, "/from"),
    ] {
      let refused = service.call(
        "subscriptions/\(method)", "{\"id\":\"\(SubscriptionLimitTests.id)\",\(params)}")
      #expect(refused["error"]?["data"]?["pointer"]?.string == pointer, "\(method): \(refused.text)")
      #expect(refused["error"]?["data"]?["allowed"]?.string == "at most 1000", "\(method): \(refused.text)")
    }
    let cancelled = service.call(
      "subscriptions/cancel", "{\"id\":\"\(SubscriptionLimitTests.id)\",\"end\":\"2060-01-01\"}")
    try #require(cancelled["result"] != nil, "\(cancelled.text.prefix(300))")
    let resumed = service.call(
      "subscriptions/reactivate", "{\"id\":\"\(SubscriptionLimitTests.id)\",\"on\":\"2061-01-01\"}")
    #expect(resumed["error"]?["data"]?["pointer"]?.string == "/on", "\(resumed.text.prefix(300))")
  }
}
