/// The key of an endpoint. No description reveals its text.
package struct EstimatorKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  package let text: String
  /// The name of the stored secret.
  package static let secretName = "estimator.key"
  /// The environment variables that may contain it, in order.
  package static let variables = ["DAYBOOK_ESTIMATOR_KEY", "OPENAI_API_KEY"]

  /// A trimmed key; nil when nothing is left.
  ///
  /// - Throws: When it has characters that an HTTP header cannot have.
  package init?(_ given: String) throws(Unusable) {
    let scalars = given.trimmedScalars
    guard !scalars.isEmpty else { return nil }
    guard scalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else { throw Unusable() }
    text = String(scalars)
  }

  /// The key has characters that an HTTP header cannot have.
  package struct Unusable: Error, Equatable {}

  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// The text without surrounding white space.
  var trimmedScalars: Substring.UnicodeScalarView {
    var scalars = Substring(self).unicodeScalars
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars
  }
}
