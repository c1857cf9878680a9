import DomainKit
import Platform
import Premium
import Reminders
import SyncRules

/// Device events run tasks in a fixed order. During the start they are queued until its end.
extension Session {
  /// Handles a device event after the reply to it.
  func receive(_ event: DeviceEvent, _ call: inout Call) -> DeviceEventResult {
    let isQueued = start.timeline.state != .ready && !options.isSingleCall
    if isQueued {
      start.postpone(event)
    } else {
      call.afterReply { $0.handle(event) }
    }
    return DeviceEventResult(queued: isQueued, tasks: event.tasks.map(\.rawValue))
  }

  func handle(_ event: DeviceEvent) {
    for task in event.tasks {
      executor.enqueueWhenIdle { [weak self] in self?.assumeIsolated { $0.perform(task, of: event) } }
    }
  }

  private func perform(_ task: EventTask, of event: DeviceEvent) {
    let began = start.timeline.elapsed
    let now = Session.monotonicMilliseconds()
    var outcome = TaskOutcome.skipped("it was done a moment ago")
    if start.isDue(task, of: event, at: now) {
      outcome = run(task, of: event)
    }
    start.timeline.note(task, of: event, startedAfter: began, outcome)
    log.debug(.startup, "\(public: event.rawValue): \(public: task.rawValue), \(public: outcome.state.rawValue)")
  }

  private func run(_ task: EventTask, of event: DeviceEvent) -> TaskOutcome {
    switch task {
    case .timeZone:
      refreshSystemZone()
      return recordDeviceZone()
    case .verifyEntitlement:
      // Nothing to ask after an answer, unless the account has changed or the entitlement has ended.
      let hasEnded = entitlement.state.record?.entitlement != nil && !hasPremiumAccess
      if entitlement.state.isVerified, !hasEnded, event != .accountChanged {
        return .skipped("the store of record has answered")
      }
      guard storeOfRecord.kind != .none else { return .skipped("there is nobody to ask") }
      verify(event == .networkCame ? .networkChanged : .becameActive)
      return .done("asked")
    case .reminderPlan:
      planReminders()
      return .done("\(reminders.plan.total) reminders")
    case .dayRoll:
      return .done(rollDay() ? "today is \(today)" : "still \(today)")
    case .entitlementExpiry:
      refreshPremium()
      return .done(entitlement.state.status(self.now()).name)
    case .invalidateCaches:
      forgetEverything()
      return .done("what was remembered is dropped")
    case .locations: return ready(.places)
    case .sync:
      return atDesk { rooms, desk in rooms.sync.begin(event == .networkCame ? .reconnect : .active, &desk) }
    case .refresh: return atDesk { rooms, desk in rooms.sync.begin(.write, &desk) }
    case .lastSync: return atDesk { rooms, desk in rooms.sync.lastSync(desk) }
    case .deduplicate: return .skipped("a pass leaves no duplicates")
    }
  }
}
