/// Builds text line by line, indented by two spaces a level.
struct TextBuilder {
  private(set) var text = ""
  private var level = 0

  /// Appends one line, or several separated by newlines.
  mutating func line(_ lines: String = "") {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty { text += String(repeating: "  ", count: level) + line }
      text += "\n"
    }
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
    let width = 118 - level * 2
    var current = "///"
    for word in text.split(separator: " ") {
      if current.count + 1 + word.count > width, current != "///" {
        line(current)
        current = "///"
      }
      current += " " + word
    }
    line(current)
  }
}
