/// A deterministic random generator (SplitMix64) with integer arithmetic only, so that every machine and standard
/// library gives the same numbers.
struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A uniformly distributed number.
  mutating func int(_ range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
  }

  /// A number distributed around the middle of a range.
  mutating func middling(_ range: ClosedRange<Int>) -> Int {
    (int(range) + int(range) + int(range)) / 3
  }

  /// True with a probability in thousandths.
  mutating func chance(perMille: Int) -> Bool { int(0...999) < perMille }

  /// A random count that averages `thousandths` ÷ 1000.
  mutating func count(thousandths: Int) -> Int {
    thousandths / 1000 + (chance(perMille: thousandths % 1000) ? 1 : 0)
  }

  /// A random element; earlier ones are more frequent.
  mutating func favourite<Element>(of elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[min(int(0...elements.count - 1), int(0...elements.count - 1), int(0...elements.count - 1))]
  }

  /// The elements in random order.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropFirst().reversed() { elements.swapAt(index, int(0...index)) }
    return elements
  }
}
