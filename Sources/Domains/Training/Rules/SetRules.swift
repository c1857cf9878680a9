import DaybookProtocol

/// The limits and defaults of sets and groups.
package enum SetRules {
  /// The most exercises of a module, or of a workout itself.
  package static let mostExercises = 100
  /// The most groups of an exercise.
  package static let mostGroups = 20
  /// The most seconds of a set and of a timer.
  static let mostSeconds = 360_000
  /// The default rest after a set, round of an interval and break between rounds, in seconds.
  package static let (rest, work, pause) = (90, 30, 30)
}

extension SetValues {
  /// The values with the weight also in kilograms.
  ///
  /// - Throws: The first violated rule; pointers lead into the values.
  package func normalized() throws(Refusal) -> SetValues {
    var values = self
    try Refusal.check(
      weightUnit == nil || weightUnit == .kg || weightUnit == .lb, "/weightUnit", .form,
      "a set is weighed in kilograms or pounds", allowed: "“kg” or “lb”")
    try Refusal.check(
      weight != nil || (weightUnit == nil && kg == nil), "/weight", .missing, "a unit without a weight",
      allowed: "a weight")
    if let weight {
      guard let kilograms = Loads.kilograms(weight, weightUnit), weight >= .zero, kilograms <= Loads.most else {
        throw Refusal("/weight", .range, "out of range: \(weight)", allowed: "0 to 2000 kg, which is 4409.24 lb")
      }
      values.kg = kilograms
    }
    for (pointer, value, most) in [("/reps", reps, 10_000), ("/seconds", seconds, SetRules.mostSeconds)] {
      try Refusal.check(
        (0...most).contains(value ?? 0), pointer, .range, "out of range: \(value ?? 0)", allowed: "0 to \(most)")
    }
    try Refusal.check(
      (Decimal.zero...Decimal(1_000_000)).contains(distance ?? .zero), "/distance", .range, "out of range",
      allowed: "0 to 1000000")
    try Refusal.check(
      distance != nil || distanceUnit == nil, "/distance", .missing, "a unit without a distance", allowed: "a distance")
    guard (extra ?? [:]).allSatisfy({ $0.key.count <= 150 && $0.value.count <= 50 }), extra?.count ?? 0 <= 10 else {
      throw Refusal(
        "/extra", .length, "there are too many values, or they are too long",
        allowed: "at most 10 values of at most 50 characters, with names of at most 150")
    }
    return values
  }

  /// The same; `place` is added to the pointers of refusals.
  func normalized(at place: String) throws(Refusal) -> SetValues {
    try Refusal.inside(place) { () throws(Refusal) in try normalized() }
  }

  /// The values without effort and heart rate, which belong to one set only.
  package var withoutFeeling: SetValues {
    var values = self
    (values.rpe, values.rir, values.heartRate, values.intensity) = (nil, nil, nil, nil)
    return values
  }

  /// The values as a target; nil for none.
  var asTarget: SetValues? { withoutFeeling == SetValues() ? nil : withoutFeeling }

  /// The values that an exercise logs; nil for none.
  func fitting(_ traits: TrainingTraits) -> SetValues? {
    let measures = traits.loggedMeasures
    var values = self
    if !measures.contains(.weight) { (values.weight, values.weightUnit, values.kg) = (nil, nil, nil) }
    if !measures.contains(.reps) { values.reps = nil }
    if !measures.contains(.seconds) { values.seconds = nil }
    if !measures.contains(.distance) { (values.distance, values.distanceUnit) = (nil, nil) }
    return values == SetValues() ? nil : values
  }

  /// Whether it has a result: any value other than effort and heart rate.
  package var hasResult: Bool {
    weight != nil || reps != nil || seconds != nil || distance != nil || extra?.isEmpty == false || temperature != nil
  }
}

extension SetRecord {
  /// The done values, else the target, without effort and heart rate.
  var doneOrTarget: SetValues? { (done == true ? actual : nil)?.withoutFeeling ?? target }
}

extension SetGroup {
  /// The group with an id, and with its target also in kilograms.
  ///
  /// - Throws: The first violated rule; pointers lead into the group.
  package func normalized(_ newID: () -> EntityID) throws(Refusal) -> SetGroup {
    var group = self
    group.id = id ?? newID()
    group.target = try target?.normalized(at: "/target")
    if let repsMax, repsMax < target?.reps ?? 1 {
      throw Refusal(
        "/repsMax", .order, "the range of repetitions ends before it begins",
        allowed: "\(target?.reps ?? 1) or more")
    }
    let isTimed = workSeconds != nil || breakSeconds != nil
    try Refusal.check(
      mode == .interval || !isTimed, "/mode", .conflict, "timed rounds belong to an interval", allowed: "“interval”")
    try Refusal.check(
      mode == .amrap || limitSeconds == nil, "/mode", .conflict, "a limit belongs to “amrap”", allowed: "“amrap”")
    return group
  }

  /// The groups, each normalized; refuses too many and repeated ids.
  package static func normalized(_ groups: [SetGroup], _ newID: () -> EntityID) throws(Refusal) -> [SetGroup] {
    try Refusal.check(.tooMany(groups.count, "groups", most: SetRules.mostGroups) ?? .repeatedID(groups.map(\.id)))
    return try groups.mapped(inside: "") { group throws(Refusal) in try group.normalized(newID) }
  }

  /// The first rule that stored groups violate; nil for none. Pointers lead into the array.
  static func problem(of groups: [SetGroup]) -> Refusal? {
    if let place = groups.firstIndex(where: { $0.id == nil }) {
      return Refusal("/\(place)/id", .missing, "a stored group has an id")
    }
    do throws(Refusal) {
      let normalized = try SetGroup.normalized(groups) { EntityID(high: 0, low: 0) }
      guard let place = groups.indices.first(where: { groups[$0] != normalized[$0] }) else { return nil }
      return Refusal("/\(place)/target/kg", .conflict, "the kilograms contradict the weight")
    } catch { return error }
  }
}

extension [SetGroup] {
  /// The groups of params, ready to be stored.
  ///
  /// - Throws: The first violated rule, with pointers below `/groups`.
  func stored(keeping old: [SetGroup]?, _ newID: () -> EntityID) throws(Refusal) -> [SetGroup] {
    try Refusal.inside("/groups") { () throws(Refusal) in
      try SetGroup.normalized(try identified(keeping: old ?? [], newID), newID)
    }
  }
}

extension TrainingTraits {
  /// The first violated rule; nil for none. Pointers lead into the traits.
  package var refusal: Refusal? {
    let refusal: Refusal? =
      .tooMany(measures?.count, most: 20, "/measures") ?? .tooMany(muscles?.count, most: 20, "/muscles")
      ?? .tooMany(secondaryMuscles?.count, most: 20, "/secondaryMuscles") ?? .name(name)
    if let refusal { return refusal }
    if assisted == true, bodyweight != true {
      return Refusal(
        "/assisted", .conflict, "assistance belongs to bodyweight exercises", allowed: "together with “bodyweight”")
    }
    for (pointer, words) in [
      ("/measures", measures?.map(\.rawValue)), ("/muscles", muscles?.map(\.rawValue)),
      ("/secondaryMuscles", secondaryMuscles?.map(\.rawValue)), ("/equipmentIds", equipmentIds?.map { "\($0)" }),
    ] where Set(words ?? []).count < words?.count ?? 0 {
      return Refusal(pointer, .repeated, "a value occurs twice", allowed: "each once")
    }
    return .tooMany(equipmentIds?.count, "pieces of equipment", most: 10, "/equipmentIds")
  }

  /// Whether the values of a metric are assistance, of which less is progress.
  package func isHelp(_ metric: ProgressionMetric) -> Bool { assisted == true && metric == .weight }

  /// The measures that are logged: its own, else the default for its kind.
  package var loggedMeasures: [SetMeasure] {
    if let measures, !measures.isEmpty { return measures }
    switch kind {
    case .strength, .explosive, .unknown: return [.weight, .reps]
    case .cardio: return [.seconds, .distance]
    case .mobility: return [.reps, .seconds]
    case .isometric, .recovery: return [.seconds]
    }
  }
}
