/// The rules for documents that people read first, as functions from text to offences.
enum DocumentRule {
  /// The lengths that documents may have.
  static let limits: [String: (lines: Int, words: Int)] = [
    "README.md": (120, 900), "Sources/README.md": (150, .max), "Sources/Storage/FileStore/FORMAT.md": (250, .max),
  ]

  /// No document exceeds its length.
  static func notTooLong(_ file: SourceText) -> [Offence] {
    guard let limit = limits[file.path] else { return [] }
    let words = file.lines.reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count }
    var offences: [Offence] = []
    if file.lines.count > limit.lines {
      offences.append(offence(file, nil, "\(file.lines.count) lines, more than \(limit.lines)"))
    }
    if words > limit.words { offences.append(offence(file, nil, "\(words) words, more than \(limit.words)")) }
    return offences
  }

  /// Every relative link leads to a file or folder, and to a heading in it if it names one.
  ///
  /// - Parameter headings: The anchors of a file's headings, none for a folder; nil when there is nothing at the path.
  static func noDeadLinks(_ file: SourceText, _ headings: (_ path: String) -> Set<String>?) -> [Offence] {
    file.lines.enumerated().flatMap { index, line in
      line.matches(of: /\]\(([^)\s]+)\)/).compactMap { match -> Offence? in
        guard !match.1.contains("://") else { return nil }
        let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? file.path : resolved(parts[0], in: file)
        guard let found = headings(target) else { return offence(file, index, "links to \(match.1), which is missing") }
        guard parts.count > 1, !found.contains(parts[1]) else { return nil }
        return offence(file, index, "links to \(match.1), a heading that is missing")
      }
    }
  }

  /// Every path in code style exists, relative to the document or to the repository.
  ///
  /// A word is taken for a path if it ends like a source file, or if it has a slash and begins with an entry of either
  /// folder, so methods and names in a data folder are not. One with a placeholder is not checked.
  static func noDeadPaths(_ file: SourceText, _ exists: (_ path: String) -> Bool) -> [Offence] {
    var isInBlock = false
    var offences: [Offence] = []
    for (index, line) in file.lines.enumerated() {
      if line.hasPrefix("```") { isInBlock.toggle() }
      guard !isInBlock else { continue }
      for span in line.matches(of: /`([^`]+)`/) {
        for word in span.1.split(separator: " ").map(String.init) where isPath(word, file, exists) {
          if exists(resolved(word, in: file)) || exists(word) { continue }
          offences.append(offence(file, index, "names \(word), which is missing"))
        }
      }
    }
    return offences
  }

  private static func isPath(_ word: String, _ file: SourceText, _ exists: (String) -> Bool) -> Bool {
    guard !word.contains(/[*…{<=]|NAME/), !word.hasPrefix(".build/") else { return false }
    if [".swift", ".py", ".sh", ".md"].contains(where: word.hasSuffix) { return true }
    guard let slash = word.firstIndex(of: "/"), slash != word.startIndex else { return false }
    let first = String(word[..<slash])
    return first == ".." || exists(resolved(first, in: file)) || exists(first)
  }

  /// A path relative to a document's folder as one relative to the repository.
  private static func resolved(_ path: String, in file: SourceText) -> String {
    var parts = file.parts.dropLast().map(String.init)
    for part in path.split(separator: "/") {
      if part == "..", !parts.isEmpty { parts.removeLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }

  /// The anchors of a document's headings.
  static func anchors(_ file: SourceText) -> Set<String> {
    Set(
      file.lines.filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return String(
          title.map { $0 == " " ? "-" : $0 }.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
      })
  }

  private static func offence(_ file: SourceText, _ index: Int?, _ reason: String) -> Offence {
    Offence(path: file.path, line: index.map { $0 + 1 }, reason: reason)
  }
}
