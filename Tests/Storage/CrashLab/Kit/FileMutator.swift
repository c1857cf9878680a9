import FileStoreTesting

/// Changes files as media, people and programs do.
package struct FileMutator {
  /// A file after a change.
  package struct Mutation: Sendable {
    package var bytes: [UInt8]
    /// The range of the original that was hit; empty for an insertion.
    package var range: Range<Int>
    /// Whether lines were reordered.
    package var isReordered = false
    package var text: String

    package init(bytes: [UInt8], range: Range<Int>, isReordered: Bool = false, text: String) {
      self.bytes = bytes
      self.range = range
      self.isReordered = isReordered
      self.text = text
    }
  }

  /// The mutations: one per seed, so that each case is small.
  private enum Way: CaseIterable {
    case bit0, bit1, bit2, bit3, bit4, bit5, bit6, bit7, allBits
    case truncate, delete, duplicate, swap, insertZeros, zeroRange, noise, garbageTail
  }

  /// The number of mutations.
  package static let ways = UInt64(Way.allCases.count)

  private let way: Way
  private let seed: UInt64
  private let part: (remainder: Int, count: Int)?

  /// - Parameter part: Selects the places whose index has this remainder; nil for all.
  package init(seed: UInt64, part: (remainder: Int, count: Int)? = nil) {
    way = Way.allCases[Int(seed % FileMutator.ways)]
    self.seed = seed
    self.part = part
  }

  /// The places to change.
  private func places(_ count: Int) -> StrideTo<Int> {
    stride(from: part?.remainder ?? 0, to: count, by: part?.count ?? 1)
  }

  package func mutations(of bytes: [UInt8]) -> [Mutation] {
    switch way {
    case .bit0: flips(bytes, 1)
    case .bit1: flips(bytes, 2)
    case .bit2: flips(bytes, 4)
    case .bit3: flips(bytes, 8)
    case .bit4: flips(bytes, 16)
    case .bit5: flips(bytes, 32)
    case .bit6: flips(bytes, 64)
    case .bit7: flips(bytes, 128)
    case .allBits: flips(bytes, 255)
    case .truncate:
      places(bytes.count).map {
        Mutation(bytes: Array(bytes[..<$0]), range: $0..<bytes.count, text: "cut off at \($0)")
      }
    case .delete, .duplicate, .swap: lines(bytes)
    case .insertZeros:
      places(bytes.count).map {
        Mutation(
          bytes: Array(bytes[..<$0]) + [0, 0] + Array(bytes[$0...]), range: $0..<$0, text: "zeros put in at \($0)")
      }
    case .zeroRange, .noise: ranges(bytes)
    case .garbageTail:
      ["x", "{", "\0\0\0\0", "{\"seq\":9}\n", "\n\n", "<<<<<<< ours\n"].map {
        Mutation(bytes: bytes + Array($0.utf8), range: bytes.count..<bytes.count, text: "\($0.debugDescription) added")
      }
    }
  }

  private func flips(_ bytes: [UInt8], _ mask: UInt8) -> [Mutation] {
    places(bytes.count).map { index in
      var changed = bytes
      changed[index] ^= mask
      return Mutation(bytes: changed, range: index..<(index + 1), text: "byte \(index) flipped by \(mask)")
    }
  }

  private func lines(_ bytes: [UInt8]) -> [Mutation] {
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    let ranges = zip([0] + ends.dropLast(), ends).map { $0..<$1 }
    return ranges.indices.compactMap { index in
      // There are far fewer lines than bytes.
      if let part, index % 4 != part.remainder % 4 { return nil }
      let (range, line) = (ranges[index], bytes[ranges[index]])
      switch way {
      case .delete:
        return Mutation(
          bytes: Array(bytes[..<range.lowerBound] + bytes[range.upperBound...]), range: range,
          text: "line \(index) deleted")
      case .duplicate:
        return Mutation(
          bytes: Array(bytes[..<range.upperBound] + line + bytes[range.upperBound...]),
          range: range.upperBound..<range.upperBound, text: "line \(index) doubled")
      default:
        guard index + 1 < ranges.count else { return nil }
        let next = ranges[index + 1]
        return Mutation(
          bytes: Array(bytes[..<range.lowerBound] + bytes[next] + line + bytes[next.upperBound...]),
          range: range.lowerBound..<next.upperBound, isReordered: true, text: "lines \(index) and \(index + 1) swapped")
      }
    }
  }

  private func ranges(_ bytes: [UInt8]) -> [Mutation] {
    guard !bytes.isEmpty else { return [] }
    var generator = SeededGenerator(seed: seed)
    return (0..<(part == nil ? 64 : 4)).map { _ in
      let start = generator.below(bytes.count)
      let range = start..<min(bytes.count, start + 1 + generator.below(generator.once(in: 2) ? 600 : 40))
      var changed = bytes
      for index in range { changed[index] = way == .zeroRange ? 0 : UInt8(truncatingIfNeeded: generator.next()) }
      return Mutation(bytes: changed, range: range, text: "\(range) overwritten")
    }
  }
}
