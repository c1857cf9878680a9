import DomainKit
import SettingsDocument
import Zones

/// The device's zone, the home zone, and the effects of a change of either.
extension Session {
  /// The zones known on this device, whether or not they are written yet.
  var knownZones: Zones.ZoneState { device.flags.zones ?? Zones.ZoneState(installedIn: deviceZone.name, at: now()) }

  /// The home zone: as set, else the zone of the first start.
  var homeZone: TimeZoneName { presentSettings.homeTimeZone ?? TimeZoneName(knownZones.home) ?? .utc }

  var zoneState: DaybookProtocol.ZoneState {
    let days = days
    let current = TimeZoneName(deviceZone.name) ?? .utc
    return DaybookProtocol.ZoneState(
      home: homeZone, current: current, display: days.name, mode: presentSettings.timeZoneMode,
      travelling: current != homeZone, today: days.today, nextDayAt: days.rollsAt)
  }

  /// Records and announces a change of the device's zone.
  func recordDeviceZone() -> TaskOutcome {
    guard let known = device.flags.zones else {
      let first = knownZones
      changeFlags { $0.zones = $0.zones ?? first }
      return .done("the first start here")
    }
    guard let change = known.detect(device: deviceZone, database: options.zones) else {
      return .done("as before")
    }
    // Where days follow the device, they followed its previous zone.
    let follows = presentSettings.timeZoneMode == .current || days.unknownZone != nil
    let (now, previous) = (now(), follows ? TimeZoneName(known.current) ?? days.name : days.name)
    changeFlags { $0.zones = ($0.zones ?? known).moved(change, at: now) }
    clock.forgetDays()
    let choices: [DaybookProtocol.ZoneChoice] = change.showsSameClock ? [] : [.keepHome, .useCurrent, .movedHere]
    emit(
      TimeZoneChangedParams.method,
      TimeZoneChangedParams(
        state: zoneState, previous: previous, trigger: .deviceChange, choices: change.isTravelling ? choices : []))
    rollDay()
    return .done("another one")
  }

  /// Adds the events for a change of the settings that affects days.
  func appendDayChanges(_ changed: [String], _ call: inout Call) {
    guard let before = call.daysBefore, changed.contains(where: { Session.daySettings.contains($0) }) else { return }
    let after = days
    if changed.contains(where: { $0 != "dayStartsAt" && Session.daySettings.contains($0) }) {
      let trigger: ZoneTrigger = changed.contains("timeZoneMode") ? .displayModeChange : .userUpdate
      call.emit(
        TimeZoneChangedParams.method,
        TimeZoneChangedParams(state: zoneState, previous: before.name, trigger: trigger, choices: []))
    }
    guard after.today != before.today else { return }
    announced.day = after.today
    call.emit(
      DayChangedParams.method, DayChangedParams(today: after.today, previousDay: before.today, nextDayAt: after.rollsAt)
    )
  }

  private static let daySettings: Set<String> = ["dayStartsAt", "timeZoneMode", "homeTimeZone", "customTimeZone"]
}

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
