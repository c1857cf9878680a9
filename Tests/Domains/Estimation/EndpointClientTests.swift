import DaybookProtocol
import HTTPCarriage
import Testing

@testable import Estimation

/// A scripted endpoint with a simulated clock.
private final class PlayedEndpoint {
  var answers: [HTTPOutcome]
  var requests: [HTTPRequest] = []
  var pauses: [Int] = []
  var elapsed: Int64 = 0
  /// The duration of each answer, milliseconds.
  var delay: Int64 = 10
  var isWanted = true
  var random = 0.0

  init(_ answers: [HTTPOutcome]) { self.answers = answers }

  func client(retries: Int = 2) throws -> EndpointClient {
    EndpointClient(
      endpoint: try Endpoint("https://a/v1"), model: "m", key: try EstimatorKey("sk-secret"), retries: retries,
      carry: { request in
        self.requests.append(request)
        self.elapsed += self.delay
        return self.answers.isEmpty ? .failure(HTTPFailure(.lost, "over")) : self.answers.removeFirst()
      },
      rest: { pause in
        self.pauses.append(pause)
        self.elapsed += Int64(pause)
        return self.isWanted
      }, elapsed: { self.elapsed }, now: { Instant(milliseconds: 1_000_000) }, random: { self.random })
  }

  func ask(timeout: Int = 30_000, retries: Int = 2) throws -> Result<EstimatorReply, EstimatorFailure> {
    let client = try client(retries: retries)
    do throws(EstimatorFailure) {
      return .success(try client.ask(MealQuestion(description: "d", timeout: timeout)))
    } catch { return .failure(error) }
  }
}

@Suite("Asking an endpoint with retries")
struct EndpointClientTests {
  private static let good = HTTPOutcome.response(
    HTTPResponse(status: 200, body: Array(#"{"choices":[{"message":{"content":"yes"}}]}"#.utf8)))

  private static func status(_ status: Int, retryAfter: String? = nil, body: String = "") -> HTTPOutcome {
    .response(
      HTTPResponse(
        status: status, headers: retryAfter.map { [.init("retry-after", $0)] } ?? [], body: Array(body.utf8)))
  }

  private static func failure(_ kind: HTTPFailure.Kind) -> HTTPOutcome { .failure(HTTPFailure(kind, "failed")) }

  @Test(
    "Transient failures are retried with growing pauses",
    arguments: [
      status(408), status(429), status(500), status(502), status(503), status(599), failure(.dns), failure(.refused),
      failure(.lost),
    ])
  func repeated(_ first: HTTPOutcome) throws {
    let endpoint = PlayedEndpoint([first, first, Self.good])
    #expect(try endpoint.ask() == .success(EstimatorReply(text: "yes", model: "m")))
    #expect(endpoint.pauses == [250, 500])
    #expect(endpoint.requests.map(\.timeout) == [30_000, 29_740, 29_230], "what is left of the time")
    #expect(Set(endpoint.requests.map(\.body)).count == 1)
  }

  @Test(
    "Other failures are not retried, and their cause is reported",
    arguments: [
      (status(400), .refused), (status(401), .refused), (status(403), .refused), (status(404), .refused),
      (status(422), .refused),
      (status(301), .moved), (status(308), .moved), (status(304), .moved), (failure(.tls), .insecure),
      (failure(.timedOut), .timedOut),
      (failure(.tooLarge), .tooLarge), (failure(.badRequest), .carrier), (failure(.carrier), .carrier),
      (status(204), .badAnswer), (status(200, body: "<html>"), .badAnswer),
    ] as [(HTTPOutcome, EstimatorCause)])
  func once(_ answer: HTTPOutcome, _ cause: EstimatorCause) throws {
    let endpoint = PlayedEndpoint([answer, Self.good])
    guard case .failure(let failure) = try endpoint.ask() else {
      Issue.record("\(answer) is no success")
      return
    }
    #expect(failure.cause == cause)
    #expect(endpoint.requests.count == 1 && endpoint.pauses.isEmpty)
  }

  @Test("Extras that an endpoint refuses are left out, and the request is repeated at once")
  func leftAway() throws {
    let endpoint = PlayedEndpoint([
      Self.status(400, body: #"{"error":{"message":"Unsupported value: 'temperature'"}}"#),
      Self.status(422, body: #"{"error":"response_format is not supported"}"#), Self.good,
    ])
    #expect(try endpoint.ask(retries: 0) == .success(EstimatorReply(text: "yes", model: "m")))
    let bodies = endpoint.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.map { $0.contains("temperature") } == [true, false, false])
    #expect(bodies.map { $0.contains("response_format") } == [true, true, false])
    #expect(endpoint.pauses.isEmpty)
    // An endpoint that refuses an extra again fails the request.
    let stubborn = PlayedEndpoint([HTTPOutcome](repeating: Self.status(400, body: "temperature"), count: 9))
    guard case .failure(let failure) = try stubborn.ask() else { return }
    #expect(failure.cause == .refused && stubborn.requests.count == 2)
  }

  @Test("The number of attempts is limited")
  func bounded() throws {
    for retries in 0...5 {
      let endpoint = PlayedEndpoint([])
      guard case .failure(let failure) = try endpoint.ask(retries: retries) else { return }
      #expect(failure.cause == .unreachable && endpoint.requests.count == retries + 1)
    }
  }

  @Test("A requested pause is respected, and not begun when it exceeds the timeout")
  func retryAfter() throws {
    let patient = PlayedEndpoint([Self.status(429, retryAfter: "7"), Self.good])
    #expect(try patient.ask() == .success(EstimatorReply(text: "yes", model: "m")))
    #expect(patient.pauses == [7000])
    let late = PlayedEndpoint([Self.status(429, retryAfter: "60"), Self.good])
    guard case .failure(let failure) = try late.ask() else { return }
    #expect(failure.cause == .rateLimited && late.pauses.isEmpty && late.requests.count == 1)
    #expect(failure.retryAt == Instant(milliseconds: 1_060_000))
    let busy = PlayedEndpoint([Self.status(503, retryAfter: "Thu, 01 Jan 1970 00:16:42 GMT"), Self.good])
    #expect(try busy.ask() == .success(EstimatorReply(text: "yes", model: "m")))
    #expect(busy.pauses == [2000])
  }

  @Test("All attempts together respect the timeout")
  func total() throws {
    let slow = PlayedEndpoint([Self.failure(.lost), Self.failure(.lost), Self.good])
    slow.delay = 800
    guard case .failure(let failure) = try slow.ask(timeout: 1500) else { return }
    #expect(failure.cause == .unreachable)
    #expect(slow.requests.map(\.timeout) == [1500, 450])
    let late = PlayedEndpoint([])
    guard case .failure(let never) = try late.ask(timeout: 0) else { return }
    #expect(never.cause == .timedOut && late.requests.isEmpty)
  }

  @Test("Nothing is sent after cancellation")
  func cancelled() throws {
    let endpoint = PlayedEndpoint([Self.status(500), Self.good])
    endpoint.isWanted = false
    #expect(try endpoint.ask() == .failure(.cancelled))
    #expect(endpoint.requests.count == 1)
    #expect(try PlayedEndpoint([Self.failure(.cancelled)]).ask() == .failure(.cancelled))
  }

  @Test("An endpoint's reason is reported without the key, and not at all for a refused key")
  func untold() throws {
    let body = #"{"error":{"message":"no model sk-secret, try\n another"}}"#
    guard case .failure(let failure) = try PlayedEndpoint([Self.status(404, body: body)]).ask() else { return }
    #expect(failure.message == "the endpoint refused the request (404): no model …, try  another")
    let marked = #"{"error":{"message":"no model sk-secret\#u{301}, try\n another"}}"#
    guard case .failure(let hidden) = try PlayedEndpoint([Self.status(404, body: marked)]).ask() else { return }
    #expect(hidden.message == "the endpoint refused the request (404): no model …\u{301}, try  another")
    guard case .failure(let key) = try PlayedEndpoint([Self.status(401, body: body)]).ask() else { return }
    #expect(key.message == "the endpoint refused the key (401)")
  }

  @Test("Pauses double up to a limit, with a jitter down to the half", arguments: 0..<8)
  func pauses(_ number: Int) {
    let full = min(8000, 500 << number)
    #expect(RetryRules.pause(number, random: 0, asked: nil) == full / 2)
    #expect(RetryRules.pause(number, random: 1, asked: nil) == full)
    #expect(RetryRules.pause(number, random: 7, asked: nil) == full)
    #expect(RetryRules.pause(number, random: 0, asked: 9999) == 9999)
    #expect(RetryRules.pause(.max, random: 0.5, asked: nil) == 6000)
  }

  @Test(
    "Retry-After is a number of seconds or a date",
    arguments: [
      ("0", 0), ("120", 120_000), (" 5 ", 5000), ("99999999999999999999", 31_622_400_000), ("-1", nil), ("1.5", nil),
      ("soon", nil), ("", nil), ("Thu, 01 Jan 1970 00:17:00 GMT", 20_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 01 Jan 1970 00:17:00 CET", nil), ("Thu, 32 Jan 1970 00:17:00 GMT", nil),
      ("Sun, 06 Nov 2094 08:49:37 GMT", 31_622_400_000),
    ])
  func retryAfterHeader(_ text: String, _ expected: Int?) {
    #expect(RetryRules.retryAfter(text, now: Instant(milliseconds: 1_000_000)) == expected)
  }

  @Test("A fake gives the same answer each time without a network")
  func fake() async throws {
    let fake = FakeEstimator(calories: 100...120)
    let question = MealQuestion(description: "soup", timeout: 1)
    let first = try await fake.ask(question).get()
    #expect(try await fake.ask(question).get() == first)
    #expect(try EstimateAnswer(first.text).total == EstimateRange(low: 100, high: 120))
  }
}

/// Gives the same answer for every meal.
struct FakeEstimator: MealEstimator {
  let calories: ClosedRange<Int>

  func ask(_ question: MealQuestion) async -> Result<EstimatorReply, EstimatorFailure> {
    let range = #"{"calories":{"low":\#(calories.lowerBound),"high":\#(calories.upperBound)}}"#
    return .success(EstimatorReply(text: #"{"items":[],"total":\#(range),"confidence":"low"}"#, model: "fake"))
  }
}
