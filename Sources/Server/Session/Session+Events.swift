import DomainKit
import SettingsDocument

/// Which events this connection receives, and what follows a commit of one of its requests.
extension Session {
  /// Whether this connection receives an event now.
  func isWanted(_ event: Event) -> Bool {
    guard client.receivesEvents else { return false }
    guard let domain = Collections.domain(ofEvent: event.method) else { return true }
    // A locked connection receives no events about data; the client reads the data after unlocking.
    if Session.isOfData(domain), isLockEnabled, isLocked { return false }
    return client.subscribed?.contains(domain) ?? true
  }

  /// Whether an event may depend on notes.
  func dependsOnNotes(_ event: Event) -> Bool {
    Collections.domain(ofEvent: event.method).map { !Session.isOfData($0) } ?? true
  }

  /// Whether the events of a domain concern what the user logged or set.
  private static func isOfData(_ domain: EventDomain) -> Bool {
    switch domain {
    case .onboarding, .premium, .session, .startup: false
    default: true
    }
  }

  /// Publishes what a request has committed: puts the events of the changed collections before those that its handler
  /// has added, and the consequences after them, and updates what depends on the change.
  func publishCommit(_ call: inout Call) {
    guard let commit = call.turn.takeCommit() else { return }
    if commit.settings != nil { clock.forgetDays() }
    var changed = Settings.memberNames
    if let before = commit.settings, let present = try? folder.settings() {
      changed = SettingsChanges.names(from: before, to: present)
    }
    let made: ChangeFeed.Events? =
      if let prepared = call.prepared, commit.settings == nil { feed.events(of: prepared) } else {
        try? feed.events(since: commit.since, origin: .thisFrontend, changedMembers: { changed })
      }
    if let made {
      call.events = made.own + call.events
      if let before = commit.settings { applySettingsChange(before, changed, &call) }
      call.events += made.consequences.events
      if made.consequences.affectsReminders { call.afterReply { $0.planReminders() } }
    }
    backUpDaily()
    saveFlagsIfNeeded()
    rooms.sync.wrote()
  }

  /// Applies a change of the settings to this connection: its lock, its route and its days.
  private func applySettingsChange(_ before: Settings, _ changed: [String], _ call: inout Call) {
    // Enabling the lock does not lock the user out.
    if presentSettings.lockEnabled, !before.lockEnabled { lock.isAuthenticated = true }
    appendRouteChange(&call)
    appendDayChanges(changed, &call)
  }
}
