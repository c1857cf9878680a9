/// The key of an endpoint. Its text is for the endpoint alone: nothing describes it.
package struct EstimatorKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// What stands in the header.
  package let text: String
  /// The name of the secret that it is kept as.
  package static let secretName = "estimator.key"
  /// The variables it is looked for in, in order.
  package static let variables = ["DAYBOOK_ESTIMATOR_KEY", "OPENAI_API_KEY"]

  /// A key as somebody gave it, without the white space around it, of any length. Nil when there is nothing left.
  ///
  /// - Throws: When it could not stand in a header of HTTP as it is.
  package init?(_ given: String) throws(Unusable) {
    var scalars = Substring(given).unicodeScalars
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    guard !scalars.isEmpty else { return nil }
    guard scalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else { throw Unusable() }
    text = String(scalars)
  }

  /// The key has control characters, or others that no header can have.
  package struct Unusable: Error, Equatable {}

  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
