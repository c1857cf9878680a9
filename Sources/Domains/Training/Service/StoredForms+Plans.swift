import DaybookProtocol
import DomainKit
import Training

// What the rules say of stored plans and what they are made of, wherever they come from.

extension LibraryMark: CheckedEntity {}
extension CustomExercise: RuledEntity {}
extension Equipment: RuledEntity {}
extension TrainingSettings: RuledEntity {}
extension Module: RuledEntity {}
extension Workout: RuledEntity {}
extension Program: RuledEntity {}
extension ScheduledWorkout: RuledEntity {}
