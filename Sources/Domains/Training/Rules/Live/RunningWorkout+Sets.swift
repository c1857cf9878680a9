import DaybookProtocol

extension RunningWorkout {
  /// The set with an id, or the current set.
  package func place(ofSet id: EntityID?) throws(RunningRefusal) -> RunningPlace {
    guard let place = id.map({ self[position(ofSet: $0)] }) ?? current else {
      throw .missing(pointer: "/setId", noun: "set")
    }
    return place
  }

  private mutating func change(_ place: RunningPlace, _ body: (inout SetRecord) -> Void) {
    let position = place.position
    guard var exercise = exercises[place.exercise.id] else { return }
    body(&exercise.groups[position.group].sets[position.set])
    exercises[exercise.id] = exercise
  }

  /// Logs a set as done. Omitted values are those of the prefill, else those logged before; effort and heart rate are
  /// never filled in.
  package mutating func log(
    _ id: EntityID?, _ given: SetValues?, kind: SetKind?, prefill: SetValues?, advances: Bool, at now: Instant
  ) throws(RunningRefusal) -> RunningPlace {
    let place = try place(ofSet: id)
    let values: SetValues
    do throws(Refusal) {
      values = try (prefill ?? place.set.actual ?? SetValues()).logged(given?.normalized() ?? SetValues()).normalized()
    } catch { throw .value(error.inside("/values")) }
    change(place) { set in
      set.actual = values
      set.done = true
      set.at = now
      if let kind { set.kind = kind }
    }
    if advances {
      session.position = SessionOrder.nextOpen(self, after: place)?.position ?? place.position
    }
    return place
  }

  /// Marks a set as not done.
  package mutating func uncheck(_ id: EntityID) throws(RunningRefusal) -> RunningPlace {
    let place = try place(ofSet: id)
    change(place) { set in
      set.done = nil
      set.at = nil
    }
    return place
  }

  /// Appends a set to an exercise, on both sides if it is unilateral.
  package mutating func addSet(
    to id: EntityID?, target: SetValues?, kind: SetKind?, _ newID: () -> EntityID
  ) throws(RunningRefusal) -> EntityID {
    guard let id = id ?? current?.exercise.id, var exercise = exercises[id] else {
      throw .missing(pointer: "/exerciseId", noun: "exercise")
    }
    let given: SetValues?
    do throws(Refusal) { given = try target?.normalized() } catch { throw .value(error.inside("/target")) }
    guard exercise.logicalSets.count < 1000 else {
      throw .value(Refusal("/exerciseId", .length, "there are 1000 sets", allowed: "at most 1000 sets"))
    }
    if exercise.groups.isEmpty { exercise.groups = [SessionGroup(id: newID(), sets: [])] }
    let last = exercise.groups.count - 1
    let own = kind ?? exercise.groups[last].sets.last?.kind
    // Those of the last set of its kind: a warm-up says nothing about a working set.
    let wanted = given ?? exercise.lastTarget(of: own ?? exercise.groups[last].kind ?? .normal)
    let number = exercise.logicalSets.count + 1
    let sides: [SetSide?] = exercise.traits.unilateral == true ? [.left, .right] : [nil]
    guard exercise.groups[last].sets.count + sides.count <= SessionRules.mostSets else {
      throw .value(
        Refusal("/exerciseId", .length, "its last group is full", allowed: "at most 1000 sets, sides counted"))
    }
    exercise.groups[last].sets += sides.map {
      SetRecord(id: newID(), number: number, side: $0, kind: own, target: wanted)
    }
    exercise.number()
    exercises[id] = exercise
    if session.position == nil { clamp() }
    return id
  }

  /// Deletes a set together with its other side.
  package mutating func deleteSet(_ id: EntityID) throws(RunningRefusal) -> EntityID {
    let place = try place(ofSet: id)
    var exercise = place.exercise
    guard exercise.logicalSets.count > 1 else { throw .lastOne("the last set of an exercise stays") }
    let set = current?.set.id
    exercise.groups[place.position.group].sets.removeAll {
      $0.id == id || $0.number == place.set.number && place.set.side != nil
    }
    exercise.groups.removeAll(where: \.sets.isEmpty)
    exercise.number()
    exercises[exercise.id] = exercise
    settle(at: set)
    return exercise.id
  }
}

extension SessionExercise {
  /// The target of the last set of a kind; nil for none.
  fileprivate func lastTarget(of kind: SetKind) -> SetValues? {
    for group in groups.reversed() {
      if let set = group.sets.last(where: { ($0.kind ?? group.kind ?? .normal) == kind }) { return set.target }
    }
    return nil
  }
}

extension SetValues {
  /// The values updated by logged ones. Effort, heart rate and temperature are the logged ones only: they belong to one
  /// set.
  func logged(_ given: SetValues) -> SetValues {
    var values = given
    values.kg = nil
    if given.weight == nil { (values.weight, values.weightUnit) = (weight, weightUnit) }
    values.reps = given.reps ?? reps
    values.seconds = given.seconds ?? seconds
    if given.distance == nil { (values.distance, values.distanceUnit) = (distance, distanceUnit) }
    values.extra = given.extra.map { (extra ?? [:]).merging($0) { $1 } } ?? extra
    return values
  }
}
