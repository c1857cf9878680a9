import DaybookProtocol

/// A step of the first phase of a start, in the order they are taken.
enum BootstrapStep: String, CaseIterable, Sendable {
  case logger, flags, premium, pendingRestore, store, settings, route, quickActions, launchReason, locationLaunch
}

/// A task of the second phase of a start, in the order they run.
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

/// A task that something leads to which the device tells.
enum EventTask: String, Sendable {
  case timeZone, verifyEntitlement, reminderPlan, sync, locations
  case dayRoll, entitlementExpiry
  case deduplicate, lastSync, refresh
  case invalidateCaches

  /// How long, in milliseconds, it is not done again after it was done; nil when each time counts.
  var throttle: Int? {
    switch self {
    case .reminderPlan: 5000
    case .deduplicate, .locations: 30_000
    default: nil
    }
  }
}

/// Something the device tells, which leads to tasks in a fixed order.
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

  /// Whether a task is done however soon it comes after another.
  func insists(on task: EventTask) -> Bool {
    // After these the plan is another one for certain.
    task == .reminderPlan && (self == .significantTimeChange || self == .timeZoneChanged)
  }
}
