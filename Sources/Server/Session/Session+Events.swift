import DomainKit
import SettingsDocument

/// The single path from a commit to the client: the events of every change, by this process or another, come from the
/// change log.
extension Session {
  /// Whether this connection receives an event now.
  func isWanted(_ event: Event) -> Bool {
    guard client.receivesEvents else { return false }
    guard let domain = Session.domain(ofEvent: event.method) else { return true }
    // A locked connection receives no events about data; the client reads the data after unlocking.
    if Session.isOfData(domain), isLockEnabled, isLocked { return false }
    return client.subscribed?.contains(domain) ?? true
  }

  /// Whether an event may depend on notes.
  func dependsOnNotes(_ event: Event) -> Bool {
    Session.domain(ofEvent: event.method).map { !Session.isOfData($0) } ?? true
  }

  /// The domain of an event; nil for one that every client receives.
  static func domain(ofEvent method: StaticString) -> EventDomain? {
    eventDomains["\(method)"]
  }

  private static let eventDomains = Dictionary(
    uniqueKeysWithValues: Collections.otherEvents.map { ("\($0.event)", $0.group) }
      + Collections.all.compactMap { declared in declared.event.map { ("\($0)", declared.domain) } })

  /// Whether the events of a domain concern what the user logged or set.
  private static func isOfData(_ domain: EventDomain) -> Bool {
    switch domain {
    case .onboarding, .premium, .session, .startup: false
    default: true
    }
  }

  /// The domain of a collection, also of one that a later version declares; nil for the service's own collections.
  static func domain(of collection: CollectionName) -> EventDomain? {
    if let declared = Collections.declaration(of: collection) { return declared.domain }
    return SessionConstants.ownCollections.contains(collection) ? nil : .unknown(collection.rawValue)
  }

  // MARK: from the change log

  func changes(since revision: Int, limit: Int) throws(RPCError) -> (changes: [RecordChange], revision: Int, more: Bool)
  {
    let page = try withStore { store throws(StoreError) in
      try store.changes(since: revision, limit: limit, leavingOut: SessionConstants.ownCollections)
    }
    return (Session.recordChanges(page), page.revision, !page.isComplete)
  }

  /// A page of changes as clients see them.
  static func recordChanges(_ page: ChangePage) -> [RecordChange] {
    page.records.compactMap { record in
      guard let domain = domain(of: record.collection) else { return nil }
      return RecordChange(
        domain: domain, id: record.id,
        kind: record.isDeleted ? .deleted : record.isNew ? .added : .updated,
        day: record.isDeleted ? record.lastDay : record.day,
        previousDay: record.isDeleted && record.previousDay == record.lastDay ? nil : record.previousDay,
        revision: record.revision)
    }
  }

  /// The events for some changes, one per collection, with the latest revision of its changes, in ascending order of
  /// it. The event for the settings names the members in `changed`, all by default.
  static func events(
    for changes: [RecordChange], origin: Origin, changed: [String] = Settings.memberNames
  ) -> [Event] {
    guard let first = changes.first else { return [] }
    // Avoids a copy of a large change, which mostly is of one domain.
    if changes.allSatisfy({ $0.domain == first.domain }) {
      return Collections.declarations(of: first.domain).compactMap { event($0, for: changes, origin, changed)?.event }
    }
    let groups = Dictionary(grouping: changes, by: \.domain)
    let events = Collections.all.compactMap { declared in
      groups[declared.domain].flatMap { event(declared, for: $0, origin, changed) }
    }
    return events.sorted { $0.revision < $1.revision }.map(\.event)
  }

  /// The event of a collection for the changes of its domain, of which there is at least one, with their latest
  /// revision; nil when it has none.
  private static func event(
    _ declared: CollectionDeclaration, for changes: [RecordChange], _ origin: Origin, _ changed: [String]
  ) -> (revision: Int, event: Event)? {
    guard let method = declared.event, let latest = changes.max(by: { $0.revision < $1.revision }) else { return nil }
    let revision = latest.revision
    switch declared.collection {
    case Settings.collection:
      return (revision, Event(method, SettingsChangedParams(revision: revision, origin: origin, changed: changed)))
    case ExchangeRates.collection:
      return (revision, Event(method, RatesChangedParams(revision: revision, origin: origin, kind: latest.kind)))
    // The completion has an event of its own; other changes of the record have none.
    case OnboardingRecord.collection: return nil
    default:
      return (revision, Event(method, CollectionChanged(revision: revision, origin: origin, changes: changes)))
    }
  }

  // MARK: what follows a commit

  /// Publishes what a request has committed: puts the events of the commit before those that its handler has added, and
  /// updates what depends on the change.
  func publishCommit(_ call: inout Call) {
    guard let commit = call.turn.takeCommit() else { return }
    if commit.settings != nil { clock.forgetDays() }
    var affectsReminders = false
    if let prepared = call.prepared, commit.settings == nil {
      call.events = prepared.events + call.events
      affectsReminders = isMovingReminders(prepared)
    } else if let page = try? store?.changes(since: commit.since) {
      var changed = Settings.memberNames
      if let before = commit.settings, let present = try? folder.settings() {
        changed = SettingsChanges.names(from: before, to: present)
      }
      let made = PreparedEvents(page, changed)
      call.events = made.events + call.events
      affectsReminders = isMovingReminders(made)
      if let before = commit.settings { applySettingsChange(before, changed, &call) }
    }
    let others = consequences(of: call.events.map(\.method), origin: .thisFrontend)
    call.events += others.events
    if affectsReminders || others.affectsReminders { call.afterReply { $0.planReminders() } }
    backUpDaily()
    saveFlagsIfNeeded()
  }

  /// What the change behind some events means to other domains.
  func consequences(of events: [StaticString], origin: Origin) -> Consequences {
    guard !events.isEmpty, services.all.contains(where: { $0.follows(events, in: folder) }),
      let revision = try? folder.revision()
    else { return Consequences() }
    let context = context(Call(method: .serverInfo))
    return services.all.reduce(into: Consequences()) { all, service in
      let own = service.consequences(of: events, revision: revision, origin: origin, context)
      all.events += own.events
      all.affectsReminders = all.affectsReminders || own.affectsReminders
    }
  }

  private func isMovingReminders(_ made: PreparedEvents) -> Bool {
    made.affectsReminders || made.hasMeals && !settingsInForce.value.mealReminders.isEmpty
  }

  /// Applies a change of the settings to this connection: its lock, its route and its days.
  private func applySettingsChange(_ before: Settings, _ changed: [String], _ call: inout Call) {
    // Enabling the lock does not lock the user out.
    if presentSettings.lockEnabled, !before.lockEnabled { lock.isAuthenticated = true }
    appendRouteChange(&call)
    appendDayChanges(changed, &call)
  }
}

extension PreparedEvents {
  /// The events of a change that this frontend made.
  init(_ page: ChangePage, _ changed: [String] = Settings.memberNames) {
    hasMeals = page.records.contains { $0.collection == Meal.collection }
    affectsReminders = page.records.contains { Collections.declaration(of: $0.collection)?.affectsReminders == true }
    // Last, so that a large page is free while its text is written.
    events = Session.events(for: Session.recordChanges(page), origin: .thisFrontend, changed: changed)
  }
}

/// The params of a collection's event.
private struct CollectionChanged: JSONEncodable {
  let revision: Int
  let origin: Origin
  let changes: [RecordChange]

  func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revision")
    revision.encode(to: &writer)
    writer.name("origin")
    origin.encode(to: &writer)
    writer.name("changes")
    writer.beginArray()
    for change in changes {
      writer.element()
      EntityChange(id: change.id, kind: change.kind, day: change.day, previousDay: change.previousDay)
        .encode(to: &writer)
    }
    writer.endArray()
    writer.endObject()
  }
}
