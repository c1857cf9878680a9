import DomainKit
import Premium

/// The progress of the start, and what waits for its end.
struct StartupProgress {
  var timeline: StartupTimeline
  var hasBootstrapped = false
  var hasLaunched = false
  /// Whether a pending restore was looked for, which happens before the store is first opened.
  var hasLookedForRestore = false
  /// Device events during the start, in order, each kind once at its latest position.
  private var waitingEvents: [DeviceEvent] = []
  /// When throttled tasks last ran, in monotonic milliseconds.
  private var lastDone: [EventTask: Int64] = [:]

  /// What runs once the store is loaded, in order; nil while it is not being loaded.
  private var waitingForLoad: [@Sendable (isolated Session) -> Void]?

  init(timeline: StartupTimeline) { self.timeline = timeline }

  /// Queues a device event until the start has ended.
  mutating func postpone(_ event: DeviceEvent) {
    waitingEvents.removeAll { $0 == event }
    waitingEvents.append(event)
  }

  mutating func takeWaitingEvents() -> [DeviceEvent] {
    defer { waitingEvents = [] }
    return waitingEvents
  }

  /// Queues `body` until the store is loaded; true for the first one, which must start loading.
  mutating func waitForLoad(_ body: @escaping @Sendable (isolated Session) -> Void) -> Bool {
    defer { waitingForLoad = (waitingForLoad ?? []) + [body] }
    return waitingForLoad == nil
  }

  mutating func takeWaitingForLoad() -> [@Sendable (isolated Session) -> Void] {
    defer { waitingForLoad = nil }
    return waitingForLoad ?? []
  }

  /// Whether a task is due: its event overrides the throttle, or the throttle has passed. Records it as done then.
  mutating func isDue(_ task: EventTask, of event: DeviceEvent, at now: Int64) -> Bool {
    if !event.insists(on: task), let pause = task.throttle, let last = lastDone[task], now - last < Int64(pause) {
      return false
    }
    lastDone[task] = now
    return true
  }
}

/// Records that are read before the store, and the onboarding record after that.
struct StorePreview {
  /// The settings and the onboarding record as previewed at the start.
  var settings: DataFolder.SettingsInForce?
  var onboarding: OnboardingRecord?
  var hasReadableSettings = true
  var knownOnboarding: OnboardingRecord?
}
