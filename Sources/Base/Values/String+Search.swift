// The standard library's own text search links its regular expressions, a megabyte of the program.
extension StringProtocol {
  /// The first occurrence of a text, compared by character; nil when there is none or the text is empty.
  package func firstRange(ofText text: String) -> Range<Index>? {
    guard !text.isEmpty else { return nil }
    let length = text.count
    for start in indices {
      guard let end = index(start, offsetBy: length, limitedBy: endIndex) else { return nil }
      if self[start..<end].elementsEqual(text) { return start..<end }
    }
    return nil
  }

  /// Whether this text contains another; an empty one always occurs.
  package func contains(text: String) -> Bool { text.isEmpty || firstRange(ofText: text) != nil }
}

extension String {
  /// Replaces every occurrence of `text` by `other`.
  package func replacing(text: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(ofText: text) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
