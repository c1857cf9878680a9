import CivilTime

/// What was eaten on each day of a span, without days that are slips.
struct IntakeDays {
  /// Less than this is a day that was begun and not finished, unless it is marked as fasted, kcal.
  static let leastOfADay = 200
  /// What lies outside these multiples of the median is odd.
  static let oddBounds = 0.35...3.0
  /// Odd days are slips (a digit too many, a day logged in part) while they are at most one in ten. More are a habit.
  static let oddShare = 0.1

  /// What was eaten on each day, kcal; nil where it does not count.
  let days: [Int?]
  /// How many days count.
  let count: Int
  /// The mean of the days that count, kcal; 0 without any.
  let mean: Double

  /// So many days from one on. Days that are not in `intake` were not logged and do not count; 0 is a fasted day and does.
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

  /// What was eaten from the first day on up to the morning of each, kcal: one more than there are days. Where nothing is known
  /// the mean stands.
  var eatenBefore: [Double] {
    var sums = [0.0]
    for calories in days { sums.append((sums.last ?? 0) + (calories.map(Double.init) ?? mean)) }
    return sums
  }

  /// Days of these multiples of a usual one may have been logged in part, where they are more than a few.
  static let partBounds = 0.35..<0.7

  /// What may be missing of `mean` because days were logged in part, kcal: by how much those are below a usual day, as far as they
  /// are more than one in ten.
  var missing: Double {
    let eaten = days.compactMap { $0 }.filter { $0 > 0 }.sorted()
    guard !eaten.isEmpty else { return 0 }
    // As much as every other day may be in part: then the usual day is above the median.
    let usual = Double(eaten[eaten.count * 3 / 5])
    let low = eaten.map(Double.init).filter { IntakeDays.partBounds.contains($0 / usual) }
    guard Double(low.count) > IntakeDays.oddShare * Double(eaten.count) else { return 0 }
    return low.reduce(0) { $0 + usual - $1 } / Double(eaten.count)
  }

  /// The standard error of `mean` as that of all days, of which those that count were drawn without putting back.
  var standardError: Double {
    guard count > 1, days.count > count else { return 0 }
    let squares = days.compactMap { $0 }.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let missing = Double(days.count - count) / Double(days.count)
    return (squares / Double(count - 1) / Double(count) * missing).squareRoot()
  }
}
