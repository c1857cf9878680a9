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
    guard let domain = Session.domain(ofEvent: event.method), let subscribed else { return true }
    return subscribed.contains(domain)
  }

  static func domain(ofEvent method: StaticString) -> EventDomain? {
    switch "\(method)" {
    case "mealsChanged": .meals
    case "settingsChanged": .settings
    default: nil
    }
  }

  /// The domain whose events tell of a collection.
  static func domain(of collection: CollectionName) -> EventDomain { EventDomain(name: collection.rawValue) }

  /// The records changed after a revision.
  func changes(since revision: Int, limit: Int) throws(RPCError) -> (changes: [RecordChange], revision: Int, more: Bool)
  {
    let store = try openStore()
    do throws(StoreError) {
      let page = try store.changes(since: revision, limit: limit)
      return (Session.recordChanges(page), page.revision, !page.isComplete)
    } catch {
      throw RPCError(error)
    }
  }

  /// A page of changes as clients see them.
  static func recordChanges(_ page: ChangePage) -> [RecordChange] {
    page.records.map { record in
      RecordChange(
        domain: domain(of: record.collection), id: record.id,
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
    let meals = changes.filter { $0.domain == .meals }
    if let revision = meals.map(\.revision).max() {
      let items = meals.compactMap { change in
        change.day.map { MealChange(id: change.id, kind: change.kind, day: $0, previousDay: change.previousDay) }
      }
      let params = MealsChangedParams(revision: revision, origin: origin, changes: items)
      events.append((revision, Event(MealsChangedParams.method, params)))
    }
    return events.sorted { $0.revision < $1.revision }.map(\.event)
  }
}

extension EventDomain {
  /// The domain of that name.
  init(name: String) {
    self = EventDomain.known.first { $0.rawValue == name } ?? .unknown(name)
  }
}
