/// Builds text line by line, indented by two spaces a level.
struct TextBuilder {
  private(set) var text = ""
  private var level = 0

  /// One line, or several separated by newlines.
  mutating func line(_ lines: String = "") {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty { text += String(repeating: "  ", count: level) + line }
      text += "\n"
    }
  }

  /// A line that opens a block, its contents one level deeper, and the line that closes it.
  mutating func block(_ opening: String, closing: String = "}", _ body: (inout TextBuilder) -> Void) {
    line(opening)
    level += 1
    body(&self)
    level -= 1
    line(closing)
  }

  /// A documentation comment, wrapped.
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
