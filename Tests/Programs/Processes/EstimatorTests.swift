import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

@Suite("Estimating meals over a network", .processes)
struct EstimatorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A service that uses this endpoint.
  func serve(
    _ baseURL: String, retries: Int = 2, environment: [String: String] = [:], arguments: [String] = []
  ) async throws -> Daybook {
    let daybook = try Daybook(
      ["--data", folder.data, "--no-handshake"] + arguments, .script, environment: environment)
    let status = try await daybook.call(
      "configure", "estimator/configure",
      #"{"enabled":true,"baseURL":"\#(baseURL)","model":"m","retries":\#(retries),"timeoutMs":600000}"#)
    #expect(status["state"]?.string == "ready", "\(status.text)")
    return daybook
  }

  let question = #"{"description":"two eggs and toast","mealType":"breakfast"}"#

  @Test("The endpoint's response becomes an estimate, which can be logged unchanged")
  func estimate() async throws {
    let server = try MisbehavingServer([MisbehavingServer.good])
    let daybook = try await serve(server.baseURL)
    let result = try await daybook.call("1", "meals/estimate", question)
    #expect(result["midpoint"]?.integer == 360)
    #expect(result["total"]?.text == #"{"low":301,"high":420}"#)
    #expect(result["rawText"] == nil)
    let request = try #require(try await server.requests.take("the request") { _ in true })
    #expect(request.head.hasPrefix("POST /v1/chat/completions HTTP/1.1"))
    #expect(request.header("Authorization") == nil, "an endpoint on this machine needs no key")
    let body = try JSONValue(json: Array(request.body.utf8))
    #expect(body["model"]?.string == "m")
    #expect(body["messages"]?.array.last?["content"]?.string?.contains("two eggs and toast") == true)
    #expect(try await daybook.call("2", "server/status")["revision"]?.integer == 0, "nothing is stored")
    let estimate = try #require(result["estimate"]).text
    let meal = try await daybook.call("3", "meals/add", #"{"name":"Breakfast","estimate":\#(estimate)}"#)
    #expect(meal["meal"]?["calories"]?.integer == 360)
    #expect(meal["meal"]?["estimate"]?["description"]?.string == "two eggs and toast")
  }

  /// A failure of an endpoint, and the reported error.
  struct Misbehaviour: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let behaviour: MisbehavingServer.Behaviour
    let error: String
    let cause: String
    var pointer: String?
    /// Whether the request is retried.
    var isRepeated = false
    /// The time limit in milliseconds; nil for a long one.
    var timeout: Int?
  }

  private static func bad(_ name: String, _ behaviour: MisbehavingServer.Behaviour, _ pointer: String = "")
    -> Misbehaviour
  {
    Misbehaviour(
      testDescription: name, behaviour: behaviour, error: "estimatorAnswerInvalid", cause: "badAnswer", pointer: pointer
    )
  }

  private static func gone(_ name: String, _ behaviour: MisbehavingServer.Behaviour) -> Misbehaviour {
    Misbehaviour(
      testDescription: name, behaviour: behaviour, error: "estimatorUnavailable", cause: "unreachable", isRepeated: true
    )
  }

  private static func silent(_ name: String, _ beginning: String) -> Misbehaviour {
    Misbehaviour(
      testDescription: name, behaviour: .hold(beginning), error: "estimatorUnavailable", cause: "timedOut",
      timeout: 1000
    )
  }

  private static func large(_ name: String, _ behaviour: MisbehavingServer.Behaviour) -> Misbehaviour {
    Misbehaviour(testDescription: name, behaviour: behaviour, error: "estimatorAnswerInvalid", cause: "tooLarge")
  }

  private static func refused(_ status: String) -> Misbehaviour {
    Misbehaviour(
      testDescription: status,
      behaviour: MisbehavingServer.answer(status, #"{"error":{"message":"sk-secret is wrong"}}"#),
      error: "estimatorRefused", cause: "refused")
  }

  private static func failing(_ status: String, _ cause: String) -> Misbehaviour {
    Misbehaviour(
      testDescription: status, behaviour: MisbehavingServer.answer(status, "<html>"), error: "estimatorUnavailable",
      cause: cause, isRepeated: true)
  }

  private static let reversed =
    #"{"items":[],"total":{"calories":{"low":5,"high":4}},"confidence":"low"}"#
  private static let chunked = MisbehavingServer.head("200 OK", ["Transfer-Encoding: chunked"])

  static let misbehaviours = [
    refused("401 Unauthorized"), refused("403 Forbidden"), refused("404 Not Found"), refused("400 Bad Request"),
    failing("500 Oops", "serverError"), failing("503 Busy", "serverError"), failing("408 Late", "serverError"),
    failing("429 Too Many", "rateLimited"),
    gone("the connection closes at once", .say("")), gone("no HTTP", .say("\u{1}\u{2}\u{3}\r\n\r\n")),
    gone("half a head", .say("HTTP/1.1 200 OK\r\nContent-")),
    gone("half a body", .say(MisbehavingServer.head("200 OK", ["Content-Length: 5000"]) + #"{"choices":"#)),
    gone("chunks that are none", .say(chunked + "zzz\r\n{}\r\n")),
    gone("chunks without an end", .say(chunked + "2\r\n{}\r\n")),
    silent("silence", ""), silent("slow headers", "HTTP/1.1 200 OK\r\nX-Slow: "),
    silent("a slow body", MisbehavingServer.head("200 OK", ["Content-Length: 5000"]) + #"{"choices":"#),
    large("a body announced too large", .hold(MisbehavingServer.head("200 OK", ["Content-Length: 99999999"]))),
    large("a body without an end", .endless(chunked, "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n")),
    bad("an empty answer", MisbehavingServer.answer("200 OK")),
    bad("no content", MisbehavingServer.answer("204 No Content")),
    bad("no JSON", MisbehavingServer.answer("200 OK", "<html>busy</html>")),
    bad(
      "a length that is too short",
      .say(MisbehavingServer.head("200 OK", ["Content-Length: 12"]) + #"{"choices":[{"message":{}}]}"#)),
    bad("JSON in two pieces", MisbehavingServer.answer("200 OK", #"{"choices":[]} {}"#)),
    bad("another shape", MisbehavingServer.answer("200 OK", #"{"answer":"42"}"#), "/choices"),
    bad("no choice", MisbehavingServer.answer("200 OK", #"{"choices":[]}"#), "/choices/0/message"),
    bad(
      "no text", MisbehavingServer.answer("200 OK", #"{"choices":[{"message":{"content":null}}]}"#),
      "/choices/0/message/content"),
    bad("an estimate in words", MisbehavingServer.completion("About 400 kcal, I would say.")),
    bad("a range the wrong way round", MisbehavingServer.completion(reversed), "/total/calories/high"),
  ]

  @Test("Each way to misbehave has its answer", arguments: misbehaviours)
  func misbehaves(_ case: Misbehaviour) async throws {
    let server = try MisbehavingServer([`case`.behaviour])
    let daybook = try await serve(server.baseURL, retries: 1)
    try await daybook.call("key", "secrets/set", #"{"name":"estimator.key","value":"sk-secret"}"#)
    let timeout = `case`.timeout.map { #","timeoutMs":\#($0)"# } ?? ""
    daybook.request("1", "meals/estimate", #"{"description":"soup"\#(timeout)}"#)
    let error = try #require(try await daybook.response("1")["error"])
    #expect(error["data"]?["name"]?.string == `case`.error, "\(error.text)")
    #expect(error["data"]?["cause"]?.string == `case`.cause)
    #expect(error["data"]?["pointer"]?.string == `case`.pointer)
    #expect(!error.text.contains("sk-secret"))
    // With a short limit it may end before the connection.
    if `case`.timeout == nil { #expect(server.connections == (`case`.isRepeated ? 2 : 1)) }
    #expect(server.connections <= (`case`.isRepeated ? 2 : 1))
    #expect(try await daybook.call("2", "days/get")["mealCount"]?.integer == 0, "the service goes on")
  }

  @Test("An endpoint that recovers in time is asked until it answers")
  func recovers() async throws {
    let server = try MisbehavingServer([
      MisbehavingServer.answer("500 Oops"), .say(""),
      MisbehavingServer.answer("429 Slow down", headers: ["Retry-After: 1"]), MisbehavingServer.good,
    ])
    let daybook = try await serve(server.baseURL, retries: 3)
    #expect(try await daybook.call("1", "meals/estimate", question)["midpoint"]?.integer == 360)
    #expect(server.connections == 4)
  }

  @Test("An excessive wait requested by the endpoint is reported instead of waited for")
  func rateLimited() async throws {
    let server = try MisbehavingServer([MisbehavingServer.answer("429 Slow down", headers: ["Retry-After: 3600"])])
    let daybook = try await serve(server.baseURL, arguments: ["--clock", "2026-01-05T12:00:00Z"])
    daybook.request("1", "meals/estimate", #"{"description":"soup","timeoutMs":600000}"#)
    let data = try await daybook.response("1")["error"]?["data"]
    #expect(data?["cause"]?.string == "rateLimited")
    #expect(data?["retry"]?.string == "later")
    #expect(data?["retryAt"]?.string == "2026-01-05T13:00:00.000Z")
    #expect(server.connections == 1)
  }

  @Test("The key does not follow a redirect to another place")
  func moved() async throws {
    let other = try MisbehavingServer([MisbehavingServer.good])
    let server = try MisbehavingServer([
      MisbehavingServer.answer("307 Moved", headers: ["Location: \(other.baseURL)/x"])
    ])
    let daybook = try await serve(server.baseURL)
    daybook.request("1", "meals/estimate", question)
    let data = try await daybook.response("1")["error"]?["data"]
    #expect(data?["name"]?.string == "estimatorRefused" && data?["cause"]?.string == "moved")
    #expect(other.connections == 0 && server.connections == 1)
  }

  @Test("Where nobody listens is unreachable")
  func dead() async throws {
    let daybook = try await serve("http://127.0.0.1:\(try MisbehavingServer.deadPort())", retries: 0)
    daybook.request("1", "meals/estimate", question)
    #expect(try await daybook.response("1")["error"]?["data"]?["cause"]?.string == "unreachable")
  }

  @Test(
    "While an endpoint is silent everything else is answered, and a cancellation ends the waiting and the connection")
  func cancelled() async throws {
    let server = try MisbehavingServer([.hold("")])
    let daybook = try await serve(server.baseURL)
    daybook.request("1", "meals/estimate", question)
    _ = try await server.requests.take("the request") { _ in true }
    try await daybook.call("2", "meals/add", #"{"name":"Soup","calories":200}"#)
    #expect(try await daybook.call("3", "days/get")["caloriesConsumed"]?.integer == 200)
    daybook.notify("$/cancelRequest", #"{"id":"1"}"#)
    #expect(try await daybook.response("1")["error"]?["data"]?["name"]?.string == "requestCancelled")
    _ = try await server.left.take("the connection ends") { _ in true }
    #expect(server.connections == 1)
  }

  @Test("Cancelling between two attempts prevents the second")
  func cancelledInAPause() async throws {
    let server = try MisbehavingServer([MisbehavingServer.answer("503 Busy", headers: ["Retry-After: 500"])])
    let daybook = try await serve(server.baseURL)
    daybook.request("1", "meals/estimate", question)
    _ = try await server.left.take("the first attempt is over") { _ in true }
    daybook.notify("$/cancelRequest", #"{"id":"1"}"#)
    #expect(try await daybook.response("1")["error"]?["data"]?["name"]?.string == "requestCancelled")
    #expect(server.connections == 1)
  }

  @Test("Many concurrent requests are all answered, some of them cancelled")
  func many() async throws {
    let server = try MisbehavingServer([MisbehavingServer.good])
    let silent = try MisbehavingServer([.hold("")])
    let daybook = try await serve(server.baseURL)
    for number in 0..<6 { daybook.request("\(number)", "meals/estimate", question) }
    for number in 0..<6 { #expect(try await daybook.result("\(number)")["midpoint"]?.integer == 360) }
    try await daybook.call("c", "estimator/configure", #"{"baseURL":"\#(silent.baseURL)"}"#)
    for number in 6..<12 { daybook.request("\(number)", "meals/estimate", question) }
    for number in 6..<12 { daybook.notify("$/cancelRequest", #"{"id":"\#(number)"}"#) }
    for number in 6..<12 {
      #expect(try await daybook.response("\(number)")["error"]?["data"]?["name"]?.string == "requestCancelled")
    }
  }

  @Test("The carrier ends with the service in any case", arguments: [SIGKILL, SIGTERM])
  func endsWithTheService(_ signal: Int32) async throws {
    let server = try MisbehavingServer([.hold("")])
    let daybook = try await serve(server.baseURL)
    daybook.request("1", "meals/estimate", question)
    _ = try await server.requests.take("the request") { _ in true }
    daybook.process.signal(signal)
    _ = try await daybook.exitStatus()
    _ = try await server.left.take("the connection ends") { _ in true }
  }
}
