import CivilTime
import Subscriptions
import Tables
import Values

/// Repairs Subsum's export: it does not double quotes in names and does not quote dates with a comma, so that a row has
/// seven cells. (Reference part 2, §2.7.)
enum SubsumText {
  private static let header = Array("Name,Amount,Currency,Frequency,Next Charge,Category".utf8)

  /// Repairs every row that can be read in exactly one way. Other rows and other tables are unchanged, and so are line
  /// numbers.
  static func repair(_ decoded: inout DecodedText, _ options: ScanOptions) {
    let bytes = decoded.utf8
    let places = HeaderPlace.all(in: decoded, skipLines: options.skipLines, delimiter: options.delimiter)
    guard let start = places.first(where: { bytes[$0.start...].starts(with: header) })?.start else { return }
    let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    // Spreadsheets add empty columns for the seventh cell.
    guard bytes[(start + header.count)..<end].allSatisfy({ $0 == UInt8(ascii: ",") }) else { return }
    var text = header
    text.reserveCapacity(bytes.count + bytes.count / 8)
    var at = end
    while at < bytes.count {
      if bytes[at] == 0x0A || bytes[at] == 0x0D {
        text.append(bytes[at])
        at += 1
        continue
      }
      let next = bytes[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      text += row(bytes[at..<next]) ?? Array(bytes[at..<next])
      at = next
    }
    decoded.replace(start..<bytes.count, with: text)
  }

  /// A repaired row; nil when it can be read in no way or in several.
  private static func row(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
    var rest = line
    // Empty cells that a spreadsheet adds.
    while rest.last == comma { rest = rest.dropLast() }
    // Four commas follow the name, or five with one in the date; the other cells contain none.
    var commas: [Int] = []
    for index in rest.indices.reversed() where rest[index] == comma {
      commas.append(index)
      if commas.count == 6 { break }
    }
    var found: (name: ArraySlice<UInt8>, tail: [UInt8])?
    for index in commas.dropFirst(4) {
      guard let tail = tail(rest[(index + 1)...]) else { continue }
      guard found == nil else { return nil }
      found = (rest[..<index], tail)
    }
    guard let found else { return nil }
    var name = found.name
    if name.first == quote, name.last == quote, name.count >= 2 {
      name = name.dropFirst().dropLast()
      return [quote] + doubled(name) + [quote, comma] + found.tail
    }
    // The last line of a name with a line break, or a name without quotes.
    guard !name.contains(comma), !name.dropLast().contains(quote) else { return nil }
    return Array(name) + [comma] + found.tail
  }

  /// The text of a quoted cell with every quote doubled, unless they all are.
  private static func doubled(_ name: ArraySlice<UInt8>) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var doubled: [UInt8] = []
    var run = 0
    var isProper = true
    for byte in name {
      doubled.append(byte)
      if byte == quote {
        doubled.append(byte)
        run += 1
      } else {
        if run % 2 == 1 { isProper = false }
        run = 0
      }
    }
    return isProper && run % 2 == 0 ? Array(name) : doubled
  }

  /// The five cells after a name, the date quoted; nil when they are something else.
  private static func tail(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count <= 1000 else { return nil }
    let cells = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard cells.count == 5 || cells.count == 6, let amount = Decimal(cells[0]), !amount.isNegative,
      Currency(cells[1]) != nil, ["weekly", "monthly", "yearly"].contains(cells[2].lowercased())
    else { return nil }
    let date = cells[3..<(cells.count - 1)].joined(separator: ",")
    guard case .value = DateText.reading(date, order: nil), let category = cells.last, !category.isEmpty,
      !category.contains("\"")
    else { return nil }
    return Array("\(cells[0]),\(cells[1]),\(cells[2]),\"\(date)\",\(category)".utf8)
  }
}
