import TerminalPages

/// A page of help: paragraphs and lists of two columns, wrapped to a width.
struct HelpPage {
  private(set) var text = ""
  private let width: Int
  /// The widest first column that its explanation stands beside.
  private static let longestTerm = 22

  init(width: Int) { self.width = width }

  /// Adds a paragraph after an empty line; one that begins with two spaces as it is.
  mutating func paragraph(_ paragraph: String) {
    if !text.isEmpty { text += "\n" }
    text += paragraph.hasPrefix("  ") ? paragraph + "\n" : wrapped(paragraph, indent: 0)
  }

  /// Begins a section.
  mutating func section(_ title: String) { text += "\n\(title)\n" }

  /// Adds lines, indented; none is broken.
  mutating func lines(_ lines: [String]) {
    for line in lines { text += wrapped(line, indent: 2, hanging: 6) }
  }

  /// Adds a section with terms and their explanations, unless there are none.
  mutating func section(_ title: String, _ rows: [(term: String, meaning: String)]) {
    guard !rows.isEmpty else { return }
    section(title)
    self.rows(rows)
  }

  /// Adds terms and their explanations.
  mutating func rows(_ rows: [(term: String, meaning: String)]) {
    let column = min(Self.longestTerm + 4, (rows.map(\.term.count).max() ?? 0) + 4, width / 2)
    for row in rows {
      let fits = row.term.count + 4 <= column
      let meaning = wrapped(row.meaning, indent: column)
      if fits {
        text +=
          "  " + row.term + String(repeating: " ", count: column - 2 - row.term.count) + meaning.drop { $0 == " " }
      } else {
        text += wrapped(row.term, indent: 2, hanging: 6) + meaning
      }
    }
  }

  /// Adds a command for a shell, broken between its words, and behind a comma of JSON that is wider than a line.
  mutating func command(_ words: [String]) {
    var line = " "
    for word in words {
      if line.count > 6, line.count + 1 + word.count > width - 2 {
        text += line + " \\\n"
        line = "     "
      }
      line += " "
      for part in word.split(separator: ",", omittingEmptySubsequences: false) {
        if line.hasSuffix(","), line.count + part.count > width - 2 {
          text += line + "\n"
          line = "      "
        }
        line += part + ","
      }
      line.removeLast()
    }
    text += line + "\n"
  }

  /// The text in lines of the page's width, indented by `indent`, and from the second line on by `hanging`.
  private func wrapped(_ text: String, indent: Int, hanging: Int? = nil) -> String {
    Cells.wrap(text, to: width, indent: indent, hanging: hanging ?? indent).map { $0 + "\n" }.joined()
  }
}
