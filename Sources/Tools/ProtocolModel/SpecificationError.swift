/// A mistake in the protocol's source files.
package struct SpecificationError: Error, CustomStringConvertible, Sendable {
  /// The file and the JSON Pointer within it.
  package let place: String
  package let message: String

  package init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}
