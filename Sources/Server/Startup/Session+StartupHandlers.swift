import DomainKit

extension Session {
  func startupReport(_ params: NoParams) throws(RPCError) -> StartupReportResult {
    StartupReportResult(
      state: start.timeline.state, launchReason: start.timeline.launchReason, tasks: start.timeline.tasks,
      budgets: start.timeline.budgets,
      minimumLaunchScreenMs: StartupTimeline.minimumLaunchScreen)
  }

  func deviceBecameActive(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DeviceEventResult {
    lockAfterAbsence(isBack: true)
    appendRouteChange(&call)
    return receive(.becameActive, &call)
  }

  func deviceResignedActive(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DeviceEventResult {
    lock.resign(at: Session.monotonicMilliseconds())
    if lockAfterAbsence(isBack: false) { appendRouteChange(&call) }
    return DeviceEventResult(queued: false, tasks: [])
  }

  func deviceTimeZoneChanged(
    _ params: DeviceTimeZoneChangedParams, _ call: inout Call
  ) throws(RPCError) -> DeviceEventResult {
    let rules: TimeZoneRules
    do throws(TimeZoneError) { rules = try options.zones.rules(for: params.timeZone) } catch {
      throw RPCError(
        .invalidParams, "the time zone \(params.timeZone.text) is not known here", pointer: "/timeZone",
        allowed: "an IANA time zone, such as Europe/Berlin")
    }
    // The previous zone is recorded first, if it was not yet.
    if device.flags.zones == nil { _ = recordDeviceZone() }
    announced.day = announced.day ?? days.today
    clock.setClientZone(rules)
    return receive(.timeZoneChanged, &call)
  }

  func deviceNetworkChanged(
    _ params: DeviceNetworkChangedParams, _ call: inout Call
  ) throws(RPCError) -> DeviceEventResult {
    rooms.sync.isOffline = !params.online
    call.afterReply { $0.atDesk { rooms, desk in rooms.sync.announce(&desk) } }
    return receive(params.online ? .networkCame : .networkWent, &call)
  }

  func deviceSignificantTimeChange(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DeviceEventResult {
    receive(.significantTimeChange, &call)
  }

  func deviceRemoteChanged(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DeviceEventResult {
    receive(.remoteChanged, &call)
  }

  func deviceAccountChanged(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DeviceEventResult {
    receive(.accountChanged, &call)
  }
}
