/// What a line of the log says: a text in which every value that might be the user's is marked, and hidden unless asked for.
///
/// Numbers, truth values and the cases of closed sets can be put in as they are. Of every other value it has to be said
/// whether it is `public:` (made by the program: a method's name, a path, an error), `private:` (the user's: a name, a
/// note, params), or `unquoted:` (made by the program around quotations that may be the user's).
package struct LogMessage: ExpressibleByStringInterpolation, Sendable, Equatable {
  /// What stands in the place of what is hidden.
  package static let hidden = "…"

  private var parts: [Part]

  fileprivate struct Part: Sendable, Equatable {
    var text: String
    var isPrivate: Bool
  }

  package init(stringLiteral text: String) { parts = [Part(text: text, isPrivate: false)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The text; what is the user's is in it only when `revealing`.
  package func text(revealing: Bool) -> String {
    var text = ""
    for part in parts { text += part.isPrivate && !revealing ? LogMessage.hidden : part.text }
    return text
  }

  /// Collects the parts of a message.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    package mutating func appendLiteral(_ literal: String) { add(literal) }

    /// A number.
    package mutating func appendInterpolation(_ number: some BinaryInteger) { add("\(number)") }

    /// `true` or `false`.
    package mutating func appendInterpolation(_ flag: Bool) { add("\(flag)") }

    /// A case of a closed set, whose name the program has made.
    package mutating func appendInterpolation(_ value: some RawRepresentable<String>) { add(value.rawValue) }

    /// A value that holds nothing of the user's.
    package mutating func appendInterpolation(public value: some CustomStringConvertible) { add(value.description) }

    /// A value that may be the user's.
    package mutating func appendInterpolation(private value: some CustomStringConvertible) {
      parts.append(Part(text: value.description, isPrivate: true))
    }

    /// A text of the program's whose quotations may be the user's: hidden is what stands between its first opening mark and
    /// its last closing one, or all that follows an opening mark that is never closed.
    package mutating func appendInterpolation(unquoted text: String) {
      guard let start = text.firstIndex(of: "“") else { return add(text) }
      let inside = text.index(after: start)
      let end = text[inside...].lastIndex(of: "”") ?? text.endIndex
      add(String(text[..<inside]))
      parts.append(Part(text: String(text[inside..<end]), isPrivate: true))
      add(String(text[end...]))
    }

    /// Any other value: whose it is has to be said.
    @available(*, unavailable, message: "say whose it is: \\(public: value), \\(private: value) or \\(unquoted: text)")
    package mutating func appendInterpolation<Value>(_ value: Value) {}

    private mutating func add(_ text: String) {
      if !text.isEmpty { parts.append(Part(text: text, isPrivate: false)) }
    }
  }
}
