// The standard library's own search of a text in another brings its regular expressions with it, which are a megabyte of the program.
extension StringProtocol {
  /// Where a text first occurs, character by character; nil when it does not, or is empty.
  package func firstRange(ofText text: String) -> Range<Index>? {
    guard !text.isEmpty else { return nil }
    let length = text.count
    for start in indices {
      guard let end = index(start, offsetBy: length, limitedBy: endIndex) else { return nil }
      if self[start..<end].elementsEqual(text) { return start..<end }
    }
    return nil
  }

  /// Whether a text occurs in this one; an empty one does.
  package func contains(text: String) -> Bool { text.isEmpty || firstRange(ofText: text) != nil }
}

extension String {
  /// The text with `other` wherever `text` occurs.
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
