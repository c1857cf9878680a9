/// A position in a space-separated list of words.
struct WordPlace {
  /// The offset of the word.
  var offset = 0
  var number = 0
}

extension StaticString {
  /// The space-separated words.
  package var words: [String] { "\(self)".split(separator: " ").map(String.init) }

  /// The index of `word`. The search starts at `place` and wraps around; `place` then moves to the next word.
  func number(ofWord word: UnsafeBufferPointer<UInt8>, from place: inout WordPlace) -> Int? {
    let end = utf8CodeUnitCount
    guard let bytes = word.baseAddress, word.count > 0, end > 0 else { return nil }
    let begin = place.offset
    var at = place
    repeat {
      let stop = StringScan.firstSpace(utf8Start, from: at.offset &+ 1, to: end)
      let found = at
      at = stop < end ? WordPlace(offset: stop &+ 1, number: at.number &+ 1) : WordPlace()
      if stop &- found.offset == word.count, StringScan.areSame(utf8Start + found.offset, bytes, word.count) {
        place = at
        return found.number
      }
    } while at.offset != begin
    return nil
  }

  /// The length of the word at `offset` if `text` begins with it and a quote, else zero; `available` bytes of `text`
  /// are readable.
  @inline(__always)
  func length(ofQuotedWordAt offset: Int, in text: UnsafePointer<UInt8>, _ available: Int) -> Int {
    let word = utf8Start + offset
    let count = utf8CodeUnitCount &- offset
    let common = min(count, available)
    var at = 0
    while at &+ 8 <= common {
      let (left, right) = (UnsafeRawPointer(word + at), UnsafeRawPointer(text + at))
      let difference = UInt64(
        littleEndian: left.loadUnaligned(as: UInt64.self) ^ right.loadUnaligned(as: UInt64.self))
      if difference != 0 {
        at &+= difference.trailingZeroBitCount &>> 3
        return word[at] == UInt8(ascii: " ") && text[at] == UInt8(ascii: "\"") ? at : 0
      }
      at &+= 8
    }
    while at < common, word[at] == text[at] { at &+= 1 }
    guard at < available, text[at] == UInt8(ascii: "\""), at == count || word[at] == UInt8(ascii: " ") else { return 0 }
    return at
  }
}
