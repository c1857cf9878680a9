/// What is wrong with something typed in a unit, though each part of it has its form.
package struct MeasureProblem: Error, Equatable, Sendable {
  /// The member at fault: `value`, `unit`, `inches` or `pounds`.
  package let member: String
  package let message: String
  /// What would have been accepted, in words.
  package let allowed: String

  init(_ member: String, _ message: String, allowed: String) {
    self.member = member
    self.message = message
    self.allowed = allowed
  }
}
