/// A text file with its path relative to the repository.
struct SourceText: Sendable {
  /// Such as `Sources/JSON/JSONReader.swift`.
  let path: String
  /// The original lines.
  let lines: [String]
  /// The lines without comments. Strings stay, because they may contain interpolated code.
  let code: [String]
  /// The same text in bytes.
  private let bytes: [UInt8]

  init(path: String, text: String) {
    self.path = path
    lines = SourceText.lines(text)
    let kept = SourceText.withoutComments(text)
    code = SourceText.lines(kept)
    bytes = Array(kept.utf8)
  }

  /// Whether the code contains one of some words: a quick search before the lines are matched, which takes long.
  func mentions(_ words: String...) -> Bool {
    words.contains { word in
      let word = Array(word.utf8)
      guard let first = word.first, bytes.count >= word.count else { return false }
      return (0...bytes.count - word.count).contains { at in
        bytes[at] == first && bytes[at..<at + word.count].elementsEqual(word)
      }
    }
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

  /// The text without comments, but with all newlines; handles single- and multi-line strings and nested comments.
  private static func withoutComments(_ text: String) -> String {
    // Works on bytes: all delimiters are ASCII, and some generated files are long.
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var depth = 0
    // The number of quotation marks that end the current string; 0 outside strings.
    var quote = 0
    var at = 0
    func begins(_ mark: StaticString) -> Bool {
      mark.withUTF8Buffer { bytes.count - at >= $0.count && bytes[at..<at + $0.count].elementsEqual($0) }
    }
    func keep(_ count: Int) {
      kept += bytes[at..<min(at + count, bytes.count)]
      at += count
    }
    while at < bytes.count {
      let next = bytes[at]
      if depth > 0 {
        if begins("*/") || begins("/*") {
          depth += begins("/*") ? 1 : -1
          at += 2
        } else if next == UInt8(ascii: "\n") {
          keep(1)
        } else {
          at += 1
        }
      } else if quote > 0 {
        if next == UInt8(ascii: "\\") {
          keep(2)
        } else if quote == 1 ? begins("\"") || begins("\n") : begins("\"\"\"") {
          keep(quote)
          quote = 0
        } else {
          keep(1)
        }
      } else if begins("//") {
        at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if begins("/*") {
        depth = 1
        at += 2
      } else if next == UInt8(ascii: "\"") {
        quote = begins("\"\"\"") ? 3 : 1
        keep(quote)
      } else {
        keep(1)
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// A violation of a house rule.
struct Offence: Hashable, Sendable, CustomStringConvertible {
  /// The file, or the top-level entry.
  let path: String
  /// The line, from 1; nil for the whole file.
  let line: Int?
  /// The violation.
  let reason: String

  /// `path:line: reason`, which editors and terminals link.
  var description: String {
    line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
  }
}
