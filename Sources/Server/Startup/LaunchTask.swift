import DaybookProtocol

/// A step of the first phase of a start, in order.
enum BootstrapStep: String, CaseIterable, Sendable {
  case logger, flags, premium, pendingRestore, store, settings, route, quickActions, launchReason, locationLaunch
}

/// A task of the second phase of a start, in order.
enum LaunchTask: String, CaseIterable, Sendable {
  case verifyEntitlement, publishRoute, appearance
  case categories, notificationCategories, reminderPlan
  case timeZone, locations, backgroundLoad, sync, cleanups

  var priority: StartupPriority {
    switch self {
    case .verifyEntitlement, .publishRoute, .appearance: .high
    case .categories, .notificationCategories, .reminderPlan: .medium
    case .timeZone, .locations, .backgroundLoad, .sync, .cleanups: .low
    }
  }
}

/// A task that follows a device event.
enum EventTask: String, Sendable {
  case timeZone, verifyEntitlement, reminderPlan, sync, locations
  case dayRoll, entitlementExpiry
  case deduplicate, lastSync, refresh
  case invalidateCaches

  /// The time, in milliseconds, during which it is not repeated; nil when every event runs it.
  var throttle: Int? {
    switch self {
    case .reminderPlan: 5000
    case .deduplicate, .locations: 30_000
    default: nil
    }
  }
}

/// An event of the device, and the tasks that follow it in order.
enum DeviceEvent: String, Sendable {
  case becameActive, timeZoneChanged, networkCame, networkWent, significantTimeChange, remoteChanged, accountChanged

  var tasks: [EventTask] {
    switch self {
    case .becameActive: [.timeZone, .verifyEntitlement, .reminderPlan, .sync, .locations]
    case .timeZoneChanged: [.timeZone, .reminderPlan]
    case .networkCame: [.verifyEntitlement, .sync]
    case .networkWent: []
    case .significantTimeChange: [.dayRoll, .entitlementExpiry, .reminderPlan]
    case .remoteChanged: [.deduplicate, .lastSync, .refresh, .locations]
    case .accountChanged: [.invalidateCaches, .verifyEntitlement]
    }
  }

  /// Whether a task runs regardless of its throttle.
  func insists(on task: EventTask) -> Bool {
    // These always change the plan.
    task == .reminderPlan && (self == .significantTimeChange || self == .timeZoneChanged)
  }
}
