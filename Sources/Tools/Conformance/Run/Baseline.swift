/// What is known to fail: cases by name, and items that no case reaches.
package struct Baseline: Sendable, Equatable {
  /// Names of cases.
  package var cases: Set<String> = []
  /// Items that need not be covered.
  package var items: Set<CoverageItem> = []

  /// Nothing is known to fail.
  package init() {}

  /// Reads `baseline.txt`, one entry a line: the name of a case, or `coverage: KIND NAME`. `#` begins a comment.
  package init(file: String) throws(CaseError) {
    let text = String(decoding: Files.read(file) ?? [], as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let entry = Words.trimmed(line.prefix { $0 != "#" })
      if entry.isEmpty { continue }
      guard entry.hasPrefix("coverage:") else {
        cases.insert(entry)
        continue
      }
      let words = Words.split(entry)
      guard words.count == 3, let kind = CoverageItem.Kind(rawValue: words[1]) else {
        throw CaseError(file, index + 1, "expected coverage: KIND NAME")
      }
      items.insert(CoverageItem(kind: kind, name: words[2]))
    }
  }
}
