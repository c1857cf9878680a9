import JSON

/// Finds the JSON object in a model's text, which may have a Markdown fence around it and remarks before and after it.
package enum EmbeddedObject {
  /// The most opening braces to try, which bounds the time for a long text of braces.
  private static let mostAttempts = 32

  /// The first object of the first fence that contains one, else the first object of the text.
  package static func find(in text: String) -> JSONObject? {
    let bytes = Array(text.utf8)
    var attempts = mostAttempts
    for block in fenced(bytes) {
      if let object = first(in: bytes[block], &attempts) { return object }
    }
    attempts = mostAttempts
    return first(in: bytes[...], &attempts)
  }

  /// The contents of fences: between lines that begin with three backquotes or tildes. An unclosed fence extends to the end, as in
  /// CommonMark.
  private static func fenced(_ bytes: [UInt8]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start: Int?
    var line = 0
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let words = bytes[line..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if words.starts(with: "```".utf8) || words.starts(with: "~~~".utf8) {
        if let begun = start {
          blocks.append(begun..<line)
          start = nil
        } else {
          // The object may begin on the fence's line, after the language.
          start = words.firstIndex(of: UInt8(ascii: "{")) ?? min(end + 1, bytes.count)
        }
      }
      line = end + 1
    }
    if let start { blocks.append(start..<bytes.count) }
    return blocks
  }

  /// The first text between braces that is a JSON object.
  private static func first(in bytes: ArraySlice<UInt8>, _ attempts: inout Int) -> JSONObject? {
    var rest = bytes
    while attempts > 0, let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      attempts -= 1
      // An object inside a truncated one is not the answer.
      guard let end = balanced(rest[open...]) else { return nil }
      if case .object(let object)? = try? JSONValue(json: Array(rest[open..<end])) { return object }
      rest = rest[end...]
    }
    return nil
  }

  /// The index after the brace that closes the object at the start; nil when it is not closed. Braces in strings do not count.
  private static func balanced(_ bytes: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    var isText = false
    var isEscaped = false
    for (index, byte) in zip(bytes.indices, bytes) {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }
}
