/// A set of revisions that mostly come in rows, kept as ranges.
package struct RevisionSet: Sendable {
  /// Ascending, with gaps between them.
  private var ranges: [ClosedRange<Int>] = []

  package init() {}

  /// Adds a revision above all others.
  package mutating func insert(_ revision: Int) {
    if let last = ranges.last, last.upperBound &+ 1 == revision {
      ranges[ranges.count - 1] = last.lowerBound...revision
    } else {
      ranges.append(revision...revision)
    }
  }

  /// Takes out everything above a revision.
  package mutating func remove(after revision: Int) {
    while let last = ranges.last, last.upperBound > revision {
      ranges.removeLast()
      if last.lowerBound <= revision { ranges.append(last.lowerBound...revision) }
    }
  }

  package func contains(_ revision: Int) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < revision { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(revision)
  }
}
