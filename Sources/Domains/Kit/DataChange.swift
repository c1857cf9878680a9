import CollectionTables
import DaybookProtocol
import FileStore

/// A change of the store as the domains see it, by this process or another.
package struct DataChange: Sendable {
  /// The declared collections with changed records, each once.
  package let collections: [CollectionDeclaration]
  /// The store's revision after it.
  package let revision: Int
  package let origin: Origin

  package init(_ collections: [CollectionDeclaration], revision: Int, origin: Origin) {
    self.collections = collections
    self.revision = revision
    self.origin = origin
  }

  /// Whether records of a collection changed.
  package func touches(_ collection: CollectionName) -> Bool { collections.contains { $0.name == collection.rawValue } }

  /// Whether day measures may have other values now.
  package var affectsMeasures: Bool { collections.contains { !$0.measures.isEmpty } }

  /// The day measures that may have other values now.
  package var measures: Set<DayMeasureName> { Set(collections.lazy.flatMap(\.measures)) }
}

/// What a change means to a domain beyond the events of the changed collections.
package struct Consequences: Sendable {
  package var events: [Event]
  /// Whether reminders may have changed.
  package var affectsReminders: Bool

  package init(events: [Event] = [], affectsReminders: Bool = false) {
    self.events = events
    self.affectsReminders = affectsReminders
  }

  package static func += (all: inout Consequences, others: Consequences) {
    all.events += others.events
    all.affectsReminders = all.affectsReminders || others.affectsReminders
  }
}
