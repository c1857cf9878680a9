import Values

/// What a page is printed on: how wide it is, and what it can show.
package struct Surface: Equatable, Sendable {
  /// Whether colours are wanted: `--color`.
  package enum Colours: String, CaseIterable, Sendable { case auto, always, never }

  /// The columns, 20 to 400; nil in a pipe, where nothing is cut.
  package var width: Int?
  package var hasColours = false
  /// Whether only the bytes 32 to 126 are printed.
  package var isASCII = false

  package init(width: Int? = nil, hasColours: Bool = false, isASCII: Bool = false) {
    (self.width, self.hasColours, self.isASCII) = (width, hasColours, isASCII)
  }

  /// The surface that standard output is.
  ///
  /// - Parameters:
  ///   - width: `--width`.
  ///   - terminal: Whether it is a terminal, and its columns as far as they are known.
  ///   - environment: The value of a variable; nil when it is not set or empty.
  package init(
    width: Int?, colours: Colours, isASCII: Bool, terminal: (isTerminal: Bool, columns: Int?),
    environment: (String) -> String?
  ) {
    let columns = terminal.columns ?? environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    self.width = (width ?? (terminal.isTerminal ? columns : nil)).map { min(max($0, 20), 400) }
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? ""
    let code = locale.lowercased().filter { $0 != "-" }
    self.isASCII = isASCII || !code.contains(text: "utf8")
    switch colours {
    case .always: hasColours = true
    case .never: hasColours = false
    case .auto:
      if environment("NO_COLOR") != nil {
        hasColours = false
      } else if let forced = environment("CLICOLOR_FORCE"), forced != "0" {
        hasColours = true
      } else {
        hasColours = terminal.isTerminal && ![nil, "dumb"].contains(environment("TERM"))
      }
    }
  }

  /// The mark of a cut text.
  package var cutMark: String { isASCII ? "..." : "…" }

  /// The mark of a state, which does not need a colour to be understood.
  package func mark(of state: String?) -> Cell {
    switch state {
    case "done": Cell(isASCII ? "x" : "✓", .green)
    case "due": Cell(isASCII ? "o" : "○", .yellow)
    case "running": Cell(isASCII ? ">" : "▶", .cyan)
    case "skipped": Cell(isASCII ? "-" : "–", .dim)
    case "missed": Cell(isASCII ? "!" : "✗", .red)
    default: Cell(isASCII ? "." : "·", .dim)
    }
  }

  /// A text as it can be shown: control characters, bidirectional controls and, in ASCII, all other characters as
  /// `\u{1B}`, so that no stored text moves the cursor or reorders a line. Our own quotation marks have ASCII forms.
  package func shown(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isASCII, scalar == "“" || scalar == "”" {
        shown.append("\"")
      } else if Surface.isHostile(scalar) || isASCII && scalar.value > 0x7E {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Whether a scalar acts on the terminal or on the order of characters instead of being one.
  private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
    default: false
    }
  }

  /// A text with its colour, if there are colours; the text is shown already.
  package func painted(_ text: String, _ paint: Paint?) -> String {
    guard hasColours, let paint, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  /// A name as one line, cut to the width.
  package func line(_ name: String, _ paint: Paint? = nil) -> String {
    let shown = shown(name)
    return painted(width.map { Cells.cut(shown, to: $0, mark: cutMark) } ?? shown, paint)
  }

  /// A sentence in lines of the width, of which no word is cut.
  package func lines(_ sentence: String, _ paint: Paint? = nil) -> [String] {
    let shown = shown(sentence)
    guard let width, Cells.width(of: shown) > width else { return [painted(shown, paint)] }
    return Cells.wrap(shown, to: width).map { painted($0, paint) }
  }
}

/// How a text is emphasized (Select Graphic Rendition, ECMA-48).
package enum Paint: Int, Sendable {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}
