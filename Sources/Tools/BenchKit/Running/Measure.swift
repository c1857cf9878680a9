import Foundation

/// The declaration of a table row: its name, figures and reference.
package struct Measure: Sendable {
  let name: String
  let unit: Unit
  let key: String
  let statistic: Statistic
  /// The reference figure, taken in the same rounds.
  let anchor: (name: String, key: String)?
  let goal: Goal?

  /// - Parameter key: The key of the figures; the name of the measure when nil.
  /// - Parameter anchor: The reference: its name in the table, and the key of its figures.
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

/// The unit of a figure. Durations are recorded in nanoseconds.
package enum Unit: String, Sendable {
  case microseconds = "µs"
  case milliseconds = "ms"
  case perSecond = "/s"
  case megabytes = "MB"
  case megabytesPerSecond = "MB/s"
  case bytes = "bytes"
  case percent = "%"
  case count = ""

  /// The divisor from the recorded unit.
  var divisor: Double {
    switch self {
    case .microseconds: 1e3
    case .milliseconds: 1e6
    default: 1
    }
  }
}

/// The goal for a figure.
package enum Goal: Sendable {
  case atMost(Double)
  case atLeast(Double)
  /// At most this multiple of the reference.
  case ratioAtMost(Double)
  /// At least this multiple of the reference.
  case ratioAtLeast(Double)

  /// The short form.
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
  /// Measures one round.
  package typealias Round = (_ figures: inout Figures) throws(BenchError) -> Void

  let name: String
  let measures: [Measure]
  /// Whether it belongs to the store's table.
  let isOfStore: Bool
  /// Whether a round takes seconds.
  let isLong: Bool
  /// Prepares the rounds, and returns the function for one. With `warmsUp`, a first round is discarded.
  let prepare: @Sendable (Bench) throws(BenchError) -> Round
  let warmsUp: Bool

  /// A group of the main table, or of the store's.
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

  /// Whether `only` selects any of its measures.
  func matches(_ only: String?) -> Bool {
    guard let only else { return true }
    return name.contains(only) || measures.contains { $0.name.lowercased().contains(only) }
  }

  /// Measures `benches` in turns: the current build, and optionally an earlier one.
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
      // The remaining groups are still measured.
      return measures.map { Row($0, failure: error) }
    }
    return measures.compactMap { Row($0, figures[0], before: figures.dropFirst().first) }
  }
}
