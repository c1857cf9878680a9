/// A text file with its path from the root of the repository.
struct SourceText: Sendable {
  /// Such as `Sources/JSON/JSONReader.swift`.
  let path: String
  /// The lines as they are.
  let lines: [String]
  /// The lines without comments; strings stay, for code may be interpolated in them.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = SourceText.lines(text)
    code = SourceText.lines(SourceText.withoutComments(text))
  }

  /// The folders and the file's name.
  var parts: [Substring] { path.split(separator: "/") }

  /// The file's name.
  var name: String { parts.last.map(String.init) ?? "" }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The text with each comment gone and each newline kept. Knows strings of one and of several lines, and nested comments.
  private static func withoutComments(_ text: String) -> String {
    var kept = ""
    var depth = 0
    var quote: String?
    var rest = Substring(text)
    func take(_ count: Int) -> Substring {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    while let next = rest.first {
      if depth > 0 {
        if rest.hasPrefix("*/") {
          depth -= 1
          _ = take(2)
        } else if rest.hasPrefix("/*") {
          depth += 1
          _ = take(2)
        } else {
          _ = take(1)
          if next == "\n" { kept.append(next) }
        }
      } else if let open = quote {
        if next == "\\" {
          kept += take(2)
        } else if rest.hasPrefix(open) || (next == "\n" && open == "\"") {
          kept += take(next == "\n" ? 1 : open.count)
          quote = nil
        } else {
          kept += take(1)
        }
      } else if rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
      } else if rest.hasPrefix("/*") {
        depth = 1
        _ = take(2)
      } else if rest.hasPrefix("\"\"\"") {
        quote = "\"\"\""
        kept += take(3)
      } else {
        if next == "\"" { quote = "\"" }
        kept += take(1)
      }
    }
    return kept
  }
}

/// A place where a rule of the house is broken.
struct Offence: Hashable, Sendable, CustomStringConvertible {
  /// The file, or the top-level entry.
  let path: String
  /// The line, from 1; nil when it is about the whole.
  let line: Int?
  /// What is wrong with it.
  let reason: String

  /// `path:line: reason`, which editors and terminals make a link of.
  var description: String {
    line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
  }
}
