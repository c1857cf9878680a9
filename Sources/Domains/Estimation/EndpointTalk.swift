import CivilTime
import DaybookProtocol
import HTTPCarriage

/// Asks an endpoint, again where that may help, until there is an answer or the time is over. Everything outside is handed in.
package struct EndpointTalk {
  package let endpoint: Endpoint
  package let model: String
  package let key: EstimatorKey?
  /// How many more attempts there may be.
  package let retries: Int
  /// Takes a request there and waits for what comes back.
  package let carry: (HTTPRequest) -> HTTPOutcome
  /// Waits so many milliseconds; false when it is not wanted any more.
  package let rest: (Int) -> Bool
  /// Milliseconds of a clock that only goes forwards.
  package let elapsed: () -> Int64
  /// The wall clock.
  package let now: () -> Instant
  /// From 0 up to 1.
  package let random: () -> Double

  package init(
    endpoint: Endpoint, model: String, key: EstimatorKey?, retries: Int,
    carry: @escaping (HTTPRequest) -> HTTPOutcome, rest: @escaping (Int) -> Bool,
    elapsed: @escaping () -> Int64, now: @escaping () -> Instant, random: @escaping () -> Double
  ) {
    self.endpoint = endpoint
    self.model = model
    self.key = key
    self.retries = retries
    self.carry = carry
    self.rest = rest
    self.elapsed = elapsed
    self.now = now
    self.random = random
  }

  /// Asks, and gives back what the model wrote.
  package func ask(_ question: MealQuestion) throws(EstimatorFailure) -> EstimatorSaying {
    let end = elapsed() + Int64(question.timeout)
    var attempt = 0
    var extras = ChatExtras.all
    while true {
      let left = Int(clamping: end - elapsed())
      guard left > 0 else { throw EndpointTalk.timedOut(question.timeout) }
      let answer = carry(
        ChatRequest.request(question, to: endpoint, model: model, key: key, timeout: left, extras: extras))
      if case .response(let response) = answer, (200...299).contains(response.status) {
        return EstimatorSaying(text: try ChatReply.text(response.body), model: model)
      }
      // What the endpoint does not take is left away, once each; that is no repetition of the same.
      let refused = ChatExtras.refused(by: answer).intersection(extras)
      if !refused.isEmpty {
        extras.subtract(refused)
        continue
      }
      let asked = asksToWait(answer)
      let failure = failure(answer, question, asked: asked)
      guard attempt < retries, RetryRules.mayGoWellLater(answer) else { throw failure }
      let pause = RetryRules.pause(attempt, random: random(), asked: asked)
      // What could not be answered in time is not waited for.
      guard Int64(pause) < end - elapsed() else { throw failure }
      guard rest(pause) else { throw .cancelled }
      attempt += 1
    }
  }

  private static func timedOut(_ timeout: Int) -> EstimatorFailure {
    EstimatorFailure(.timedOut, "there was no answer within \(timeout) ms")
  }

  /// For how long an answer asks to be left alone, in milliseconds.
  private func asksToWait(_ answer: HTTPOutcome) -> Int? {
    guard case .response(let response) = answer else { return nil }
    return RetryRules.retryAfter(response.header("retry-after"), now: now())
  }

  private func failure(_ answer: HTTPOutcome, _ question: MealQuestion, asked: Int?) -> EstimatorFailure {
    switch answer {
    case .failure(let failure):
      switch failure.kind {
      case .dns, .refused, .lost: EstimatorFailure(.unreachable, failure.message)
      case .tls: EstimatorFailure(.insecure, failure.message)
      case .timedOut: EndpointTalk.timedOut(question.timeout)
      case .tooLarge: EstimatorFailure(.tooLarge, failure.message)
      case .badRequest, .carrier: EstimatorFailure(.carrier, failure.message)
      case .cancelled: .cancelled
      }
    case .response(let response): failure(response, asked: asked)
    }
  }

  private func failure(_ response: HTTPResponse, asked: Int?) -> EstimatorFailure {
    let retryAt = asked.map { now().advanced(by: Int64($0)) }
    switch response.status {
    case 300...399:
      return EstimatorFailure(
        .moved, "the endpoint answered \(response.status): it has moved, and the key is not sent after it")
    // What it says may repeat a part of the key.
    case 401, 403: return EstimatorFailure(.refused, "the endpoint refused the key (\(response.status))")
    case 429: return EstimatorFailure(.rateLimited, "the endpoint was asked too often (429)", retryAt: retryAt)
    case 408, 500...599:
      return EstimatorFailure(.serverError, "the endpoint failed (\(response.status))", retryAt: retryAt)
    default:
      let reason = ChatReply.reason(response.body, without: key).map { ": \($0)" } ?? ""
      return EstimatorFailure(.refused, "the endpoint refused the request (\(response.status))\(reason)")
    }
  }
}
