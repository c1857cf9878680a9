import Tables

/// The unquoted names of a header of Loop's, split at every delimiter. Those that contain delimiters themselves are joined if
/// a habit has the joined name.
struct LoopNames {
  private let parts: [String]
  private let mark: String
  /// The folded names with a delimiter in them.
  private let known: Set<String>
  /// The most parts that one of them has.
  private let longest: Int

  init(_ parts: [String], _ mark: Character, _ known: [String]) {
    // The delimiter at the end of the header is none between names.
    self.parts = parts.last?.isEmpty == true ? Array(parts.dropLast()) : parts
    self.mark = String(mark)
    self.known = Set(known.filter { $0.contains(mark) }.map { HabitNames.fold($0) })
    longest = self.known.map { name in name.split(separator: mark, omittingEmptySubsequences: false).count }.max() ?? 1
  }

  /// The names of so many columns: the parts, with those of known names joined where that is possible in one way only.
  /// Without rows, of which the number of columns is known, the longest known names.
  func joined(to count: Int?) -> [String] {
    guard !known.isEmpty, count != parts.count, parts.count <= TableLimits().columns else { return parts }
    guard let count else { return longestFirst() }
    guard (1..<parts.count).contains(count) else { return parts }
    return only(count) ?? parts
  }

  private func name(_ range: Range<Int>) -> String { parts[range].joined(separator: mark) }

  private func isKnown(_ range: Range<Int>) -> Bool { known.contains(HabitNames.fold(name(range))) }

  private func longestFirst() -> [String] {
    var (names, at) = ([String](), 0)
    while at < parts.count {
      let width = (1...longest).reversed().first { $0 == 1 || at + $0 <= parts.count && isKnown(at..<at + $0) } ?? 1
      names.append(name(at..<at + width))
      at += width
    }
    return names
  }

  /// The parts joined to so many names; nil unless there is exactly one way.
  private func only(_ count: Int) -> [String]? {
    let surplus = parts.count - count
    // For each number of parts from the end, and of delimiters within names among them: how many ways there are, up to two,
    // and how many parts the first name has.
    var ways = [[(count: Int, width: Int)]](
      repeating: [(count: Int, width: Int)](repeating: (0, 0), count: surplus + 1), count: parts.count + 1)
    ways[parts.count][0].count = 1
    for at in parts.indices.reversed() {
      let widths = (1...longest).filter { $0 == 1 || at + $0 <= parts.count && isKnown(at..<at + $0) }
      for taken in 0...surplus {
        for width in widths where width - 1 <= taken {
          let rest = ways[at + width][taken - width + 1].count
          guard rest > 0 else { continue }
          ways[at][taken] = (min(ways[at][taken].count + rest, 2), width)
        }
      }
    }
    guard ways[0][surplus].count == 1 else { return nil }
    var (names, at, taken) = ([String](), 0, surplus)
    while at < parts.count {
      let width = ways[at][taken].width
      names.append(name(at..<at + width))
      (at, taken) = (at + width, taken - width + 1)
    }
    return names
  }
}
