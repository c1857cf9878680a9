import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import SettingsDocument
import Values

extension NutritionService {
  func daysGet(
    _ params: DaysGetParams, _ context: inout Context
  ) throws(RPCError) -> JSONFragment<DaysGetResult> {
    let day = params.day ?? context.currentDay
    let revision = try context.storeRevision()
    // Most requests repeat the last day.
    if let known = latestSummary[context.folder], known.day == day, known.revision == revision {
      return JSONFragment(unchecked: known.text)
    }
    if let known = summaries[context.folder]?[day], known.revision == revision {
      latestSummary[context.folder] = known
      return JSONFragment(unchecked: known.text)
    }
    let summary = try summary(of: day, context)
    let text = summary.json
    var known = summaries[context.folder] ?? [:]
    if known.count >= NutritionConstants.rememberedDays { known = [:] }
    let kept = CachedSummary(day: day, revision: summary.revision, text: text)
    known[day] = kept
    summaries[context.folder] = known
    latestSummary[context.folder] = kept
    return JSONFragment(unchecked: text)
  }

  private func summary(of day: CivilDay, _ context: Context) throws(RPCError) -> DaysGetResult {
    let facts =
      try NutritionService.readFacts(day...day, in: context.snapshot(), context.folder.migrations).first
      ?? DayFacts(day)
    let note = facts.hasNote ? try dayEntry(of: day, context)?.note : nil
    let settings = try context.settings()
    let totals = facts.totals
    let consumed = totals.calories
    let grams = TargetRules.grams(settings, on: day)
    return DaysGetResult(
      day: day, caloriesConsumed: consumed, totalCalories: settings.totalCalories,
      targetDeficit: settings.targetDeficit(on: day), eatingTarget: DayRules.eatingTarget(settings, on: day),
      deficitAchieved: DayRules.deficitAchieved(consumed: consumed, settings: settings),
      exerciseCalories: facts.exercise.calories, netDeficit: DayRules.netDeficit(facts, settings: settings),
      remainingCalories: DayRules.eatingTarget(settings, on: day) - consumed,
      completionPercentage: DayRules.completionPercentage(consumed: consumed, settings: settings),
      status: DayRules.status(consumed: facts.consumed, on: day, settings: settings), mealCount: totals.mealCount,
      protein: totals.protein, carbs: totals.carbs, fat: totals.fat, proteinTarget: grams.protein,
      carbsTarget: grams.carbs, fatTarget: grams.fat, nutrients: totals.nutrients,
      nutrientTargets: settings.nutrientTargets, water: facts.water?.normalized,
      waterTarget: settings.waterTarget, fasted: facts.fasted, note: note,
      revision: try context.storeRevision())
  }

  func energyEstimate(_ params: EnergyEstimateParams, _ context: inout Context) throws(RPCError) -> EnergyEstimateResult
  {
    let defaults = SettingsRules.defaults
    let person = EnergyRules.Person(
      sex: params.sex ?? defaults.sex, age: params.age ?? defaults.age, height: params.height ?? defaults.height,
      weight: params.weight ?? defaults.startingWeight, activityLevel: params.activityLevel ?? defaults.activityLevel)
    if let refusal = EnergyRules.refusal(of: person, pointer: params.weight != nil ? "/weight" : "/age") {
      throw RPCError(refusal)
    }
    guard let basal = EnergyRules.basalMetabolicRate(person), let total = EnergyRules.totalCalories(person) else {
      throw RPCError(.invalidParams, "these measures are out of bounds", pointer: "")
    }
    let deficit = EnergyRules.targetDeficit(params.deficitRate ?? defaults.deficitRate)
    return EnergyEstimateResult(
      basalMetabolicRate: basal, totalCalories: total, targetDeficit: deficit, eatingTarget: total - deficit)
  }
}

/// A cached result of `days/get`.
struct CachedSummary {
  let day: CivilDay
  let revision: Int
  let text: [UInt8]
}
