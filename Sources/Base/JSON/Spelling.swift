/// Suggestions for misspelled words.
package enum Spelling {
  /// The candidate with the fewest edits (insertions, deletions, substitutions, transpositions; ignoring case) from
  /// `word`; nil when all need more than a third of its length (at least 1). The first wins ties.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    // Longer words are not typing errors, and the cost grows with the square of the length.
    guard word.utf8.count <= 64 else { return nil }
    let wanted = Array(word.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = edits(wanted, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Optimal string alignment distance (Damerau–Levenshtein without overlapping edits).
  static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        var cost = min(
          previous[column] + (left[row] == right[column] ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
