import CivilTime
import DaybookProtocol
import HTTPCarriage

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
