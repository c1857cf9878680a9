import DaybookProtocol
import DomainKit
import Values

// What the rules say of stored entities, wherever they come from.

extension ProgressionState: CheckedEntity {}

extension RunningSession: CheckedEntity {}

extension RunningExercise: CheckedEntity {}

extension WorkoutSession: CheckedEntity {}

extension FormerSession: CheckedEntity {}
