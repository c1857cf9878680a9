/// A violated rule.
package struct Violation: Error, Sendable, CustomStringConvertible {
  /// Which of I1–I10 is violated, or another rule in words.
  package var invariant: String
  package var text: String
  /// Where in the run it was seen.
  package var place = ""

  package init(_ invariant: String, _ text: String) {
    self.invariant = invariant
    self.text = text
  }

  package var description: String { "\(invariant): \(text)" + (place.isEmpty ? "" : " — " + place) }

  /// The violation with the place where it was seen.
  package func at(_ place: String) -> Violation {
    var violation = self
    violation.place = violation.place.isEmpty ? place : violation.place + ", " + place
    return violation
  }
}
