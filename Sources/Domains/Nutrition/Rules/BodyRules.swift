import DaybookProtocol

/// The sources of exercises.
package enum ExerciseRules {
  /// The id of a training session's exercise: the session's, so that each session makes one exercise. Nil for other sources.
  package static func identity(_ source: ExerciseSource) -> EntityID? { source.kind == .training ? source.id : nil }

  /// Refuses a contradictory source.
  package static func problem(_ source: ExerciseSource) -> Refusal? {
    switch source.kind {
    case .training where source.id == nil:
      Refusal("/id", "a training session has an id", allowed: "the id of the session")
    case .manual where source.id != nil:
      Refusal("/id", "a manual exercise has no source id", allowed: "nothing, or the kind “training”")
    case .manual, .training, .unknown: nil
    }
  }
}

package enum MeasurementRules {
  /// The key of a kind; case does not matter.
  package static func key(_ kind: String) -> String { kind.lowercased() }

  /// The kinds, the latest measured first. `measurements` is newest first.
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
