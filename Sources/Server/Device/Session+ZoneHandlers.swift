import CivilTime
import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import SettingsDocument
import Zones

extension Session {
  func zonesGet(_ params: NoParams) throws(RPCError) -> ZonesGetResult {
    _ = try settings()
    return ZonesGetResult(
      state: zoneState, unknownZone: days.unknownZone,
      history: knownZones.history.compactMap { DaybookProtocol.ZoneChange($0) })
  }

  func zonesChoose(_ params: ZonesChooseParams, _ call: inout Call) throws(RPCError) -> ZonesChooseResult {
    let old = try settings()
    let update: SettingsUpdateParams =
      switch params.choice {
      case .keepHome: SettingsUpdateParams(timeZoneMode: .home, homeTimeZone: .value(homeZone))
      case .useCurrent: SettingsUpdateParams(timeZoneMode: .current)
      case .movedHere:
        SettingsUpdateParams(
          timeZoneMode: .home, homeTimeZone: .value(TimeZoneName(deviceZone.name) ?? .utc))
      }
    let (known, now) = (knownZones, now())
    let choice = Zones.ZoneChoice(params.choice)
    let (changed, revision) = try store(SettingsRules.applying(update, to: old), replacing: old, &call)
    if !changed.isEmpty { changeFlags { $0.zones = ($0.zones ?? known).choosing(choice, at: now) } }
    return ZonesChooseResult(state: zoneState, changed: changed, revision: revision)
  }
}

extension Zones.ZoneChoice {
  fileprivate init(_ choice: DaybookProtocol.ZoneChoice) {
    self =
      switch choice {
      case .keepHome: .keepHome
      case .useCurrent: .useCurrent
      case .movedHere: .movedHere
      }
  }
}

extension DaybookProtocol.ZoneChange {
  /// A change as clients see it; nil when one of its zones has no valid name.
  fileprivate init?(_ change: Zones.ZoneChange) {
    guard let from = TimeZoneName(change.from), let to = TimeZoneName(change.to) else { return nil }
    let name = change.trigger.rawValue
    self.init(
      at: change.at, from: from, to: to, trigger: ZoneTrigger.known.first { $0.rawValue == name } ?? .unknown(name))
  }
}
