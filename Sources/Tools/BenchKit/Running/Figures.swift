/// The measured figures of a group, by key.
package struct Figures {
  private struct Sample {
    let value: Double
    /// The share of the time in which neither client nor server ran.
    let disturbance: Double
  }

  private var samples: [String: [Sample]] = [:]

  /// Figures with a larger disturbance than this are excluded from medians.
  private static let calm = 0.15

  /// Adds the figure of a round.
  package mutating func add(_ key: String, _ value: Double, disturbance: Double = 0) {
    samples[key, default: []].append(Sample(value: value, disturbance: disturbance))
  }

  /// Adds durations in nanoseconds.
  package mutating func add(_ key: String, _ durations: [UInt64]) {
    samples[key, default: []] += durations.map { Sample(value: Double($0), disturbance: 0) }
  }

  /// Adds the latencies of sequential requests as `KEY p50` and `KEY p99`, in nanoseconds.
  package mutating func add(latenciesOf load: Load, _ key: String) {
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
      add("\(key) \(name)", Figures.quantile(load.latencies.map { Double($0) }, share), disturbance: load.disturbance)
    }
  }

  /// Adds the throughput of pipelined requests as `KEY /s`, and as `KEY CPU` in nanoseconds per request.
  mutating func add(throughputOf load: Load, _ key: String) {
    add("\(key) /s", load.perSecond, disturbance: load.disturbance)
    add("\(key) CPU", load.cpuEach, disturbance: load.disturbance)
  }

  /// The statistic of a key; nil without figures.
  func value(_ key: String, _ statistic: Statistic) -> Double? {
    guard let taken = samples[key], !taken.isEmpty else { return nil }
    guard case .share(let share) = statistic else {
      let calm = taken.filter { $0.disturbance <= Figures.calm }
      return Figures.median((calm.count >= 3 ? calm : taken).map(\.value))
    }
    return Figures.quantile(taken.map(\.value), share)
  }

  /// The median; 0 without values.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The quantile for a share (0…1), by nearest rank; 0 without values.
  static func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let rank = Int((share * Double(values.count)).rounded(.up))
    return values.sorted()[min(max(rank - 1, 0), values.count - 1)]
  }
}

/// How many figures are reduced to one.
package enum Statistic: Sendable {
  /// The median of undisturbed rounds, or of all when fewer than three were undisturbed.
  case median
  /// The quantile for a share (0…1).
  case share(Double)
}
