import Premium

/// How far the start has come, and what waits for its end.
struct StartRoom {
  var timeline: StartupTimeline
  var hasBootstrapped = false
  var hasLaunched = false
  /// Whether a restore that waited was looked for: only before the store is first opened.
  var hasLookedForRestore = false
  /// What the device told while the start went on, in order, each kind at its latest place.
  private var waitingEvents: [DeviceEvent] = []
  /// When tasks that are not done too often were last done, in monotonic milliseconds.
  private var lastDone: [EventTask: Int64] = [:]

  /// What waits until the store is read, in order; nil while nobody reads it ahead.
  private var waitingForLoad: [@Sendable (isolated Session) -> Void]?

  init(timeline: StartupTimeline) { self.timeline = timeline }

  /// Has an event of the device wait for the end of the start.
  mutating func postpone(_ event: DeviceEvent) {
    waitingEvents.removeAll { $0 == event }
    waitingEvents.append(event)
  }

  /// The events that have waited, which wait no more.
  mutating func takeWaitingEvents() -> [DeviceEvent] {
    defer { waitingEvents = [] }
    return waitingEvents
  }

  /// Has something wait until the store is read. Whether it is the first, so that the reading has to be begun.
  mutating func waitForLoad(_ body: @escaping @Sendable (isolated Session) -> Void) -> Bool {
    defer { waitingForLoad = (waitingForLoad ?? []) + [body] }
    return waitingForLoad == nil
  }

  /// What has waited for the store, which waits no more.
  mutating func takeWaitingForLoad() -> [@Sendable (isolated Session) -> Void] {
    defer { waitingForLoad = nil }
    return waitingForLoad ?? []
  }

  /// Whether a task is due: its event insists on it, or it was not done a moment ago. Then it counts as done now.
  mutating func isDue(_ task: EventTask, of event: DeviceEvent, at now: Int64) -> Bool {
    if !event.insists(on: task), let pause = task.throttle, let last = lastDone[task], now - last < Int64(pause) {
      return false
    }
    lastDone[task] = now
    return true
  }
}
