import DaybookProtocol
import DomainKit
import Training

// What the rules say of stored plans and what they are made of, wherever they come from.

extension CustomExercise: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension LibraryMark: CheckedEntity {}

extension Equipment: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension TrainingSettings: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension Module: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension Workout: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension Program: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}

extension ScheduledWorkout: CheckedEntity {
  package var problem: Refusal? { refusal?.inside("/body") }
}
