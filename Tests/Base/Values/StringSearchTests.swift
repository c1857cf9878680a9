import Testing
import Values

struct StringSearchTests {
  @Test(
    "A text is found where it first occurs",
    arguments: [
      ("https://a://b", "://", 5), ("abab", "b", 1), ("ä🙂b", "b", 2), ("abc", "abc", 0), ("abc", "abcd", nil),
      ("", "a", nil), ("aab", "ab", 1), ("cafe\u{301} au lait", "caf\u{E9}", 0), ("cafe\u{301}", "cafe", nil),
    ])
  func range(_ text: String, _ part: String, _ offset: Int?) {
    let found = text.firstRange(ofText: part)
    #expect(found.map { text.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
    #expect(found.map { String(text[$0]) } == (offset == nil ? nil : part))
    #expect(text.contains(text: part) == (offset != nil))
  }

  @Test(
    "Every occurrence is replaced, from the left",
    arguments: [("key, key", "…, …"), ("kkeyey", "k…ey"), ("", ""), ("other", "other"), ("key", "…"), ("kekey", "ke…")])
  func replacing(_ text: String, _ expected: String) {
    #expect(text.replacing(text: "key", with: "…") == expected)
  }
}
