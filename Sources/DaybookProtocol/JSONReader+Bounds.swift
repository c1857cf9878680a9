import JSON
import Values

extension JSONReader {
  /// A string whose length in Unicode scalars lies in `range`, white space around it removed first if `trimmed`.
  package mutating func text(in range: ClosedRange<Int>, trimmed: Bool = false) throws(JSONError) -> String {
    _ = peek()
    let start = position
    var text = try string()
    if trimmed { text = text.trimmed }
    // There are at most as many scalars as bytes, so that most texts need no counting.
    let bytes = text.utf8.count
    if bytes > range.upperBound || bytes < range.lowerBound || range.lowerBound > 1 {
      let count = text.unicodeScalars.count
      guard range.contains(count) else {
        let expected =
          range.upperBound == .max
          ? "a text of at least \(range.lowerBound) characters"
          : "a text of \(range.lowerBound) to \(range.upperBound) characters"
        throw JSONError(.outOfRange, at: start, expected: expected)
      }
    }
    return text
  }

  /// A decimal within whole-number bounds and with at most `scale` digits after the point.
  package mutating func decimal(minimum: Int64?, maximum: Int64?, scale: Int?) throws(JSONError) -> Decimal {
    _ = peek()
    let start = position
    let value = try Decimal(from: &self)
    // What is not negative is not below zero, which is the usual bound, and comparing costs more than looking.
    let isAtLeast = minimum.map { $0 == 0 ? value.significand >= 0 : value >= Decimal($0) } ?? true
    let isAtMost = maximum.map { value <= Decimal($0) } ?? true
    let isInRange = isAtLeast && isAtMost && scale.map { value.scale <= $0 } ?? true
    guard isInRange else {
      var expected = "a decimal number"
      if let minimum { expected += " from \"\(minimum)\"" }
      if let maximum { expected += " to \"\(maximum)\"" }
      if let scale { expected += ", at most \(scale) digits after the point" }
      throw JSONError(.outOfRange, at: start, expected: expected)
    }
    return value
  }

  /// One of the values whose names are in `names`, in the same order, separated by spaces. With `unknown`, a reader that
  /// accepts unknown values keeps another name; else it is refused.
  package mutating func enumeration<Value>(
    _ names: StaticString, _ values: [Value], _ unknown: ((String) -> Value)?
  ) throws(JSONError) -> Value {
    _ = peek()
    let start = position
    guard peek() == UInt8(ascii: "\"") else {
      throw wrongType("one of \("\(names)".split(separator: " ").joined(separator: ", "))")
    }
    let found = try string(as: "a string") { text -> (index: Int?, text: String?) in
      if let index = names.index(of: text) { return (index, nil) }
      return (nil, String(decoding: text, as: UTF8.self))
    }
    if let index = found.index, index < values.count { return values[index] }
    let name = found.text ?? ""
    if let unknown, acceptsUnknownValues { return unknown(name) }
    let known = "\(names)".split(separator: " ").map(String.init)
    let hint = Spelling.nearest(to: name, among: known).map { "; did you mean “\($0)”?" } ?? ""
    throw JSONError(.wrongText, at: start, expected: "one of \(known.joined(separator: ", "))\(hint)")
  }
}

extension StaticString {
  /// The number of the word, among those separated by spaces, that is exactly `word`.
  fileprivate func index(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let bytes = word.baseAddress, word.count > 0 else { return nil }
    var index = 0
    var start = 0
    let end = utf8CodeUnitCount
    while end &- start >= word.count {
      let stop = start &+ word.count
      if stop == end || utf8Start[stop] == UInt8(ascii: " ") {
        var same = 0
        while same < word.count, utf8Start[start &+ same] == bytes[same] { same &+= 1 }
        if same == word.count { return index }
      }
      while start < end, utf8Start[start] != UInt8(ascii: " ") { start &+= 1 }
      index &+= 1
      start &+= 1
    }
    return nil
  }
}

extension String {
  /// Without white space (as Unicode has it) at both ends.
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
