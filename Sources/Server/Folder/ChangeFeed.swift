import DomainKit
import SyncEngine

/// The one path from committed changes to events: for our own, for those of other processes and, by their origin, for
/// any others. A change is told by the event of each changed collection, and by what domains declare to follow from it.
struct ChangeFeed {
  private let folder: DataFolder
  private let services: Services

  init(_ folder: DataFolder, _ services: Services) {
    self.folder = folder
    self.services = services
  }

  /// The events of some changes.
  struct Events {
    /// Those of the changed collections, in ascending order of revision.
    let own: [Event]
    /// What follows for the domains.
    let consequences: Consequences

    var all: [Event] { own + consequences.events }
  }

  /// The events of the changes after a revision.
  ///
  /// - Parameters:
  ///   - origin: Who made the changes; nil when the folder knows it.
  ///   - wanted: The domains whose events are wanted; nil for all. A consequence is told without the change that causes
  ///     it.
  ///   - changedMembers: The members of the settings that changed, asked only if the settings did.
  /// - Throws: `revisionTooOld`, or the error of a store that cannot be read.
  func events(
    since revision: Int, origin: Origin? = nil, of wanted: Set<EventDomain>? = nil,
    changedMembers: () -> [String] = { Settings.memberNames }
  ) throws(RPCError) -> Events {
    // The collections that no client sees are left out there.
    let page = try page { store throws(StoreError) in try store.changes(since: revision) }
    let changes = ChangeFeed.changes(page)
    let told = wanted.map { wanted in changes.filter { wanted.contains($0.domain) } } ?? changes
    let made = Events(
      own: ChangeFeed.events(for: told, origin: origin ?? self.origin(of: told), changedMembers),
      consequences: consequences(
        of: DataChange(changes, revision: page.revision, origin: origin ?? self.origin(of: changes))))
    guard let wanted else { return made }
    var consequences = made.consequences
    consequences.events.removeAll { event in
      Collections.domain(ofEvent: event.method).map { !wanted.contains($0) } ?? false
    }
    return Events(own: made.own, consequences: consequences)
  }

  /// The events of a change whose own ones are made.
  func events(of prepared: PreparedEvents) -> Events {
    Events(own: prepared.events, consequences: consequences(of: prepared.change))
  }

  /// A page of the changes after a revision, as clients see them.
  func changes(
    since revision: Int, limit: Int = .max
  ) throws(RPCError) -> (changes: [RecordChange], revision: Int, isComplete: Bool) {
    let page = try page { store throws(StoreError) in
      try store.changes(since: revision, limit: limit, leavingOut: SessionConstants.ownCollections)
    }
    return (ChangeFeed.changes(page), page.revision, page.isComplete)
  }

  private func page(_ read: (FileStore) throws(StoreError) -> ChangePage) throws(RPCError) -> ChangePage {
    let store = try folder.openStore()
    do throws(StoreError) { return try read(store) } catch { throw RPCError(error) }
  }

  /// Who made some changes. They are told as this connection's, or another device's, only if all are.
  private func origin(of changes: [RecordChange]) -> Origin {
    if changes.allSatisfy({ folder.ownRevisions.contains($0.revision) }) { return .thisFrontend }
    guard let first = changes.map(\.revision).min(), let store = folder.store else { return .otherProcess }
    // What a pass applies also changes the state of sync.
    let synced = store.revisions(since: first - 1, of: DeviceState.collection)
    return changes.allSatisfy { synced.contains($0.revision) } ? .sync : .otherProcess
  }

  private func consequences(of change: DataChange) -> Consequences {
    var all = Consequences(affectsReminders: change.collections.contains(where: \.affectsReminders))
    guard !change.collections.isEmpty else { return all }
    for service in services.all { all += service.consequences(of: change, in: folder) }
    return all
  }
}

/// The events of a change's collections, made in advance, and the change. Independent of the session.
struct PreparedEvents: Sendable {
  fileprivate let change: DataChange
  fileprivate let events: [Event]

  /// The events of a change that this frontend is about to make.
  init(_ page: ChangePage) {
    let changes = ChangeFeed.changes(page)
    change = DataChange(changes, revision: page.revision, origin: .thisFrontend)
    events = ChangeFeed.events(for: changes, origin: .thisFrontend) { Settings.memberNames }
  }
}
