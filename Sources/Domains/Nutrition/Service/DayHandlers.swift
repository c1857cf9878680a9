import DomainKit
import Nutrition
import SettingsDocument

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
      carbsTarget: grams.carbs, fatTarget: grams.fat, nutrients: totals.nutrients.map { NutrientTotals($0) },
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

extension NutritionService {
  func daysGetEntry(_ params: DaysGetEntryParams, _ context: inout Context) throws(RPCError) -> DaysGetEntryResult {
    let day = params.day ?? context.currentDay
    let record = try dayRecord(of: day, context)
    return DaysGetEntryResult(
      day: day, dayEntry: record.map { context.fragment($0) }, revision: try context.storeRevision())
  }

  func daysUpdateEntry(
    _ params: DaysUpdateEntryParams, _ context: inout Context
  ) throws(RPCError) -> DaysUpdateEntryResult {
    let day = params.day ?? context.currentDay
    let record = try dayRecord(of: day, context)
    let old = try record.map { record throws(RPCError) in try context.decode(DayEntry.self, record) }
    let now = context.now
    let blank = DayEntry(
      id: DayEntryRules.id(of: day), day: day, zone: context.zoneName, fasted: false, createdAt: now, updatedAt: now)
    var new = old ?? blank
    new.fasted = params.fasted ?? new.fasted
    new.note = params.note.applied(to: new.note)
    try checkBase(params.revision, record, old, new, context)
    guard new != old ?? blank else {
      return DaysUpdateEntryResult(day: day, dayEntry: old, changed: false, revision: try context.storeRevision())
    }
    if DayEntryRules.isBlank(new) {
      let revision = try context.commit([.delete(DayEntry.collection, id: new.id)])
      return DaysUpdateEntryResult(day: day, changed: true, revision: revision)
    }
    let put = try context.put(&new, keeping: record, readAs: old)
    let revision = try context.commit([put])
    return DaysUpdateEntryResult(day: day, dayEntry: new, changed: true, revision: revision)
  }

  func dayEntry(of day: CivilDay, _ context: Context) throws(RPCError) -> DayEntry? {
    try dayRecord(of: day, context).map { record throws(RPCError) in try context.decode(DayEntry.self, record) }
  }

  private func dayRecord(of day: CivilDay, _ context: Context) throws(RPCError) -> Record? {
    try context.snapshot().record(DayEntryRules.id(of: day), in: DayEntry.collection)
  }

  /// Refuses an edit whose base revision is stale, or in the future.
  private func checkBase(
    _ base: Int?, _ record: Record?, _ current: DayEntry?, _ yours: DayEntry, _ context: Context
  ) throws(RPCError) {
    let present = try context.storeRevision()
    guard let base else { return }
    let isStale =
      if let record { record.revision > base } else { try wasDeleted(yours.id, since: base, present, context) }
    guard isStale || base > present else { return }
    throw RPCError(
      .conflict, "the day's entry has changed since revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: current.map { jsonValue($0) }, yours: jsonValue(yours)))
  }

  /// Whether an entry was deleted since a revision; true for revisions that are too old.
  private func wasDeleted(_ id: EntityID, since base: Int, _ present: Int, _ context: Context) throws(RPCError) -> Bool
  {
    guard base < present else { return false }
    let store = try context.folder.openStore()
    do throws(StoreError) {
      return try store.changes(since: base).records.contains { record in
        record.id == id && record.collection == DayEntry.collection && record.isDeleted && !record.isNew
      }
    } catch {
      guard error.code == .revisionTooOld else { throw RPCError(error) }
      return true
    }
  }
}

extension DayEntry: CheckedEntity {
  /// Refuses an id that is not derived from the day.
  package var problem: Refusal? {
    let own = DayEntryRules.id(of: day)
    return id == own ? nil : Refusal("/id", "a day has one entry, \(day) has \(own)")
  }
}
