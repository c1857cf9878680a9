import DomainKit
import Nutrition
import SettingsDocument

extension NutritionService {
  func energyExpenditure(_ params: EnergyExpenditureParams, _ context: inout Context) throws(RPCError)
    -> EnergyExpenditureResult
  {
    let day = params.day ?? context.currentDay
    let first = max(CivilDay.allowed.lowerBound, day.advanced(by: -(params.days ?? AdaptiveExpenditure.usualSeries)))
    let evidence = try evidence(first...day, context)
    let series = first < day ? AdaptiveExpenditure.series(evidence, first...day.advanced(by: -1)) : []
    return EnergyExpenditureResult(
      day: day, estimate: AdaptiveExpenditure.estimate(evidence, on: day), series: series,
      revision: try context.storeRevision())
  }

  func energySeries(_ params: EnergySeriesParams, _ context: inout Context) throws(RPCError) -> EnergySeriesResult {
    let bucket = params.bucket ?? .day
    let first = (params.firstWeekday ?? context.firstWeekday).index
    let range = try drawnDays(params.from, params.to, context)
    let whole = bucket.whole(range, firstWeekday: first)
    let days = AdaptiveExpenditure.series(try evidence(whole, context), whole, running: context.today)
    return EnergySeriesResult(
      bucket: bucket, totalCalories: try context.settings().totalCalories,
      points: ExpenditureSeries.points(bucket, in: range, of: days, firstWeekday: first),
      revision: try context.storeRevision())
  }

  func energyProposal(_ params: NoParams, _ context: inout Context) throws(RPCError) -> EnergyProposalResult {
    let settings = try context.settings()
    let estimate = try presentEstimate(context)
    var result = EnergyProposalResult(
      current: settings.totalCalories, currentSource: settings.totalCaloriesSource, estimate: estimate,
      revision: try context.storeRevision())
    switch ProposalRules.outcome(estimate, settings: settings) {
    case .propose(let total):
      let proposed = ProposalRules.accepting(total, in: settings)
      result.totalCalories = total
      result.eatingTarget = EnergyRules.eatingTarget(proposed)
      result.difference = total - settings.totalCalories
    case .nothing(let reason): result.reason = reason
    }
    return result
  }

  func energyAcceptProposal(
    _ params: EnergyAcceptProposalParams, _ context: inout Context
  ) throws(RPCError) -> EnergyAcceptProposalResult {
    let old = try context.settings()
    let new = ProposalRules.accepting(params.totalCalories, in: old)
    guard new != old else { return accepted(old, [], try context.storeRevision()) }
    let outcome = ProposalRules.outcome(try presentEstimate(context), settings: old)
    let record = try context.snapshot().record(Settings.singleID, in: Settings.collection)
    let present = try context.storeRevision()
    guard (record?.revision ?? 0) <= params.revision, params.revision <= present else {
      throw RPCError(
        .conflict, "the settings have changed since revision \(params.revision)", pointer: "/revision",
        hint: "ask for the proposal again", conflict: ConflictVersions(current: jsonValue(old), yours: jsonValue(new)))
    }
    guard case .propose(let total) = outcome else {
      throw RPCError(.noProposal, "nothing is proposed", hint: "“energy/proposal” says why")
    }
    guard total == params.totalCalories else {
      throw RPCError(
        .conflict, "the proposal has changed", pointer: "/totalCalories", hint: "ask for the proposal again",
        conflict: ConflictVersions(current: jsonValue(ProposalRules.accepting(total, in: old)), yours: jsonValue(new)))
    }
    let revision = try context.commit([try context.put(new)])
    return accepted(new, SettingsChanges.names(from: old, to: new), revision)
  }

  private func accepted(_ settings: Settings, _ changed: [String], _ revision: Int) -> EnergyAcceptProposalResult {
    EnergyAcceptProposalResult(
      settings: settings, eatingTarget: EnergyRules.eatingTarget(settings), changed: changed, revision: revision)
  }

  /// The estimate as of the end of yesterday.
  private func presentEstimate(_ context: Context) throws(RPCError) -> ExpenditureEstimate {
    AdaptiveExpenditure.estimate(try evidence(context.today...context.today, context), on: context.today)
  }

  /// The evidence for estimates on some days.
  private func evidence(_ days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError)
    -> AdaptiveExpenditure.Evidence
  {
    let settings = try context.settings()
    let intake = try loggedIntake(days.lowerBound.advanced(by: -AdaptiveExpenditure.window)...days.upperBound, context)
    return AdaptiveExpenditure.Evidence(trend: try weightTrend(context), intake: intake) { kilograms in
      var person = EnergyRules.Person(settings)
      guard let weight = Decimal(rounding: kilograms, toScale: 3) else { return nil }
      person.weight = weight
      return EnergyRules.basalMetabolicRate(person)?.double
    }
  }

  /// The calories of logged days, kcal. Days marked as a fast count as 0 even with meals; other days with 0 kcal do not
  /// count.
  private func loggedIntake(_ days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [CivilDay: Int] {
    var intake: [CivilDay: Int] = [:]
    for facts in try facts(days, context) {
      if facts.fasted {
        intake[facts.day] = 0
      } else if facts.totals.calories > 0 {
        intake[facts.day] = facts.totals.calories
      }
    }
    return intake
  }
}
