import DaybookProtocol
import DomainKit
import Values

extension WorkoutSession: CheckedEntity {}

extension FormerSession: CheckedEntity {}

extension ProgressionState: CheckedEntity {}
