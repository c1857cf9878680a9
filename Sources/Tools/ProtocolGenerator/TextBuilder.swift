/// Builds text line by line, indented by two spaces a level.
struct TextBuilder {
  /// The length of a line, as in `.swift-format`.
  private static let lineLength = 120

  private(set) var text = ""
  private var level = 0

  /// Appends one line, or several separated by newlines.
  mutating func line(_ lines: String = "") {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty { text += String(repeating: "  ", count: level) + line }
      text += "\n"
    }
  }

  /// Whether text fits on a line of this level.
  func fits(_ line: String) -> Bool { level * 2 + line.count <= Self.lineLength }

  /// Appends pieces of text, as many to a line as fit. `separator` stands between two on a line; a line begins with
  /// `prefix`, and ends with `lineEnd` unless it is the last.
  mutating func fill(_ pieces: [String], separator: String, prefix: String = "", lineEnd: String = "") {
    var current = ""
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      if !current.isEmpty, !fits(current + separator + piece + (isLast ? "" : lineEnd)) {
        line(current + lineEnd)
        current = ""
      }
      current += (current.isEmpty ? prefix : separator) + piece
    }
    if !current.isEmpty { line(current) }
  }

  /// Appends a function whose signature ends with a list: on one line if it fits, with the signature on one line if that
  /// fits, else with the list on lines of its own.
  mutating func function(_ opening: String, list: [String], closing: String, statements: [String]) {
    let head = opening + list.joined(separator: ", ") + closing
    if fits(head) { return block(head, statements: statements) }
    line(opening)
    level += 1
    fill(list, separator: ", ", lineEnd: ",")
    level -= 1
    block(closing) { $0.fill(statements, separator: "; ") }
  }

  /// Appends a block of statements: on one line if it fits, else with as many of them to a line as fit.
  mutating func block(_ opening: String, statements: [String]) {
    let whole = "\(opening) \(statements.joined(separator: "; ")) }"
    if fits(whole) { line(whole) } else { block(opening) { $0.fill(statements, separator: "; ") } }
  }

  /// Appends an opening line, an indented body and a closing line.
  mutating func block(_ opening: String, closing: String = "}", _ body: (inout TextBuilder) -> Void) {
    line(opening)
    level += 1
    body(&self)
    level -= 1
    line(closing)
  }

  /// Appends a block whose body is a switch; `cases` appends its cases.
  mutating func switchBlock(
    _ opening: String, over subject: String = "self", default fallback: String? = nil,
    _ cases: (inout TextBuilder) -> Void
  ) {
    block(opening) { text in
      text.line("switch \(subject) {")
      cases(&text)
      if let fallback { text.line("default: \(fallback)") }
      text.line("}")
    }
  }

  /// Appends a wrapped documentation comment.
  mutating func doc(_ text: String) {
    fill(text.split(separator: " ").map(String.init), separator: " ", prefix: "/// ")
  }
}
