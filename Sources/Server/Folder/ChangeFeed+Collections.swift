import DomainKit

/// The changes of a page, and the events that tell of them, by collection.
extension ChangeFeed {
  /// The domain of a collection, also of one that a later version declares; nil for the service's own collections.
  static func domain(of collection: CollectionName) -> EventDomain? {
    if let declared = Collections.declaration(of: collection) { return declared.domain }
    return SessionConstants.ownCollections.contains(collection) ? nil : .unknown(collection.rawValue)
  }

  /// A page of changes as clients see them.
  static func changes(_ page: ChangePage) -> [RecordChange] {
    page.records.compactMap { record in
      domain(of: record.collection).map { RecordChange(record, in: $0) }
    }
  }

  /// The events for some changes, one per collection, with the latest revision of its changes, in ascending order of
  /// it.
  static func events(for changes: [RecordChange], origin: Origin, _ changedMembers: () -> [String]) -> [Event] {
    guard let first = changes.first else { return [] }
    // Avoids a copy of a large change, which mostly is of one domain.
    if changes.allSatisfy({ $0.domain == first.domain }) {
      guard let declared = Collections.declaration(of: first.domain) else { return [] }
      return event(declared, for: changes, origin, changedMembers).map { [$0.event] } ?? []
    }
    let groups = Dictionary(grouping: changes, by: \.domain)
    let events = Collections.all.compactMap { declared in
      groups[declared.domain].flatMap { event(declared, for: $0, origin, changedMembers) }
    }
    return events.sorted { $0.revision < $1.revision }.map(\.event)
  }

  /// The event of a collection for its changes, of which there is at least one, with their latest revision; nil when it
  /// has none, or the code that makes the change sends it.
  private static func event(
    _ declared: CollectionDeclaration, for changes: [RecordChange], _ origin: Origin, _ changedMembers: () -> [String]
  ) -> (revision: Int, event: Event)? {
    guard let method = declared.event, let latest = changes.max(by: { $0.revision < $1.revision }) else { return nil }
    let content: EventParams.Content
    switch declared.content {
    case .changes: content = .changes(changes)
    case .kind: content = .kind(latest.kind)
    case .members: content = .members(changedMembers())
    case .other: return nil
    }
    return (
      latest.revision, Event(method, EventParams(revision: latest.revision, origin: origin, content: content))
    )
  }
}

extension DataChange {
  init(_ changes: [RecordChange], revision: Int, origin: Origin) {
    let domains =
      if let first = changes.first, changes.allSatisfy({ $0.domain == first.domain }) { [first.domain] } else {
        Array(Set(changes.lazy.map(\.domain)))
      }
    self.init(domains.compactMap(Collections.declaration(of:)), revision: revision, origin: origin)
  }
}

/// The params of a collection's event.
private struct EventParams: JSONEncodable {
  enum Content {
    case changes([RecordChange])
    case kind(ChangeKind)
    case members([String])
  }

  let revision: Int
  let origin: Origin
  let content: Content

  func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revision")
    revision.encode(to: &writer)
    writer.name("origin")
    origin.encode(to: &writer)
    switch content {
    case .changes(let changes):
      writer.name("changes")
      writer.beginArray()
      for change in changes {
        writer.element()
        EntityChange(id: change.id, kind: change.kind, day: change.day, previousDay: change.previousDay)
          .encode(to: &writer)
      }
      writer.endArray()
    case .kind(let kind):
      writer.name("kind")
      kind.encode(to: &writer)
    case .members(let names):
      writer.name("changed")
      names.encode(to: &writer)
    }
    writer.endObject()
  }
}
