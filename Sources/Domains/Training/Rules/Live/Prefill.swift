import DaybookProtocol

/// Suggests the values of a set before it is logged.
package enum Prefill {
  /// The values for a set and their source: the logged values, else the proposal, else the target and the last session
  /// in the configured order. In an AMRAP group the last session precedes the target, which is only a minimum there.
  /// nil for none.
  package static func values(
    _ place: RunningPlace, last: SessionExercise?, order: PrefillOrder
  ) -> (values: SetValues, source: PrefillSource)? {
    if let logged = place.set.actual { return (logged, .logged) }
    let isOpenEnded = place.group.mode == .amrap
    let hasBoth = place.exercise.groups.contains { $0.mode == .amrap } && !isOpenEnded
    // With both kinds of groups, the proposal is for the AMRAP sets.
    if !hasBoth, place.kind == .normal, let proposal = place.exercise.proposal {
      return (proposed(proposal, place), .proposal)
    }
    let target = place.set.target.flatMap { $0.hasResult ? ($0, PrefillSource.target) : nil }
    let earlier = last.flatMap { before(place, $0) }.map { ($0, PrefillSource.last) }
    return order == .last || isOpenEnded ? earlier ?? target : target ?? earlier
  }

  /// The target with the proposed value filled in.
  private static func proposed(_ proposal: ProgressionProposal, _ place: RunningPlace) -> SetValues {
    var values = place.set.target ?? SetValues()
    let value = chosen(proposal, place.exercise.choice)
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

  /// The value of a proposal under the user's choice: the base, the suggestion, or the base less the suggested increase
  /// (2.5 if that is zero).
  private static func chosen(_ proposal: ProgressionProposal, _ choice: ProgressionOutcome?) -> Decimal {
    switch choice {
    case .stay: return proposal.base
    case .regress:
      let step = proposal.suggested.subtracting(proposal.base) ?? .zero
      let down = step > .zero ? step : Decimal(significand: 25, scale: 1) ?? .zero
      return max(.zero, proposal.base.subtracting(down) ?? .zero)
    case .progress, .unknown, nil: return proposal.suggested
    }
  }

  /// The matching set of the last session. Group: with the same plan, else at the same index with the same mode, else
  /// the first with that mode. Set: on the same side with the same number, else at the same index, else the first done.
  private static func before(_ place: RunningPlace, _ last: SessionExercise) -> SetValues? {
    let mode = place.group.mode ?? .normal
    let groups = last.groups
    let index = place.position.group
    let group =
      place.group.plannedId.flatMap { id in groups.first { $0.plannedId == id } }
      ?? (groups.indices.contains(index) && groups[index].mode ?? .normal == mode ? groups[index] : nil)
      ?? groups.first { $0.mode ?? .normal == mode }
    guard let group else { return nil }
    let done = group.sets.filter { $0.done == true && $0.side == place.set.side && $0.actual?.hasResult == true }
    let at = group.sets.indices.contains(place.position.set) ? group.sets[place.position.set] : nil
    let found =
      done.first { $0.number == place.set.number } ?? done.first { $0.id == at?.id } ?? done.first
    return found?.actual?.withoutFeeling
  }
}
