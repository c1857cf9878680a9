import DaybookProtocol
import DomainKit
import Values

// What the rules say of stored entities, wherever they come from.

extension RunningSession: CheckedEntity {}

extension RunningExercise: CheckedEntity {}
