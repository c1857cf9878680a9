import Testing

/// Checks the documents of the repository, and each rule with a sample that breaks it.
struct DocumentTests {
  @Test("The documents that people read first are found, and none is too long")
  func lengths() throws {
    let documents = try Repository.documents()
    #expect(Set(DocumentRule.limits.keys).isSubset(of: documents.map(\.path)))
    expectNone(documents.flatMap(DocumentRule.notTooLong))
  }

  @Test("Every link of a document leads somewhere")
  func links() throws {
    expectNone(try Repository.documents().flatMap { DocumentRule.noDeadLinks($0, Repository.headings) })
  }

  @Test("Every path that a document names exists")
  func paths() throws {
    // Those of the tests name sessions like paths.
    let documents = try Repository.documents().filter { !$0.path.hasPrefix("Tests/") }
    expectNone(documents.flatMap { DocumentRule.noDeadPaths($0, Repository.exists) })
  }

  private func expectNone(_ offences: [Offence]) {
    #expect(offences.isEmpty, "\(offences.map { "\n\($0)" }.joined())")
  }

  // MARK: samples

  @Test("A document with a line or a word too many is found")
  func sampleLengths() {
    func reasons(_ text: String, _ path: String) -> [String] {
      DocumentRule.notTooLong(SourceText(path: path, text: text)).map(\.reason)
    }
    let lines = String(repeating: "a\n", count: 120)
    #expect(reasons(lines, "README.md") == [])
    #expect(reasons(lines + "a\n", "README.md") == ["121 lines, more than 120"])
    #expect(reasons(String(repeating: "a  b ", count: 450), "README.md") == [])
    #expect(reasons(String(repeating: "a ", count: 901), "README.md") == ["901 words, more than 900"])
    #expect(reasons(lines + lines, "Sources/Storage/FileStore/FORMAT.md") == [])
    #expect(reasons(lines + lines, "Sources/README.md") == ["240 lines, more than 150"])
    #expect(reasons(lines + lines, "Other.md") == [])
  }

  @Test(
    "A link that leads nowhere is found",
    arguments: [
      ("[a](b.md)", 0), ("[a](../A/b.md#one-two)", 0), ("[a](#here)", 0), ("[a](https://x.org/b.md)", 0), ("[a](B)", 0),
      ("[a](c.md)", 1), ("[a](b.md#three)", 1), ("[a](#there)", 1), ("[a](../b.md), [b](b.md), [c](d.md)", 2),
    ])
  func sampleLinks(_ text: String, _ count: Int) {
    let found: [String: Set<String>] = ["A/b.md": ["one-two"], "A/B": [], "A/README.md": ["here"]]
    let file = SourceText(path: "A/README.md", text: text)
    #expect(DocumentRule.noDeadLinks(file) { found[$0] }.count == count)
  }

  @Test(
    "A path that does not exist is found",
    arguments: [
      ("`C/a.swift`", 0), ("`A/C/a.swift`", 0), ("`../A/C`", 0), ("`meals/add`", 0), ("`C/*.swift`", 0),
      ("`run C/a.swift now`", 0), ("```\n`C/b.swift`\n```", 0), ("C/b.swift", 0), ("`b.jsonl`", 0),
      ("`C/b.swift`", 1), ("`b.swift`", 1), ("`C/b`", 1), ("`../D/a`", 1), ("`A/D/a.json`", 1),
      ("`run C/b.swift C/c.swift`", 2),
    ])
  func samplePaths(_ text: String, _ count: Int) {
    let found: Set = ["A", "A/C", "A/C/a.swift"]
    let file = SourceText(path: "A/README.md", text: text)
    #expect(DocumentRule.noDeadPaths(file, found.contains).count == count)
  }

  @Test("The anchor of a heading is that of its text")
  func anchors() {
    let text = "# One\n\n## Where *not* to touch: `a/b`\n\ntext\n\n### Day measures, and the agenda\n"
    #expect(
      DocumentRule.anchors(SourceText(path: "a.md", text: text)) == [
        "one", "where-not-to-touch-ab", "day-measures-and-the-agenda",
      ])
  }
}
