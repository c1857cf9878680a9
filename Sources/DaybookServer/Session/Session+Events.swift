import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

extension Session {
  /// Whether this connection wants an event now.
  func isWanted(_ event: Event) -> Bool {
    guard lifecycle == .running(hasConfirmed: true) else { return false }
    guard let domain = Session.domain(ofEvent: event.method) else { return true }
    // What was logged stays behind the lock; whoever unlocks it reads anew.
    if Session.isOfData(domain), isLockEnabled, isLocked { return false }
    return subscribed?.contains(domain) ?? true
  }

  static func domain(ofEvent method: StaticString) -> EventDomain? {
    switch "\(method)" {
    case "mealsChanged": .meals
    case "weightsChanged": .weights
    case "exercisesChanged": .exercises
    case "waterChanged": .water
    case "measurementsChanged": .measurements
    case "foodsChanged": .foods
    case "recipesChanged": .recipes
    case "subscriptionsChanged": .subscriptions
    case "budgetsChanged": .budgets
    case "daysChanged": .days
    case "ratesChanged": .rates
    case "settingsChanged", "estimatorChanged": .settings
    case "onboardingCompleted": .onboarding
    case "premiumStatusChanged", "showToast": .premium
    case "remindersChanged", "reminderDue": .reminders
    case "routeChanged", "dayChanged", "timeZoneChanged": .session
    case "startupTaskFinished", "startupFinished": .startup
    default: nil
    }
  }

  /// Whether the events of a domain tell of what the user logged or set.
  private static func isOfData(_ domain: EventDomain) -> Bool {
    switch domain {
    case .onboarding, .premium, .session, .startup: false
    default: true
    }
  }

  /// The domain whose events tell of a collection; nil of one that the service has for itself.
  static func domain(of collection: CollectionName) -> EventDomain? {
    SessionConstants.ownCollections.contains(collection) ? nil : EventDomain(name: collection.rawValue)
  }

  /// The records changed after a revision.
  func changes(since revision: Int, limit: Int) throws(RPCError) -> (changes: [RecordChange], revision: Int, more: Bool)
  {
    let store = try openStore()
    do throws(StoreError) {
      let page = try store.changes(
        since: revision, limit: limit, leavingOut: SessionConstants.ownCollections)
      return (Session.recordChanges(page), page.revision, !page.isComplete)
    } catch {
      throw RPCError(error)
    }
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

  /// The events that tell of some changes, one for each domain, with the latest revision of its changes, ascending by that.
  /// Of the settings all members are named unless it is known which changed.
  static func events(
    for changes: [RecordChange], origin: Origin, changed: [String] = Settings.memberNames
  ) -> [Event] {
    var events: [(revision: Int, event: Event)] = []
    if let revision = changes.filter({ $0.domain == .settings }).map(\.revision).max() {
      let params = SettingsChangedParams(revision: revision, origin: origin, changed: changed)
      events.append((revision, Event(SettingsChangedParams.method, params)))
    }
    for entity in keptEntities {
      guard let event = event(for: changes, of: entity, origin: origin) else { continue }
      events.append(event)
    }
    let entries = changes.filter { $0.domain == .days }
    if let revision = entries.map(\.revision).max() {
      let items = entries.compactMap { change in
        change.day.map { DayChange(id: change.id, kind: change.kind, day: $0) }
      }
      let params = DaysChangedParams(revision: revision, origin: origin, changes: items)
      events.append((revision, Event(DaysChangedParams.method, params)))
    }
    if let change = changes.filter({ $0.domain == .rates }).max(by: { $0.revision < $1.revision }) {
      let params = RatesChangedParams(revision: change.revision, origin: origin, kind: change.kind)
      events.append((change.revision, Event(RatesChangedParams.method, params)))
    }
    return events.sorted { $0.revision < $1.revision }.map(\.event)
  }

  /// What has events with ids.
  static var keptEntities: [any KeptEntity.Type] {
    [
      Meal.self, WeightEntry.self, Exercise.self, WaterEntry.self, Measurement.self, Favourite.self, Recipe.self,
      DaybookProtocol.Subscription.self, DaybookProtocol.Budget.self,
    ]
  }

  /// The event that tells of those changes that are to entities of a type; nil when none is.
  private static func event(
    for changes: [RecordChange], of type: any KeptEntity.Type, origin: Origin
  ) -> (revision: Int, event: Event)? {
    let ours = changes.filter { $0.domain == domain(of: type.collection) }
    guard let revision = ours.map(\.revision).max() else { return nil }
    let items = ours.map {
      KeptChange(id: $0.id, kind: $0.kind, day: $0.day, previousDay: $0.previousDay)
    }
    return (revision, type.event(items, revision, origin))
  }
}

extension EventDomain {
  /// The domain of that name.
  init(name: String) {
    self = EventDomain.known.first { $0.rawValue == name } ?? .unknown(name)
  }
}
