import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import SettingsDocument
import Zones

/// The device's zone, the home zone, and the effects of a change of either.
extension Session {
  /// The zones known on this device, whether or not they are written yet.
  var knownZones: Zones.ZoneState { device.flags.zones ?? Zones.ZoneState(installedIn: deviceZone.name, at: now()) }

  /// The home zone: as set, else the zone of the first start.
  var homeZone: TimeZoneName { presentSettings.homeTimeZone ?? TimeZoneName(knownZones.home) ?? .utc }

  /// The zones as clients see them.
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
      Event(
        TimeZoneChangedParams.method,
        TimeZoneChangedParams(
          state: zoneState, previous: previous, trigger: .deviceChange,
          choices: change.isTravelling ? choices : [])))
    rollDay()
    return .done("another one")
  }

  /// Adds the events for a change of the settings that affects days.
  func appendDayChanges(_ changed: [String], _ call: inout Call) {
    guard let before = call.daysBefore, changed.contains(where: { Session.daySettings.contains($0) }) else { return }
    let after = days
    if changed.contains(where: { $0 != "dayStartsAt" && Session.daySettings.contains($0) }) {
      let trigger: ZoneTrigger = changed.contains("timeZoneMode") ? .displayModeChange : .userUpdate
      call.events.append(
        Event(
          TimeZoneChangedParams.method,
          TimeZoneChangedParams(state: zoneState, previous: before.name, trigger: trigger, choices: [])))
    }
    guard after.today != before.today else { return }
    announced.day = after.today
    call.events.append(
      Event(
        DayChangedParams.method,
        DayChangedParams(today: after.today, previousDay: before.today, nextDayAt: after.rollsAt)))
  }

  private static let daySettings: Set<String> = ["dayStartsAt", "timeZoneMode", "homeTimeZone", "customTimeZone"]
}
