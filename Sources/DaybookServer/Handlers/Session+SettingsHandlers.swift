import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Premium
import SettingsDocument

extension Session {
  /// The settings in force: those stored, else the defaults.
  func settings() throws(RPCError) -> Settings {
    if let settingsCache { return settingsCache }
    let record = try snapshot().record(SessionConstants.settingsID, in: SessionConstants.settings)
    let settings: Settings
    if let record { settings = try decode(Settings.self, record) } else { settings = SettingsRules.defaults }
    settingsCache = settings
    return settings
  }

  func settingsGet(_ params: NoParams) throws(RPCError) -> SettingsGetResult {
    let settings = try settings()
    return SettingsGetResult(
      settings: settings, eatingTarget: DayRules.eatingTarget(settings), revision: try revision())
  }

  func settingsUpdate(_ params: SettingsUpdateParams, _ call: inout Call) throws(RPCError) -> SettingsUpdateResult {
    let old = try settings()
    let problem = SettingsProblem.first(in: params, given: old) { name in
      (try? options.zones.rules(for: name)) != nil
    }
    if let problem { throw RPCError(problem) }
    try checkCurrency(params.currency, pointer: "/currency")
    let new = SettingsRules.applying(params, to: old)
    try checkGates(from: old, to: new)
    let record = try snapshot().record(SessionConstants.settingsID, in: SessionConstants.settings)
    let present = try revision()
    if let based = params.revision, (record?.revision ?? 0) > based || based > present {
      throw RPCError(
        .conflict, "the settings are not as they were at revision \(based)", pointer: "/revision",
        hint: "read them again and repeat the edit", conflict: ConflictVersions(current: value(old), yours: value(new)))
    }
    let (changed, revision) = try store(new, replacing: old, &call)
    return SettingsUpdateResult(
      settings: new, eatingTarget: DayRules.eatingTarget(new), changed: changed, revision: revision)
  }

  /// Refuses what only premium allows; what is so already may stay.
  func checkGates(from old: Settings, to new: Settings) throws(RPCError) {
    if new.lockEnabled, !old.lockEnabled { try require(.lock, pointer: "/lockEnabled") }
    let days = new.reminderDays
    if days != old.reminderDays, !days.isEmpty, days != [1] { try require(.reminderTiming, pointer: "/reminderDays") }
  }

  /// Stores settings and tells of what changed; nothing when nothing did. Returns the names of what changed, and the revision.
  func store(
    _ new: Settings, replacing old: Settings, _ call: inout Call
  ) throws(RPCError) -> (changed: [String], revision: Int) {
    let changed = SettingsChanges.names(from: old, to: new)
    guard !changed.isEmpty else { return ([], try revision()) }
    let before = days
    let revision = try commit([try put(new)], &call)
    call.events.append(
      Event(
        SettingsChangedParams.method,
        SettingsChangedParams(revision: revision, origin: .thisFrontend, changed: changed)))
    // Whoever enables the lock is not locked out by it.
    if new.lockEnabled, !old.lockEnabled { isAuthenticated = true }
    noteRoute(&call)
    noteDays(before, changed, &call)
    call.afterwards { $0.planReminders() }
    return (changed, revision)
  }

  /// The settings, to be stored.
  func put(_ settings: Settings) throws(RPCError) -> Operation {
    let record = try snapshot().record(SessionConstants.settingsID, in: SessionConstants.settings)
    let now = now()
    return .put(
      SessionConstants.settings, id: SessionConstants.settingsID, day: nil, schema: schema(of: Settings.self),
      createdAt: record?.createdAt ?? now, updatedAt: now, body: try storedBody(settings, keeping: record))
  }

  /// An entity as a plain JSON value.
  func value(_ entity: some JSONEncodable) -> JSONValue { (try? JSONValue(json: entity.json)) ?? .null }
}
