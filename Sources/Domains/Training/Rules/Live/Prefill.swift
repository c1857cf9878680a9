import DaybookProtocol
import Values

/// What a set may be filled in with before it is logged.
package enum Prefill {
  /// What is known of an exercise for it: the session it was last done in, as that has it.
  package typealias Last = SessionExercise

  /// The values for a set, and where they come from: what was logged in it, what is proposed, then the target and the last session in
  /// the order set. Of sets as many as possible the last session comes before the target, as a target there is only a least. nil for none.
  package static func values(
    _ place: RunningPlace, last: Last?, order: PrefillOrder
  ) -> (values: SetValues, source: PrefillSource)? {
    if let logged = place.set.actual { return (logged, .logged) }
    let isOpenEnded = place.group.mode == .amrap
    let hasBoth = place.exercise.groups.contains { $0.mode == .amrap } && !isOpenEnded
    // Where both are mixed the proposal is for those as many as possible.
    if !hasBoth, place.kind == .normal, let proposal = place.exercise.proposal {
      return (proposed(proposal, place), .proposal)
    }
    let target = place.set.target.flatMap { $0.saysWhat ? ($0, PrefillSource.target) : nil }
    let earlier = last.flatMap { before(place, $0) }.map { ($0, PrefillSource.last) }
    return order == .last || isOpenEnded ? earlier ?? target : target ?? earlier
  }

  /// The target with what is proposed in its place.
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

  /// What the user's choice makes of a proposal: the same as last, what is suggested, or less by as much (2.5 where that is nothing).
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

  /// The set of the last session that is the same: of the group of the same plan, else the group at the same place of the same mode,
  /// else the first of that mode; of the same number, else at the same place, else the first that was done; of the same side.
  private static func before(_ place: RunningPlace, _ last: Last) -> SetValues? {
    let mode = place.group.mode ?? .normal
    let groups = last.groups
    let index = place.position.group
    let group =
      place.group.plannedId.flatMap { id in groups.first { $0.plannedId == id } }
      ?? (groups.indices.contains(index) && groups[index].mode ?? .normal == mode ? groups[index] : nil)
      ?? groups.first { $0.mode ?? .normal == mode }
    guard let group else { return nil }
    let done = group.sets.filter { $0.done == true && $0.side == place.set.side && $0.actual?.saysWhat == true }
    let at = group.sets.indices.contains(place.position.set) ? group.sets[place.position.set] : nil
    let found =
      done.first { $0.number == place.set.number } ?? done.first { $0.id == at?.id } ?? done.first
    return found?.actual?.withoutFeeling
  }
}
