/// Output bytes in pieces: large texts are kept uncopied, small ones are joined.
package struct OutgoingPieces: Hashable, Sendable {
  package private(set) var pieces: [[UInt8]] = []
  /// The total length in bytes.
  package private(set) var count = 0
  /// The minimum length of a text that is kept as a piece of its own.
  package static let large = 1 << 16

  package init(_ bytes: [UInt8] = []) { append(bytes) }

  package var isEmpty: Bool { pieces.isEmpty }

  package mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    guard let last = pieces.indices.last, pieces[last].count + bytes.count < OutgoingPieces.large else {
      return pieces.append(bytes)
    }
    pieces[last] += bytes
  }

  package mutating func append(_ others: OutgoingPieces) {
    for piece in others.pieces { append(piece) }
  }

  /// Prepends the unwritten rest of the first piece.
  package mutating func putBack(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    pieces.insert(bytes, at: 0)
  }

  /// Removes and returns the first piece; empty when there is none.
  package mutating func takeFirst() -> [UInt8] {
    guard !pieces.isEmpty else { return [] }
    let first = pieces.removeFirst()
    count -= first.count
    return first
  }
}
