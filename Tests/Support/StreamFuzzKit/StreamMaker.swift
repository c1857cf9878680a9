/// Generates byte streams: a few frames in one framing (sometimes in both), with some damage.
struct StreamMaker {
  var random: SplitMix64

  /// The next stream.
  mutating func next() -> [UInt8] {
    var stream: [UInt8] = []
    let isHeader = random.below(3) != 0
    if random.below(16) == 0 { stream += [0xEF, 0xBB, 0xBF] }
    for _ in 0..<(1 + random.below(4)) {
      let body = pick(Material.bodies)
      if isHeader != (random.below(32) == 0) {
        frame(body, into: &stream)
      } else {
        stream += body + pick(Material.lineEnds)
      }
    }
    for _ in 0..<random.below(5) { damage(&stream) }
    return stream
  }

  private mutating func pick(_ choices: [[UInt8]]) -> [UInt8] { choices[random.below(choices.count)] }

  private mutating func frame(_ body: [UInt8], into stream: inout [UInt8]) {
    // Usually the block is an ordinary one.
    let header = random.below(3) != 0 ? Material.headers[0] : pick(Material.headers)
    for byte in header {
      if byte == UInt8(ascii: "#") { stream += Array(String(body.count).utf8) } else { stream.append(byte) }
    }
    stream += body
  }

  private mutating func damage(_ stream: inout [UInt8]) {
    guard !stream.isEmpty else { return }
    let at = random.below(stream.count)
    switch random.below(8) {
    case 0: stream[at] = UInt8(truncatingIfNeeded: random.next())
    case 1: stream[at] = Material.telling[random.below(Material.telling.count)]
    case 2: stream.remove(at: at)
    case 3: stream.insert(Material.telling[random.below(Material.telling.count)], at: at)
    case 4: stream.removeLast(stream.count - at)
    case 5:
      let end = min(stream.count, at + 1 + random.below(64))
      stream.insert(contentsOf: Array(stream[at..<end]), at: random.below(stream.count))
    case 6:
      stream.insert(
        contentsOf: [UInt8](repeating: stream[at], count: random.below(random.below(4) == 0 ? 1600 : 200)), at: at)
    default: stream.removeSubrange(at..<min(stream.count, at + random.below(32)))
    }
  }
}
