import DaybookProtocol

extension WorkoutSession {
  /// Whether another version has the same members that the energy estimate depends on.
  package func hasSameWork(as other: WorkoutSession) -> Bool {
    (modules, seconds, bodyWeight) == (other.modules, other.seconds, other.bodyWeight)
  }
}

/// The energy that a session burned beyond rest: an estimate, which may be off by a third for an individual.
///
/// Energy is (MET − 1) × kilograms × hours, as the energy of rest is part of the daily expenditure anyway. Metabolic
/// equivalents are those of the Adult Compendium of Physical Activities (Herrmann et al. 2024) for the kind of
/// exercise; for walking and running over a known distance, those of the equations of the American College of Sports
/// Medicine (oxygen 3.5 + 0.1 · v and 3.5 + 0.2 · v ml/kg/min on the level, v in metres per minute; 3.5 are one MET).
package enum SessionEnergy {
  /// The most seconds assumed for a set without a time of its own, including its rest: a session left open by mistake
  /// burned no more.
  static let longestSet = 300

  /// The kilocalories of a session at a body weight in kg; nil without a done set.
  package static func kcal(of session: WorkoutSession, weight kilograms: Double) -> Int? {
    var (timed, energy) = (0, 0.0)
    var (untimed, untimedEquivalents) = (0, 0.0)
    for exercise in session.countedExercises {
      for set in exercise.groups.flatMap(\.sets) where set.done == true {
        let values = set.actual ?? SetValues()
        let equivalent = equivalent(of: exercise.traits, values)
        if let seconds = values.seconds, seconds > 0 {
          timed += seconds
          energy += (equivalent - 1) * Double(seconds)
        } else {
          untimed += 1
          untimedEquivalents += equivalent - 1
        }
      }
    }
    guard timed > 0 || untimed > 0 else { return nil }
    if untimed > 0 {
      let rest = min(max(session.seconds - timed, 0), untimed * longestSet)
      energy += untimedEquivalents / Double(untimed) * Double(rest)
    }
    return Int(min(energy * kilograms / 3600, 20_000).rounded())
  }

  /// The metabolic equivalent of a set.
  static func equivalent(of traits: TrainingTraits, _ values: SetValues) -> Double {
    let effort = values.rpe?.double ?? values.rir.map { 10 - Double($0) } ?? values.intensity.map(Double.init)
    let isHard = effort.map { $0 >= 8 } ?? false
    switch traits.kind {
    case .strength, .unknown: return isHard ? 6 : 3.5
    case .explosive: return isHard ? 8 : 6
    case .isometric: return isHard ? 3.8 : 2.8
    case .mobility: return 2.3
    case .recovery: return recovery(SearchText.folded(traits.name))
    case .cardio: return cardio(SearchText.folded(traits.name), speed: speed(traits, values), isHard)
    }
  }

  /// The speed in metres per minute; nil without a time or distance.
  private static func speed(_ traits: TrainingTraits, _ values: SetValues) -> Double? {
    guard let seconds = values.seconds, seconds > 0, let distance = values.millimetres(traits.distanceUnit),
      distance > 0
    else { return nil }
    return Double(distance) / 1000 / Double(seconds) * 60
  }

  private static func recovery(_ name: String) -> Double {
    if has(name, "stretch", "yoga", "foam") { return 2.3 }
    return has(name, "sauna", "plunge", "bath") ? 1.3 : has(name, "cool") ? 2 : 1
  }

  private static func cardio(_ name: String, speed: Double?, _ isHard: Bool) -> Double {
    let isWalk = has(name, "walk", "hike")
    if isWalk || has(name, "run", "jog", "sprint", "treadmill") {
      // Nobody sustains more than 450 m per minute, or 27 km/h.
      guard let speed = speed.map({ min($0, 450) }) else { return isWalk ? 3.8 : isHard ? 9.3 : 7.5 }
      return 1 + (speed < 134 ? 0.1 : 0.2) * speed / 3.5
    }
    if has(name, "row", "erg") { return isHard ? 7.5 : 5 }
    if has(name, "rope") { return isHard ? 12.3 : 11.8 }
    if has(name, "stair", "step") { return 9 }
    if has(name, "bike", "cycl", "spin") { return isHard ? 8.8 : 6.8 }
    if has(name, "swim") { return isHard ? 9.8 : 5.8 }
    return isHard ? 8 : 5
  }

  private static func has(_ name: String, _ words: String...) -> Bool { words.contains { name.contains(text: $0) } }
}
