import DomainKit
import Platform
import Premium
import SyncRules

/// The second phase of a start: named tasks that run in order while the session is idle; none of them can fail the
/// start. Each task that is not of high priority first waits up to 15 ms for the client to be quiet: it then has the
/// processor to read its first replies, and asks for more without waiting for a task.
extension Session {
  func launch() {
    guard start.hasBootstrapped, !start.hasLaunched, !options.isSingleCall else { return }
    start.hasLaunched = true
    announced.day = announced.day ?? today
    let late = LaunchTask.allCases.filter { $0.priority != .high }
    for task in LaunchTask.allCases where task.priority == .high { perform(whenIdle: task) {} }
    let isStarted = Threads.start { [weak self, activity] in
      let parker = Parker()
      var last: Int?
      for task in late {
        activity.waitUntilQuiet(since: &last)
        guard self?.perform(whenIdle: task, { parker.unpark() }) != nil else { return }
        parker.park()
      }
    }
    if !isStarted { for task in late { perform(whenIdle: task) {} } }
  }

  private nonisolated func perform(whenIdle task: LaunchTask, _ end: @escaping @Sendable () -> Void) {
    executor.enqueueWhenIdle { [weak self] in
      self?.assumeIsolated { $0.perform(task) }
      end()
    }
  }

  private func perform(_ task: LaunchTask) {
    guard client.lifecycle != .shutDown else { return }
    start.timeline.begin(task)
    if let outcome = run(task) { endLaunchTask(task, outcome) }
  }

  private func run(_ task: LaunchTask) -> TaskOutcome? {
    switch task {
    case .verifyEntitlement:
      // A request may have verified it before.
      if entitlement.state.isVerified { return .done("the store of record has answered") }
      if !entitlement.state.isLoading { verify(.start) }
      return nil
    case .publishRoute:
      emitRouteChange()
      return .done(route.rawValue)
    case .appearance: return .done(presentSettings.appearance.rawValue)
    case .categories:
      whenLoaded { $0.endLaunchTask(task, $0.ready(.categories)) }
      return nil
    case .notificationCategories: return .done("\(reminderCategories.count) categories")
    case .reminderPlan:
      whenLoaded { session in
        if let outcome = session.beginReminders() { session.endLaunchTask(task, outcome) }
      }
      return nil
    case .timeZone: return recordDeviceZone()
    case .locations:
      whenLoaded { $0.endLaunchTask(task, $0.ready(.places)) }
      return nil
    case .backgroundLoad:
      whenLoaded { $0.endLaunchTask(task, $0.loaded()) }
      return nil
    case .sync:
      whenLoaded { session in
        session.endLaunchTask(task, session.atDesk { rooms, desk in rooms.sync.begin(.start, &desk) })
      }
      return nil
    case .cleanups: return cleanUp()
    }
  }

  /// What the domains have prepared for a part of the start.
  func ready(_ part: StartPart) -> TaskOutcome {
    guard let context = try? ownContext() else { return .skipped("the store cannot be read") }
    let texts = services.all.compactMap { $0.startSummary(of: part, context) }
    return texts.isEmpty ? .skipped("no domain has any") : .done(texts.joined(separator: ", "))
  }

  /// Ends a task, and announces it, unless it has ended before.
  func endLaunchTask(_ task: LaunchTask, _ outcome: TaskOutcome) {
    guard start.hasLaunched, let ended = start.timeline.end(task, outcome) else { return }
    if case .failed(let text) = outcome { log.warning(.startup, "\(task): \(unquoted: text)") }
    if !options.skipsHandshake {
      emit(
        StartupTaskFinishedParams.method, StartupTaskFinishedParams(task: ended, remaining: start.timeline.remaining))
    }
    guard start.timeline.remaining == 0 else { return }
    start.timeline.finish()
    if !options.skipsHandshake {
      emit(
        StartupFinishedParams.method,
        StartupFinishedParams(tookUs: start.timeline.elapsed, failed: start.timeline.failed))
    }
    for event in start.takeWaitingEvents() { handle(event) }
  }

  /// Runs the clean-ups that were never done on this folder.
  private func cleanUp() -> TaskOutcome {
    let due = Cleanup.allCases.filter { !device.flags.cleanups.contains($0.rawValue) }
    guard !due.isEmpty else { return .skipped("all were done before") }
    for cleanup in due { run(cleanup) }
    changeFlags { flags in
      for cleanup in due where !flags.cleanups.contains(cleanup.rawValue) { flags.cleanups.append(cleanup.rawValue) }
    }
    return .done(due.map(\.rawValue).joined(separator: ", "))
  }

  private func run(_ cleanup: Cleanup) {
    switch cleanup {
    case .pruneReminders: pruneReminders()
    }
  }
}

/// A clean-up that runs once ever on a folder.
enum Cleanup: String, CaseIterable, Sendable {
  /// Drops old entries of the reminder history.
  case pruneReminders
}
