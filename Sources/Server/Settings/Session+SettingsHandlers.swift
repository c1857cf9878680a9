import DomainKit
import Premium
import SettingsDocument

extension Session {
  /// The settings in force: the stored ones, else the defaults.
  func settings() throws(RPCError) -> Settings {
    _ = try revision()
    return try folder.settings()
  }

  func settingsGet(_ params: NoParams) throws(RPCError) -> SettingsGetResult {
    let settings = try settings()
    return SettingsGetResult(
      settings: settings, eatingTarget: EnergyRules.eatingTarget(settings), warnings: SettingsRules.warnings(settings),
      revision: try revision())
  }

  func settingsUpdate(
    _ params: SettingsUpdateParams, _ call: inout Call
  ) throws(RPCError) -> Resumable<SettingsUpdateResult> {
    let old = try settings()
    let problem = SettingsRules.refusal(of: params, given: old) { name in
      (try? options.zones.rules(for: name)) != nil
    }
    if let problem { throw RPCError(problem) }
    try checkCurrency(params.currency, pointer: "/currency")
    let weight = try params.recompute == true ? energyWeight(old, params) : nil
    let new = SettingsRules.applying(params, to: old, energyWeight: weight)
    if let refusal = SettingsRules.refusal(ofEnergyOf: new, since: old, params) { throw RPCError(refusal) }
    let record = try snapshot().record(Settings.singleID, in: Settings.collection)
    let present = try revision()
    if let based = params.revision, (record?.revision ?? 0) > based || based > present {
      throw RPCError(
        .conflict, "the settings are not as they were at revision \(based)", pointer: "/revision",
        hint: "read them again and repeat the edit",
        conflict: ConflictVersions(current: jsonValue(old), yours: jsonValue(new)))
    }
    if let prompt = try checkGates(from: old, to: new, call) { return .later(prompt) }
    let (changed, revision) = try store(new, replacing: old, &call)
    return .now(
      SettingsUpdateResult(
        settings: new, eatingTarget: EnergyRules.eatingTarget(new), warnings: SettingsRules.warnings(new),
        energyWeight: weight, changed: changed, revision: revision))
  }

  /// The weight for the energy formulas: the latest trend value up to today, else the latest logged weight, else the
  /// starting weight.
  private func energyWeight(_ old: Settings, _ update: SettingsUpdateParams) throws(RPCError) -> EnergyWeight {
    let context = try ownContext()
    for service in services.all {
      if let logged = try service.energyWeight(context) { return logged }
    }
    var update = update
    update.recompute = nil
    return EnergyWeight(weight: SettingsRules.applying(update, to: old).startingWeight, source: .starting)
  }

  /// Refuses new uses of premium features; existing ones may stay. Only the user switches the lock on: returns the
  /// prompt to wait for.
  func checkGates(from old: Settings, to new: Settings, _ call: Call) throws(RPCError) -> Preparation? {
    if new.lockEnabled, !old.lockEnabled { try require(.lock, pointer: "/lockEnabled") }
    let days = new.reminderDays
    if days != old.reminderDays, !days.isEmpty, days != [1] { try require(.reminderTiming, pointer: "/reminderDays") }
    return new.lockEnabled && !old.lockEnabled ? try authentication(call) : nil
  }

  /// Stores changed settings. Returns the names of the changed members, and the revision.
  func store(
    _ new: Settings, replacing old: Settings, _ call: inout Call
  ) throws(RPCError) -> (changed: [String], revision: Int) {
    let changed = SettingsChanges.names(from: old, to: new)
    return (changed, changed.isEmpty ? try revision() : try commit([try put(new)], &call))
  }
}
