import DaybookProtocol

/// Measurements of any kind.
package enum MeasurementRules {
  /// What kinds are told apart by: their names, in any case.
  package static func key(_ kind: String) -> String { kind.lowercased() }

  /// What there is of each kind, the one measured last first. `measurements` is newest first.
  package static func kinds(_ measurements: some Sequence<Measurement>) -> [MeasurementKind] {
    var kinds: [MeasurementKind] = []
    var places: [String: Int] = [:]
    for measurement in measurements {
      let key = key(measurement.kind)
      guard let place = places[key] else {
        places[key] = kinds.count
        kinds.append(MeasurementKind(kind: measurement.kind, count: 1, latest: measurement))
        continue
      }
      kinds[place].count += 1
      if kinds[place].previous == nil { kinds[place].previous = measurement }
    }
    return kinds
  }
}
