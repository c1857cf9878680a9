import DaybookProtocol
import Values

/// Where exercises come from.
package enum ExerciseRules {
  /// The identity of an exercise that another source logs: the training session's, so that one session is one exercise, no matter who
  /// logs it and how it comes here. Nil for one that was typed.
  package static func identity(_ source: ExerciseSource) -> EntityID? { source.kind == .training ? source.id : nil }

  /// What is wrong with a source; nil when nothing is.
  package static func problem(_ source: ExerciseSource) -> Refusal? {
    switch source.kind {
    case .training where source.id == nil:
      Refusal("/id", "a training session has an id", allowed: "the id of the session")
    case .manual where source.id != nil:
      Refusal("/id", "what was typed has no source with an id", allowed: "nothing, or the kind “training”")
    case .manual, .training, .unknown: nil
    }
  }
}
