/// The text of a log line, in which every value that may be user data is marked, and hidden by default.
///
/// Numbers, truth values and cases of closed sets can be interpolated directly. Every other value is labelled:
/// `public:` (made by the program: a method's name, a path, an error), `private:` (user data: a name, a note, params),
/// or `unquoted:` (a text of the program with quotations that may be user data).
package struct LogMessage: ExpressibleByStringInterpolation, Sendable, Equatable {
  /// The replacement for hidden text.
  package static let hidden = "…"

  private var parts: [Part]

  fileprivate struct Part: Sendable, Equatable {
    var text: String
    var isPrivate: Bool
  }

  package init(stringLiteral text: String) { parts = [Part(text: text, isPrivate: false)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The text; includes user data only when `revealing`.
  package func text(revealing: Bool) -> String {
    var text = ""
    for part in parts { text += part.isPrivate && !revealing ? LogMessage.hidden : part.text }
    return text
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    package mutating func appendLiteral(_ literal: String) { add(literal) }

    package mutating func appendInterpolation(_ number: some BinaryInteger) { add("\(number)") }

    package mutating func appendInterpolation(_ flag: Bool) { add("\(flag)") }

    /// A case of a closed set, named by the program.
    package mutating func appendInterpolation(_ value: some RawRepresentable<String>) { add(value.rawValue) }

    /// A value without user data.
    package mutating func appendInterpolation(public value: some CustomStringConvertible) { add(value.description) }

    /// A value that may be user data.
    package mutating func appendInterpolation(private value: some CustomStringConvertible) {
      parts.append(Part(text: value.description, isPrivate: true))
    }

    /// A text of the program with quotations that may be user data: hides everything between the first opening and the
    /// last closing quotation mark, or after an opening mark that is never closed.
    package mutating func appendInterpolation(unquoted text: String) {
      guard let start = text.firstIndex(of: "“") else { return add(text) }
      let inside = text.index(after: start)
      let end = text[inside...].lastIndex(of: "”") ?? text.endIndex
      add(String(text[..<inside]))
      parts.append(Part(text: String(text[inside..<end]), isPrivate: true))
      add(String(text[end...]))
    }

    /// Any other value has to be labelled.
    @available(*, unavailable, message: "say whose it is: \\(public: value), \\(private: value) or \\(unquoted: text)")
    package mutating func appendInterpolation<Value>(_ value: Value) {}

    private mutating func add(_ text: String) {
      if !text.isEmpty { parts.append(Part(text: text, isPrivate: false)) }
    }
  }
}
