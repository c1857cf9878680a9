import JSON

/// Why a run of a case failed, and where.
package struct PlayFailure: Error, Sendable, Equatable {
  /// The line of the step; 0 outside of the case's own steps.
  package var line = 0
  /// What happened, the pointer of the first difference included.
  package var reason: String
  /// What the step expected, as it is written in the case.
  package var expected: String?
  /// The message that arrived, for people.
  package var found: String?
  /// The end of what the service complained.
  package var complaint = ""

  /// Whether the service could not even be started.
  package var isUnstartable = false

  /// What went wrong between the runner and the process.
  init(_ error: WireError, _ occasion: String = "") {
    reason = "\(occasion)\(error)"
    if case .unstartable = error { isUnstartable = true }
  }

  /// A failure, without its place.
  init(_ reason: String, found: JSONValue? = nil) {
    self.reason = reason
    self.found = found.map { PrettyText.full($0) }
  }
}
