/// Searches many lines for one text, skipping most of their bytes (Boyer–Moore–Horspool).
struct TextSearch {
  private let text: [UInt8]
  /// The shift for each value of the byte under the text's last.
  private let skips: [Int]

  init(_ text: [UInt8]) {
    self.text = text
    var skips = [Int](repeating: max(1, text.count), count: 256)
    for (index, byte) in text.dropLast().enumerated() { skips[Int(byte)] = text.count - 1 - index }
    self.skips = skips
  }

  /// Passes each line containing the text to `body`, without its newline, until it returns false; returns whether it
  /// never did. The bytes end in a newline, unless there are none.
  func forEachLine(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var at = 0
    while let found = next(in: bytes, from: at) {
      let start = bytes[..<found].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let end = bytes[found...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      guard body(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else { return false }
      at = end
    }
    return true
  }

  /// Whether the bytes contain the text.
  func isThere(in bytes: UnsafeRawBufferPointer) -> Bool { next(in: bytes, from: 0) != nil }

  /// The offset of the next occurrence.
  private func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let length = text.count
    guard length > 0, let base = bytes.baseAddress else { return nil }
    return skips.withUnsafeBufferPointer { skips in
      text.withUnsafeBytes { text in
        let last = text[length &- 1]
        var at = start
        while at <= bytes.count &- length {
          let byte = base.load(fromByteOffset: at &+ length &- 1, as: UInt8.self)
          if byte == last, UnsafeRawBufferPointer(start: base + at, count: length).elementsEqual(text) { return at }
          at &+= skips[Int(byte)]
        }
        return nil
      }
    }
  }
}
