/// Bytes on their way out, in pieces: a large text is handed over, not copied; small ones are joined.
package struct OutgoingPieces: Hashable, Sendable {
  package private(set) var pieces: [[UInt8]] = []
  /// Bytes in all of them.
  package private(set) var count = 0
  /// A text of so many bytes is a piece of its own.
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

  /// Puts back what was taken out first and is left over.
  package mutating func putBack(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    pieces.insert(bytes, at: 0)
  }

  /// Takes out the first piece; empty when there is none.
  package mutating func takeFirst() -> [UInt8] {
    guard !pieces.isEmpty else { return [] }
    let first = pieces.removeFirst()
    count -= first.count
    return first
  }
}
