import DaybookProtocol
import DomainKit
import Values

// What the rules say of stored entities, wherever they come from.

extension CustomExercise: CheckedEntity {}

extension LibraryMark: CheckedEntity {}

extension Equipment: CheckedEntity {}

extension TrainingSettings: CheckedEntity {}

extension Module: CheckedEntity {}

extension Workout: CheckedEntity {}

extension Program: CheckedEntity {}

extension ScheduledWorkout: CheckedEntity {}

extension RunningSession: CheckedEntity {}

extension RunningExercise: CheckedEntity {}
