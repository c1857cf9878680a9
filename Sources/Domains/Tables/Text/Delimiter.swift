/// What separates the cells of a row.
enum Delimiter {
  /// Those that are looked for, the likelier first.
  static let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// What the beginning of a table says; `head` is its first row at least, or all there is.
  ///
  /// - Returns: The delimiter; how many bytes to pass over, when the first line only names it (`sep=;`, as spreadsheets write and read
  ///   it).
  static func found(in head: [UInt8]) -> (delimiter: UInt8, skipped: Int) {
    if let named = named(in: head) { return named }
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    for byte in head[..<(end(ofFirstRow: head) ?? head.count)] {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return (candidates[counts.firstIndex(of: most) ?? 0], 0)
  }

  /// Where the first row ends that has anything in it; nil when more has to be seen for that.
  static func end(ofFirstRow head: [UInt8]) -> Int? {
    var isQuoted = false
    var hasText = false
    for (index, byte) in head.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted || (byte != 0x0A && byte != 0x0D) {
        hasText = true
      } else if hasText {
        return index
      }
    }
    return nil
  }

  private static func named(in head: [UInt8]) -> (delimiter: UInt8, skipped: Int)? {
    let end = head.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? head.count
    var line = head[..<end]
    if line.count >= 2, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") {
      line = line.dropFirst().dropLast()
    }
    guard line.count == 5, line.prefix(3).map({ $0 | 0x20 }) == Array("sep".utf8),
      line.dropFirst(3).first == UInt8(ascii: "="),
      let delimiter = line.last, delimiter == 9 || (0x20...0x7E).contains(delimiter), delimiter != UInt8(ascii: "\"")
    else { return nil }
    var next = end
    if next < head.count, head[next] == 0x0D { next += 1 }
    if next < head.count, head[next] == 0x0A, next == end || head[next - 1] == 0x0D { next += 1 }
    return (delimiter, next)
  }
}
