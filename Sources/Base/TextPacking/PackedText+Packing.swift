extension PackedText {
  /// Compresses a text. UTF-8 stays UTF-8, because no copy begins or ends within a character.
  ///
  /// Each copy is the best of the latest 64 candidates with the same first four bytes; a copy is skipped when the next
  /// byte begins a longer one.
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

  /// The mark for a copy's distance.
  private static func mark(_ copy: RepetitionFinder.Copy) -> Mark { copy.distance < near.reach ? near : far }
}

/// Finds earlier occurrences of the bytes at an offset.
struct RepetitionFinder {
  /// A repetition of `length` bytes from `distance` bytes back.
  struct Copy {
    let length: Int
    let distance: Int

    /// The bytes it saves.
    var gain: Int { length - (distance < PackedText.near.reach ? PackedText.near : PackedText.far).cost }
  }

  private let text: [UInt8]
  /// By hash of four bytes: the latest offset at which they begin; −1 for none.
  private var latest = [Int](repeating: -1, count: 1 << 16)
  /// By offset: the previous offset with the same hash.
  private var earlier: [Int] = []

  init(_ text: [UInt8]) { self.text = text }

  /// The copy at `at` that saves the most; nil when none saves anything. Offsets must not descend from call to call.
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

  /// The length of the common run at two offsets: whole characters, at most what one digit can express.
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
