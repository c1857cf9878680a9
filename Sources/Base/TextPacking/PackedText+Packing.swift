extension PackedText {
  /// The text with its repetitions taken out. UTF-8 stays UTF-8, as no copy begins or ends within a character.
  ///
  /// Copies are the longest of the latest 64 that begin with the same four bytes; one is passed over when the next byte begins a
  /// longer one.
  package static func pack(_ text: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var finder = RepetitionFinder(text)
    var at = 0
    while at < text.count {
      let copy = finder.longest(at)
      if let copy, (finder.longest(at + 1)?.length ?? 0) <= copy.length + 1 {
        let mark = mark(copy)
        packed += [mark.byte, character(copy.length)]
        var rest = mark.reach
        for _ in 0..<mark.places {
          rest /= base
          packed.append(character(copy.distance / rest % base))
        }
        at += copy.length
      } else {
        packed.append(text[at])
        if mark(text[at]) != nil { packed.append(character(0)) }
        at += 1
      }
    }
    return packed
  }

  /// How a copy is written.
  private static func mark(_ copy: RepetitionFinder.Copy) -> Mark { copy.distance < near.reach ? near : far }
}

/// Finds what stood in a text before.
struct RepetitionFinder {
  /// So many bytes as stand so far back.
  struct Copy {
    let length: Int
    let distance: Int

    /// How many bytes it saves.
    var gain: Int { length - (distance < PackedText.near.reach ? PackedText.near : PackedText.far).cost }
  }

  private let text: [UInt8]
  /// The last place at which four bytes of that hash begin; −1 for none.
  private var latest = [Int](repeating: -1, count: 1 << 16)
  /// The place before each that has the same hash.
  private var earlier: [Int] = []

  init(_ text: [UInt8]) { self.text = text }

  /// The copy at `at` that saves most; nil where none saves anything. Places ascend from call to call, or stay.
  mutating func longest(_ at: Int) -> Copy? {
    while earlier.count < min(at, text.count - 3) {
      let slot = slot(earlier.count)
      earlier.append(latest[slot])
      latest[slot] = earlier.count - 1
    }
    guard at + 4 <= text.count, !isContinuation(at) else { return nil }
    var best: Copy?
    var other = latest[slot(at)]
    for _ in 0..<64 where other >= 0 && at - other < PackedText.far.reach {
      let copy = Copy(length: length(at, other), distance: at - other)
      if copy.gain > best?.gain ?? 0 { best = copy }
      other = earlier[other]
    }
    return best
  }

  /// How many bytes at both places are equal: whole characters, and not more than a digit can say.
  private func length(_ at: Int, _ other: Int) -> Int {
    let limit = min(PackedText.base - 1, text.count - at)
    var length = 0
    while length < limit, text[at + length] == text[other + length] { length += 1 }
    while length > 0, at + length < text.count, isContinuation(at + length) { length -= 1 }
    return length
  }

  private func isContinuation(_ at: Int) -> Bool { text[at] & 0xC0 == 0x80 }

  private func slot(_ at: Int) -> Int {
    let word = text[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int((word &* 0x9E37_79B1) >> 16)
  }
}
