/// Replaces the path of the user's home in texts, because it usually contains a name.
struct HomePaths: Sendable {
  private let home: [UInt8]

  /// A home that is nil, relative or the root is not replaced.
  init(_ home: String?) {
    var home = Array((home ?? "").utf8)
    while home.last == UInt8(ascii: "/") { home.removeLast() }
    self.home = home.first == UInt8(ascii: "/") ? home : []
  }

  /// The text with `~` instead of the path, unless the path is part of a longer name: in `/home/ann` and `/home/ann/x`,
  /// not in `/home/anna`.
  func hidden(in text: [UInt8]) -> [UInt8] {
    guard !home.isEmpty, text.count >= home.count else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      let end = at + home.count
      if text[at] == home[0], end <= text.count, text[at..<end].elementsEqual(home), !continues(text, end) {
        result.append(UInt8(ascii: "~"))
        at = end
      } else {
        result.append(text[at])
        at += 1
      }
    }
    return result
  }

  /// Whether the name before an index continues there. Non-ASCII characters end a name: a quotation mark must not
  /// prevent the replacement.
  private func continues(_ text: [UInt8], _ index: Int) -> Bool {
    guard index < text.count else { return false }
    switch text[index] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      return true
    // A period at the end of a sentence is not part of the name.
    case UInt8(ascii: "."): return index + 1 < text.count && continues(text, index + 1)
    default: return false
    }
  }
}
