import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Values

// What the rules say of stored entities, wherever they come from.

extension RunningSession: CheckedEntity {}

extension RunningExercise: CheckedEntity {}

extension RunningModules: CollectionEntity, CheckedEntity {
  /// One that the service has for itself: clients see the modules in the session.
  package static var collection: CollectionName { CollectionName("running-modules") }
  package static var noun: String { "running session" }
  package var recordDay: CivilDay? { nil }
}
