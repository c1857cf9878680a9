/// Detects what separates the cells of a table.
enum Delimiter {
  /// In order of likelihood.
  private static let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// The delimiter that the first row shows, with which a table begins.
  static func found(in head: ArraySlice<UInt8>) -> UInt8 {
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    var hasText = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D {
        if hasText { break } else { continue }
      }
      hasText = true
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// The delimiter that a first line such as `sep=;` names, a spreadsheet convention, and the length of that line.
  static func named(in head: ArraySlice<UInt8>) -> (delimiter: UInt8, skipped: Int)? {
    let end = head.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? head.endIndex
    var line = head[..<end]
    if line.count >= 2, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") {
      line = line.dropFirst().dropLast()
    }
    guard line.count == 5, line.prefix(3).map({ $0 | 0x20 }) == Array("sep".utf8),
      line.dropFirst(3).first == UInt8(ascii: "="),
      let delimiter = line.last, delimiter == 9 || (0x20...0x7E).contains(delimiter), delimiter != UInt8(ascii: "\"")
    else { return nil }
    let isCRLF = head[end...].starts(with: [0x0D, 0x0A])
    return (delimiter, min(end + (isCRLF ? 2 : 1), head.endIndex) - head.startIndex)
  }
}
