/// A line on which the header of a table may be.
package struct HeaderPlace: Sendable {
  /// The index of its first byte.
  package let start: Int
  package let delimiter: UInt8
  /// The number of the line, from 1.
  let line: Int
  /// How many lines above it are skipped. A first line that names the delimiter is not one of them.
  let skipped: Int
  /// The index of the first byte of the skipped lines.
  private let skippedStart: Int

  /// The most lines with text that are skipped without being stated.
  private static let mostSkipped = 10
  /// The characters of a skipped line that are shown.
  private static let shownCharacters = 100

  /// The lines on which the header may be: below the stated number of lines, else the first one and the next ten with text.
  package static func all(in text: DecodedText, skipLines: Int? = nil, delimiter: UInt8? = nil) -> [HeaderPlace] {
    let bytes = text.utf8
    let named = Delimiter.named(in: bytes[...])
    let first = named?.skipped ?? 0
    var (start, line, skipped, withText) = (first, first > 0 ? 2 : 1, 0, 0)
    var places: [HeaderPlace] = []
    func add() {
      places.append(
        HeaderPlace(
          start: start,
          delimiter: delimiter ?? named?.delimiter
            ?? Delimiter.found(in: bytes[start...].prefix(TableLimits().rowBytes)),
          line: line, skipped: skipped, skippedStart: first))
    }
    func isBlank() -> Bool { start == bytes.count || bytes[start] == 0x0A || bytes[start] == 0x0D }
    if skipLines ?? 0 == 0 { add() }
    while start < bytes.count, skipLines.map({ skipped < $0 }) ?? (withText < mostSkipped || isBlank()) {
      if !isBlank() { withText += 1 }
      start = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      skipped += 1
      if start < bytes.count {
        start += bytes[start...].starts(with: [0x0D, 0x0A]) ? 2 : 1
        line += 1
      }
      // Blank lines above the first one with text are not skipped but passed over.
      if skipLines.map({ skipped == $0 }) ?? (!isBlank() && withText > 0) { add() }
    }
    // The text ends before.
    if places.isEmpty { add() }
    return places
  }

  /// The beginnings of the skipped lines.
  func skippedLines(of text: DecodedText) -> [String] {
    var (lines, at) = ([String](), skippedStart)
    for _ in 0..<skipped {
      let end = text.utf8[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.utf8.count
      let line = String(decoding: text.utf8[at..<end], as: UTF8.self)
      lines.append(String(String.UnicodeScalarView(line.unicodeScalars.prefix(HeaderPlace.shownCharacters))))
      at = min(end + (text.utf8[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1), text.utf8.count)
    }
    return lines
  }
}
