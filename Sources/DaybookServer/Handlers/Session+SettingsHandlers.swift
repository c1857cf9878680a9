import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition

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
    let new = SettingsRules.applying(params, to: old)
    let record = try snapshot().record(SessionConstants.settingsID, in: SessionConstants.settings)
    let present = try self.revision()
    if let based = params.revision, (record?.revision ?? 0) > based || based > present {
      throw RPCError(
        .conflict, "the settings are not as they were at revision \(based)", pointer: "/revision",
        hint: "read them again and repeat the edit", conflict: ConflictVersions(current: value(old), yours: value(new)))
    }
    let changed = SettingsRules.changes(from: old, to: new)
    var revision = present
    if !changed.isEmpty {
      let now = now()
      revision = try commit(
        [
          .put(
            SessionConstants.settings, id: SessionConstants.settingsID, day: nil, schema: schema(of: Settings.self),
            createdAt: record?.createdAt ?? now, updatedAt: now,
            body: try storedBody(new, keeping: record))
        ], &call)
      call.events.append(
        Event(
          SettingsChangedParams.method,
          SettingsChangedParams(revision: revision, origin: .thisFrontend, changed: changed)))
    }
    return SettingsUpdateResult(
      settings: new, eatingTarget: DayRules.eatingTarget(new), changed: changed, revision: revision)
  }

  /// An entity as a plain JSON value.
  func value(_ entity: some JSONEncodable) -> JSONValue { (try? JSONValue(json: entity.json)) ?? .null }
}
