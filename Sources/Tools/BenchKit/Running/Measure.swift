import Foundation

/// A line of the table as it is declared: what it is called, which figures it shows, and what they are compared with.
package struct Measure: Sendable {
  let name: String
  let unit: Unit
  let key: String
  let statistic: Statistic
  /// What the figure stands beside, taken in the same rounds.
  let anchor: (name: String, key: String)?
  let goal: Goal?

  /// - Parameter key: Which figures; those of the same name as the measure when nil.
  /// - Parameter anchor: What they stand beside: its name in the table, and which figures.
  package init(
    _ name: String, _ unit: Unit, _ key: String? = nil, _ statistic: Statistic = .median,
    beside anchor: (name: String, key: String)? = nil, goal: Goal? = nil
  ) {
    self.name = name
    self.unit = unit
    self.key = key ?? name
    self.statistic = statistic
    self.anchor = anchor
    self.goal = goal
  }
}

/// What a figure counts. Durations are taken in nanoseconds.
package enum Unit: String, Sendable {
  case microseconds = "µs"
  case milliseconds = "ms"
  case perSecond = "/s"
  case megabytes = "MB"
  case megabytesPerSecond = "MB/s"
  case bytes = "bytes"
  case percent = "%"
  case count = ""

  /// What a figure as taken is divided by.
  var divisor: Double {
    switch self {
    case .microseconds: 1e3
    case .milliseconds: 1e6
    default: 1
    }
  }
}

/// What a figure should be.
package enum Goal: Sendable {
  case atMost(Double)
  case atLeast(Double)
  /// At most so many times the anchor.
  case ratioAtMost(Double)
  /// At least so many times the anchor.
  case ratioAtLeast(Double)

  /// In few signs.
  func text(_ unit: Unit) -> String {
    switch self {
    case .atMost(let limit): "≤ \(Row.number(limit)) \(unit.rawValue)"
    case .atLeast(let limit): "≥ \(Row.number(limit)) \(unit.rawValue)"
    case .ratioAtMost(let limit): "≤ \(Row.number(limit))×"
    case .ratioAtLeast(let limit): "≥ \(Row.number(limit))×"
    }
  }
}

/// Measures that are taken together, in rounds.
package struct Group: Sendable {
  /// Takes the figures of one round.
  package typealias Round = (_ figures: inout Figures) throws(BenchError) -> Void

  let name: String
  let measures: [Measure]
  /// Whether it belongs to the store's table.
  let isOfStore: Bool
  /// Whether a round takes seconds.
  let isLong: Bool
  /// Makes what the rounds need, and returns what takes one. A first round, of which nothing is kept, warms everything up if
  /// `warmsUp`.
  let prepare: @Sendable (Bench) throws(BenchError) -> Round
  let warmsUp: Bool

  /// A group of the first table, or of the store's.
  package init(
    _ name: String, ofStore: Bool = false, isLong: Bool = false, warmsUp: Bool = false, _ measures: [Measure],
    _ prepare: @escaping @Sendable (Bench) throws(BenchError) -> Round
  ) {
    self.name = name
    self.measures = measures
    isOfStore = ofStore
    self.isLong = isLong
    self.warmsUp = warmsUp
    self.prepare = prepare
  }

  /// Whether any of its measures is asked for.
  func matches(_ only: String?) -> Bool {
    guard let only else { return true }
    return name.contains(only) || measures.contains { $0.name.lowercased().contains(only) }
  }

  /// Takes its measures on each of `benches`, in turns: the first is what is measured, a second one an earlier build.
  func run(_ benches: [Bench]) throws(BenchError) -> [Row] {
    guard let first = benches.first else { return [] }
    var figures = benches.map { _ in Figures() }
    do throws(BenchError) {
      var rounds: [Round] = []
      for bench in benches { rounds.append(try prepare(bench)) }
      if warmsUp {
        var nothing = Figures()
        for round in rounds { try round(&nothing) }
      }
      for _ in 0..<(isLong ? first.longRounds : first.options.rounds) {
        for (index, round) in rounds.enumerated() { try round(&figures[index]) }
      }
    } catch {
      guard isOfStore else { throw error }
      // The other groups are still measured.
      return measures.map { Row($0, failure: error) }
    }
    return measures.compactMap { Row($0, figures[0], before: figures.dropFirst().first) }
  }
}
