/// A small reproducible source of randomness (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A source of its own for the `number`-th thing that a seed decides.
  package init(seed: UInt64, number: Int) {
    var first = SeededGenerator(seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93)
    state = first.next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// A number below `limit`, which is at least 1. Slightly uneven, and much cheaper than the library's.
  package mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
  }

  /// A number of the range.
  package mutating func among(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// True once in `count` times.
  package mutating func once(in count: Int) -> Bool { below(count) == 0 }
}
