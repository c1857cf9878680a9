import DaybookProtocol
import HTTPCarriage

/// Asks an endpoint, with retries until there is an answer or the timeout. All effects are injected.
package struct EndpointClient {
  private let endpoint: Endpoint
  private let model: String
  private let key: EstimatorKey?
  private let retries: Int
  /// Sends a request and waits for the answer.
  private let carry: (HTTPRequest) -> HTTPOutcome
  /// Sleeps, milliseconds; returns false when cancelled.
  private let rest: (Int) -> Bool
  /// A monotonic clock, milliseconds.
  private let elapsed: () -> Int64
  /// The wall clock.
  private let now: () -> Instant
  /// Random numbers, 0..<1.
  private let random: () -> Double

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

  /// Asks a question, and returns the model's text.
  package func ask(_ question: MealQuestion) throws(EstimatorFailure) -> EstimatorReply {
    let end = elapsed() + Int64(question.timeout)
    var attempt = 0
    var extras = ChatExtras.all
    while true {
      let left = Int(clamping: end - elapsed())
      guard left > 0 else { throw EndpointClient.timedOut(question.timeout) }
      let answer = carry(
        ChatRequest.request(question, to: endpoint, model: model, key: key, timeout: left, extras: extras))
      if case .response(let response) = answer, (200...299).contains(response.status) {
        return EstimatorReply(text: try ChatReply.text(response.body), model: model)
      }
      // Each refused extra is left out once; this does not count as a retry.
      let refused = ChatExtras.refused(by: answer).intersection(extras)
      if !refused.isEmpty {
        extras.subtract(refused)
        continue
      }
      let asked = asksToWait(answer)
      let failure = failure(answer, question, asked: asked)
      guard attempt < retries, RetryRules.isTransient(answer) else { throw failure }
      let pause = RetryRules.pause(attempt, random: random(), asked: asked)
      // A pause beyond the timeout is pointless.
      guard Int64(pause) < end - elapsed() else { throw failure }
      guard rest(pause) else { throw .cancelled }
      attempt += 1
    }
  }

  private static func timedOut(_ timeout: Int) -> EstimatorFailure {
    EstimatorFailure(.timedOut, "there was no answer within \(timeout) ms")
  }

  /// The pause that an answer asks for, milliseconds.
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
      case .timedOut: EndpointClient.timedOut(question.timeout)
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
        .moved, "the endpoint answered \(response.status): it has moved, and the key is not sent to other addresses")
    // The answer's text may contain a part of the key.
    case 401, 403: return EstimatorFailure(.refused, "the endpoint refused the key (\(response.status))")
    case 429: return EstimatorFailure(.rateLimited, "the endpoint received too many requests (429)", retryAt: retryAt)
    case 408, 500...599:
      return EstimatorFailure(.serverError, "the endpoint failed (\(response.status))", retryAt: retryAt)
    default:
      let reason = ChatReply.reason(response.body, without: key).map { ": \($0)" } ?? ""
      return EstimatorFailure(.refused, "the endpoint refused the request (\(response.status))\(reason)")
    }
  }
}

/// When to retry, and after which pause.
enum RetryRules {
  /// The pause before the first retry, doubled for each further one, milliseconds.
  static let firstPause = 500
  /// The longest pause of our own, milliseconds.
  static let longestPause = 8000

  /// Whether a retry may succeed: after connection failures, 408, 429 and 5xx.
  static func isTransient(_ answer: HTTPOutcome) -> Bool {
    switch answer {
    case .response(let response):
      response.status == 408 || response.status == 429 || (500...599).contains(response.status)
    case .failure(let failure): [.dns, .refused, .lost].contains(failure.kind)
    }
  }

  /// The pause before a retry, numbered from 0, milliseconds: exponential, with a jitter down to its half.
  ///
  /// - Parameters:
  ///   - random: 0..<1.
  ///   - asked: The least pause, as the endpoint asked for, milliseconds.
  static func pause(_ number: Int, random: Double, asked: Int?) -> Int {
    let full = min(longestPause, firstPause << min(max(0, number), 10))
    let share = 0.5 + min(max(0, random), 1) / 2
    return max(Int(Double(full) * share), asked ?? 0)
  }

  /// The pause that a header `Retry-After` asks for in seconds or as a date (RFC 9110 §10.2.3), milliseconds.
  static func retryAfter(_ text: String?, now: Instant) -> Int? {
    guard let text else { return nil }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (48...57).contains($0) }) {
      guard let seconds = Int(trimmed), seconds < 1_000_000_000 else { return longestAsked }
      return min(seconds * 1000, longestAsked)
    }
    guard let instant = HTTPDate.instant(trimmed) else { return nil }
    return Int(clamping: max(0, min(instant.milliseconds - now.milliseconds, Int64(longestAsked))))
  }

  /// Longer pauses are cut to a year, milliseconds.
  private static let longestAsked = 366 * 86_400_000
}

enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The instant of an `IMF-fixdate` (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for other texts.
  static func instant(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", let day = Int(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
      let date = CivilDay(year: year, month: month + 1, day: day)
    else { return nil }
    let time = words[4].split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2], (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return Instant(milliseconds: seconds * 1000)
  }
}
