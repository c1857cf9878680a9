/// What was measured, by the names that the measures of a group give it.
package struct Figures {
  private struct Sample {
    let value: Double
    /// The share of the time in which neither client nor server was running.
    let disturbance: Double
  }

  private var samples: [String: [Sample]] = [:]

  /// A figure is left out of a median when other processes had more than this share of the CPU meanwhile.
  private static let calm = 0.15

  /// Takes the figure of a round.
  package mutating func add(_ key: String, _ value: Double, disturbance: Double = 0) {
    samples[key, default: []].append(Sample(value: value, disturbance: disturbance))
  }

  /// Takes durations, nanoseconds.
  package mutating func add(_ key: String, _ durations: [UInt64]) {
    samples[key, default: []] += durations.map { Sample(value: Double($0), disturbance: 0) }
  }

  /// Takes what came of requests sent one by one: `KEY p50` and `KEY p99`, nanoseconds.
  package mutating func add(latenciesOf load: Load, _ key: String) {
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
      add("\(key) \(name)", Figures.quantile(load.latencies.map { Double($0) }, share), disturbance: load.disturbance)
    }
  }

  /// Takes what came of many requests in flight: `KEY /s`, and `KEY CPU` in nanoseconds a request.
  mutating func add(throughputOf load: Load, _ key: String) {
    add("\(key) /s", load.perSecond, disturbance: load.disturbance)
    add("\(key) CPU", load.cpuEach, disturbance: load.disturbance)
  }

  /// The figure of a key; nil when it was never taken.
  func value(_ key: String, _ statistic: Statistic) -> Double? {
    guard let taken = samples[key], !taken.isEmpty else { return nil }
    guard case .share(let share) = statistic else {
      let calm = taken.filter { $0.disturbance <= Figures.calm }
      return Figures.median((calm.count >= 3 ? calm : taken).map(\.value))
    }
    return Figures.quantile(taken.map(\.value), share)
  }

  /// The value in the middle; 0 without any.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The value that a share of all (0…1) does not exceed, by nearest rank; 0 without any.
  static func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let rank = Int((share * Double(values.count)).rounded(.up))
    return values.sorted()[min(max(rank - 1, 0), values.count - 1)]
  }
}

/// Which of many values stands for all.
package enum Statistic: Sendable {
  /// The median of the calm rounds; of all, when fewer than three were calm.
  case median
  /// The value that a share of all (0…1) does not exceed.
  case share(Double)
}
