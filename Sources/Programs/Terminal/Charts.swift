import CivilTime

/// Numbers as one line of bars.
package enum Sparkline {
  /// A bar for each value, the lowest at the bottom; a space where there is none. More values than `width` are averaged.
  package static func text(_ values: [Double?], on surface: Surface) -> String {
    let values = averaged(values, surface.width ?? Int.max)
    let known = values.compactMap { $0 }
    guard let low = known.min(), let high = known.max() else { return "" }
    let bars = Array(surface.isASCII ? "_.:-=+*#" : "▁▂▃▄▅▆▇█")
    let line = String(
      values.map { value in
        guard let value else { return " " }
        let share = high > low ? (value - low) / (high - low) : 0.5
        return bars[min(bars.count - 1, Int(share * Double(bars.count)))]
      })
    return line.trimmingEnd
  }

  private static func averaged(_ values: [Double?], _ width: Int) -> [Double?] {
    guard values.count > width else { return values }
    return (0..<width).map { index in
      let part = values[(index * values.count / width)..<((index + 1) * values.count / width)].compactMap { $0 }
      return part.isEmpty ? nil : part.reduce(0, +) / Double(part.count)
    }
  }
}

/// A year of days: a column a week, a row a weekday.
package enum HeatMap {
  package static let weeks = 53

  /// The lines of the latest weeks that fit, up to the week of `last`.
  ///
  /// - Parameter levels: How far each day was met, percent; days that do not count are missing.
  package static func lines(
    _ levels: [CivilDay: Int], last: CivilDay, firstWeekday: Int, on surface: Surface
  ) -> [String] {
    let label = 4
    let count = min(weeks, (surface.width ?? Int.max) - label)
    let lastWeek = last.week(from: firstWeekday).lowerBound
    let steps = Array(surface.isASCII ? ".-+*#" : "·░▒▓█")
    return (0..<7).map { row in
      var line = DayWords.weekday(of: lastWeek.advanced(by: row)).prefix(3) + " "
      for week in 0..<count {
        let day = lastWeek.advanced(by: (week - count + 1) * 7 + row)
        let level = day > last ? nil : levels[day]
        line.append(level.map { steps[min(4, max(0, $0) / 25)] } ?? " ")
      }
      return String(line).trimmingEnd
    }
  }
}

extension String {
  /// Without the spaces at its end.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
