/// What is made of many values.
enum Statistics {
  /// The value in the middle; 0 without any.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The value that a share of all (0…1) does not exceed, by nearest rank; 0 without any.
  static func quantile(_ values: [UInt64], _ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return Double(sorted[min(max(rank - 1, 0), sorted.count - 1)])
  }
}

/// A figure taken once a round.
struct Series {
  private var values: [(value: Double, disturbance: Double)] = []

  /// A round is left out when other processes had more than this share of the CPU in it.
  static let calm = 0.15

  /// Takes the figure of a round, and which share of the time neither client nor server was running.
  mutating func append(_ value: Double, disturbance: Double = 0) { values.append((value, disturbance)) }

  /// The median of the calm rounds; of all, when fewer than three were calm.
  var median: Double {
    let calm = values.filter { $0.disturbance <= Series.calm }
    return Statistics.median((calm.count >= 3 ? calm : values).map(\.value))
  }
}
