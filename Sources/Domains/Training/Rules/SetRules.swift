import DaybookProtocol
import Values

/// What a set and a group of sets can be.
package enum SetRules {
  /// The most exercises of a module, or of a workout's own.
  package static let mostExercises = 100
  /// The most groups of an exercise.
  package static let mostGroups = 20
  /// The rest after a set that says nothing, and the round and the break of an interval, seconds.
  package static let (rest, work, pause) = (90, 30, 30)
}

extension SetValues {
  /// The same with its weight in kilograms beside it.
  ///
  /// - Throws: What is wrong with a value; pointers lead into it.
  package func normalized() throws(Refusal) -> SetValues {
    var values = self
    guard weightUnit == nil || weightUnit == .kg || weightUnit == .lb else {
      throw Refusal("/weightUnit", .form, "a set is weighed in kilograms or pounds", allowed: "“kg” or “lb”")
    }
    guard weight != nil || (weightUnit == nil && kg == nil) else {
      throw Refusal("/weight", .missing, "a unit without a weight", allowed: "a weight")
    }
    if let weight {
      guard let kilograms = Loads.kilograms(weight, weightUnit), weight >= .zero, kilograms <= Loads.most else {
        throw Refusal("/weight", .range, "out of range: \(weight)", allowed: "0 to 2000 kg, which is 4409.24 lb")
      }
      values.kg = kilograms
    }
    for (pointer, value, most) in [("/reps", reps, 10_000), ("/seconds", seconds, 360_000)] {
      guard (0...most).contains(value ?? 0) else {
        throw Refusal(pointer, .range, "out of range: \(value ?? 0)", allowed: "0 to \(most)")
      }
    }
    guard (Decimal.zero...Decimal(1_000_000)).contains(distance ?? .zero) else {
      throw Refusal("/distance", .range, "out of range", allowed: "0 to 1000000")
    }
    guard distance != nil || distanceUnit == nil else {
      throw Refusal("/distance", .missing, "a unit without a distance", allowed: "a distance")
    }
    guard (extra ?? [:]).allSatisfy({ $0.key.count <= 150 && $0.value.count <= 50 }), extra?.count ?? 0 <= 10 else {
      throw Refusal(
        "/extra", .length, "that is too much",
        allowed: "at most 10 values of at most 50 characters, with names of at most 150")
    }
    return values
  }

  /// The same of values at a place.
  func normalized(at place: String) throws(Refusal) -> SetValues {
    try Refusal.inside(place) { () throws(Refusal) in try normalized() }
  }

  /// The same without how it felt, which is of one set alone.
  package var withoutFeeling: SetValues {
    var values = self
    (values.rpe, values.rir, values.heartRate, values.intensity) = (nil, nil, nil, nil)
    return values
  }

  /// What of it can be a target; nil for nothing.
  var asTarget: SetValues? { withoutFeeling == SetValues() ? nil : withoutFeeling }

  /// What of it is logged of an exercise; nil for nothing.
  func fitting(_ traits: TrainingTraits) -> SetValues? {
    let measures = traits.loggedMeasures
    var values = self
    if !measures.contains(.weight) { (values.weight, values.weightUnit, values.kg) = (nil, nil, nil) }
    if !measures.contains(.reps) { values.reps = nil }
    if !measures.contains(.seconds) { values.seconds = nil }
    if !measures.contains(.distance) { (values.distance, values.distanceUnit) = (nil, nil) }
    return values == SetValues() ? nil : values
  }

  /// Whether anything is said of what was done.
  package var saysWhat: Bool {
    weight != nil || reps != nil || seconds != nil || distance != nil || extra?.isEmpty == false || temperature != nil
  }
}

extension SetRecord {
  /// What was done, else what was to be done, without how it felt.
  var doneOrTarget: SetValues? { (done == true ? actual : nil)?.withoutFeeling ?? target }
}

extension SetGroup {
  /// The same with an identity, and its target with kilograms.
  ///
  /// - Throws: What is wrong with it; pointers lead into it.
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
    guard mode == .interval || !isTimed else {
      throw Refusal("/mode", .conflict, "rounds by the clock are an interval", allowed: "“interval”")
    }
    guard mode == .amrap || limitSeconds == nil else {
      throw Refusal("/mode", .conflict, "a limit belongs to “amrap”", allowed: "“amrap”")
    }
    return group
  }

  /// Groups, each as `normalized`, at most so many as an exercise has.
  package static func normalized(_ groups: [SetGroup], _ newID: () -> EntityID) throws(Refusal) -> [SetGroup] {
    try Refusal.check(.tooMany(groups.count, "groups", most: SetRules.mostGroups) ?? .repeatedID(groups.map(\.id)))
    return try groups.mapped(inside: "") { group throws(Refusal) in try group.normalized(newID) }
  }
}

extension TrainingTraits {
  /// What is wrong with them; nil when nothing is. Pointers lead into them.
  package var refusal: Refusal? {
    let refusal: Refusal? =
      .tooMany(measures?.count, most: 20, "/measures") ?? .tooMany(muscles?.count, most: 20, "/muscles")
      ?? .tooMany(secondaryMuscles?.count, most: 20, "/secondaryMuscles") ?? .name(name)
    if let refusal { return refusal }
    if assisted == true, bodyweight != true {
      return Refusal("/assisted", .conflict, "help is taken off the body's own weight", allowed: "beside “bodyweight”")
    }
    for (pointer, words) in [
      ("/measures", measures?.map(\.rawValue)), ("/muscles", muscles?.map(\.rawValue)),
      ("/secondaryMuscles", secondaryMuscles?.map(\.rawValue)), ("/equipmentIds", equipmentIds?.map { "\($0)" }),
    ] where Set(words ?? []).count < words?.count ?? 0 {
      return Refusal(pointer, .repeated, "something is there twice", allowed: "each once")
    }
    return .tooMany(equipmentIds?.count, "pieces of equipment", most: 10, "/equipmentIds")
  }

  /// What is logged of a set: as it says, else as is usual for its kind.
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
