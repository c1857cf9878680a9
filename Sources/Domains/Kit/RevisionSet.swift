/// A set of mostly consecutive revisions, kept as ranges.
package struct RevisionSet: Sendable {
  /// Ascending and disjoint.
  private var ranges: [ClosedRange<Int>] = []

  package init() {}

  /// Adds a revision greater than all others.
  package mutating func insert(_ revision: Int) {
    if let last = ranges.last, last.upperBound &+ 1 == revision {
      ranges[ranges.count - 1] = last.lowerBound...revision
    } else {
      ranges.append(revision...revision)
    }
  }

  /// Removes all revisions after `revision`.
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
