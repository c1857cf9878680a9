/// Random numbers that a seed decides for ever: SplitMix64, and whole numbers only, so that every machine and every
/// version of the standard library makes the same.
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

  /// A number of a range, each as likely as the others.
  mutating func int(_ range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
  }

  /// A number of a range, most often one in its middle.
  mutating func middling(_ range: ClosedRange<Int>) -> Int {
    (int(range) + int(range) + int(range)) / 3
  }

  /// True so many times in a thousand.
  mutating func chance(perMille: Int) -> Bool { int(0...999) < perMille }

  /// A whole number that is `thousandths` ÷ 1000 on average.
  mutating func count(thousandths: Int) -> Int {
    thousandths / 1000 + (chance(perMille: thousandths % 1000) ? 1 : 0)
  }

  /// An element, the first ones more often: a person has favourites.
  mutating func favourite<Element>(of elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[min(int(0...elements.count - 1), int(0...elements.count - 1), int(0...elements.count - 1))]
  }

  /// The elements in another order.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropFirst().reversed() { elements.swapAt(index, int(0...index)) }
    return elements
  }
}
