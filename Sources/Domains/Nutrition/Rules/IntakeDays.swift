import CivilTime

/// The intake of each day of a span, without implausible days.
struct IntakeDays {
  /// A day with less is unfinished, unless it is marked as a fast, kcal.
  static let leastOfADay = 200
  /// Days outside these multiples of the median are odd.
  static let oddBounds = 0.35...3.0
  /// Odd days are left out as errors (an extra digit, a partly logged day) if they are at most this share. More are a habit.
  static let oddShare = 0.1

  /// The intake of each day, kcal; nil where it does not count.
  let days: [Int?]
  /// The number of days that count.
  let count: Int
  /// The mean of the days that count, kcal; 0 without any.
  let mean: Double

  /// - Parameters:
  ///   - intake: The calories of logged days, kcal; 0 for fasts, which count.
  ///   - count: The length of the span.
  init(_ intake: [CivilDay: Int], from first: CivilDay, days count: Int) {
    let logged = (0..<max(0, count)).map { number -> Int? in
      guard let calories = intake[first.advanced(by: number)] else { return nil }
      return calories == 0 || calories >= IntakeDays.leastOfADay ? calories : nil
    }
    let all = logged.compactMap { $0 }
    let eaten = all.filter { $0 > 0 }.sorted()
    let median = eaten.isEmpty ? 0 : Double(eaten[eaten.count / 2])
    let bounds = median * IntakeDays.oddBounds.lowerBound...median * IntakeDays.oddBounds.upperBound
    let odd = eaten.filter { !bounds.contains(Double($0)) }
    let leavesOut = Double(odd.count) <= IntakeDays.oddShare * Double(all.count)
    days = logged.map { calories in
      guard leavesOut, let calories, calories > 0 else { return calories }
      return bounds.contains(Double(calories)) ? calories : nil
    }
    let counting = days.compactMap { $0 }
    self.count = counting.count
    mean = counting.isEmpty ? 0 : counting.reduce(0.0) { $0 + Double($1) } / Double(counting.count)
  }

  /// The cumulative intake at the start of each day and at the end of the last, kcal, with the mean for days that do not count.
  var cumulative: [Double] {
    var sums = [0.0]
    for calories in days { sums.append((sums.last ?? 0) + (calories.map(Double.init) ?? mean)) }
    return sums
  }

  /// Days within these multiples of a usual day may be partly logged.
  static let partBounds = 0.35..<0.7

  /// What partly logged days may lack in `mean`, kcal: the shortfall of low days, if they are more than one in ten.
  var missing: Double {
    let eaten = days.compactMap { $0 }.filter { $0 > 0 }.sorted()
    guard !eaten.isEmpty else { return 0 }
    // Up to half of the days may be partial, so a usual day is above the median.
    let usual = Double(eaten[eaten.count * 3 / 5])
    let low = eaten.map(Double.init).filter { IntakeDays.partBounds.contains($0 / usual) }
    guard Double(low.count) > IntakeDays.oddShare * Double(eaten.count) else { return 0 }
    return low.reduce(0) { $0 + usual - $1 } / Double(eaten.count)
  }

  /// The standard error of `mean` for all days, of which the counting ones are a sample without replacement.
  var standardError: Double {
    guard count > 1, days.count > count else { return 0 }
    let squares = days.compactMap { $0 }.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let missing = Double(days.count - count) / Double(days.count)
    return (squares / Double(count - 1) / Double(count) * missing).squareRoot()
  }
}
