import DaybookProtocol

/// Suggests the values of a set before it is logged.
package enum Prefill {
  /// The values for a set and their source: the logged values, else the proposal, else the target and the last session
  /// in the configured order. In an AMRAP group the last session precedes the target, which is only a minimum there.
  /// The time that a timer measured replaces theirs. Nil for none.
  ///
  /// - Parameters:
  ///   - last: The values of the last session.
  ///   - kind: The kind that the set is logged as, if not its own; a proposal is for working sets only.
  ///   - measured: Seconds.
  package static func values<Failure: Error>(
    _ place: RunningPlace, kind: SetKind? = nil, order: PrefillOrder, measured: Int? = nil,
    last: () throws(Failure) -> SetValues?
  ) throws(Failure) -> (values: SetValues, source: PrefillSource)? {
    let planned = try values(place, kind ?? place.kind, order, last)
    guard let measured else { return planned }
    var values = planned?.values ?? SetValues()
    values.seconds = measured
    return (values, .timer)
  }

  private static func values<Failure: Error>(
    _ place: RunningPlace, _ kind: SetKind, _ order: PrefillOrder, _ last: () throws(Failure) -> SetValues?
  ) throws(Failure) -> (values: SetValues, source: PrefillSource)? {
    if let logged = place.set.actual { return (logged, .logged) }
    let isOpenEnded = place.group.mode == .amrap
    let hasBoth = place.exercise.groups.contains { $0.mode == .amrap } && !isOpenEnded
    // With both kinds of groups, the proposal is for the AMRAP sets.
    if !hasBoth, kind == .normal, let proposal = place.exercise.proposal {
      return (proposed(proposal, place), .proposal)
    }
    func earlier() throws(Failure) -> (SetValues, PrefillSource)? {
      guard let values = try last() else { return nil }
      return (values, .last)
    }
    let target = place.set.target.flatMap { $0.hasResult ? ($0, PrefillSource.target) : nil }
    if let target, order != .last, !isOpenEnded { return target }
    return try earlier() ?? target
  }

  /// The target with the proposed value filled in.
  private static func proposed(_ proposal: ProgressionProposal, _ place: RunningPlace) -> SetValues {
    var values = place.set.target ?? SetValues()
    let value = chosen(proposal, place.exercise)
    switch proposal.metric {
    case .weight:
      values.weight = value
      values.weightUnit = proposal.unit == WeightUnit.lb.rawValue ? .lb : nil
      values.kg = nil
    case .reps: values.reps = value.rounded(toScale: 0)?.units(ofScale: 0).map(Int.init)
    case .seconds: values.seconds = value.rounded(toScale: 0)?.units(ofScale: 0).map(Int.init)
    case .distance:
      values.distance = value
      values.distanceUnit = DistanceUnit.known.first { $0.rawValue == proposal.unit }
    case .unknown: break
    }
    return (try? values.normalized()) ?? place.set.target ?? SetValues()
  }

  /// The value of a proposal under the user's choice: the base, the suggestion, or one as far behind the base as the
  /// suggestion is ahead of it (2.5 if that is not ahead).
  private static func chosen(_ proposal: ProgressionProposal, _ exercise: SessionExercise) -> Decimal {
    switch exercise.choice {
    case .stay: return proposal.base
    case .regress:
      let isHelp = exercise.traits.isHelp(proposal.metric)
      let (from, to) = isHelp ? (proposal.suggested, proposal.base) : (proposal.base, proposal.suggested)
      let step = to.subtracting(from) ?? .zero
      let back = step > .zero ? step : Decimal(significand: 25, scale: 1) ?? .zero
      return max(.zero, (isHelp ? proposal.base.adding(back) : proposal.base.subtracting(back)) ?? .zero)
    case .progress, .unknown, nil: return proposal.suggested
    }
  }

  /// The values of the matching set of an earlier session; nil for none. Groups: with the same plan, then at the same
  /// index, then the others of the same mode. Set: on the same side, in the same place among the sets of the same kind,
  /// else the first done one of these.
  package static func values(
    _ place: RunningPlace, kind: SetKind? = nil, from last: SessionExercise
  ) -> SetValues? {
    let (kind, mode, own) = (kind ?? place.kind, place.group.mode ?? .normal, place.position.group)
    func matches(_ set: SetRecord, _ group: SessionGroup) -> Bool {
      (set.kind ?? group.kind ?? .normal) == kind && set.side == place.set.side
    }
    func rank(_ index: Int) -> Int {
      let group = last.groups[index]
      if let planned = place.group.plannedId, group.plannedId == planned { return 0 }
      return group.mode ?? .normal != mode ? 3 : index == own ? 1 : 2
    }
    let number = place.group.sets.prefix(place.position.set).count { matches($0, place.group) }
    let groups = last.groups.indices.map { (rank: rank($0), index: $0) }.filter { $0.rank < 3 }
    for (_, index) in groups.sorted(by: { ($0.rank, $0.index) < ($1.rank, $1.index) }) {
      let sets = last.groups[index].sets.filter { matches($0, last.groups[index]) }
      let done = sets.filter { $0.done == true && $0.actual?.hasResult == true }
      let same = sets.indices.contains(number) ? done.first { $0.id == sets[number].id } : nil
      if let values = (same ?? done.first)?.actual { return values.withoutFeeling }
    }
    return nil
  }
}
