import Testing
import TextPacking

/// Compressed text decompresses to the original.
struct PackedTextTests {
  private func unpacked(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBufferPointer { PackedText.unpack($0) } }

  @Test(
    "Packed text unpacks to the original",
    arguments: [
      "", "a", "abc", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "~&~&~&~&~&~&~&~&", "“one” “two” “one” “two” “one”",
      "\"\\#\"##\\##",
      String(repeating: "the same again, ", count: 40),
    ])
  func comesBack(_ text: String) throws {
    let packed = PackedText.pack(Array(text.utf8))
    #expect(unpacked(packed) == Array(text.utf8))
    #expect(String(validating: packed, as: UTF8.self) != nil)
  }

  @Test("Random texts of few letters survive packing, and packed text is valid UTF-8", arguments: 0..<200)
  func random(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let letters: [Character] = ["a", "b", "~", "&", "“", "”", "é", "\"", "\\", "#"]
    var text = ""
    for _ in 0..<next(2_000) { text.append(letters[next(next(2) == 0 ? 3 : letters.count)]) }
    let packed = PackedText.pack(Array(text.utf8))
    #expect(unpacked(packed) == Array(text.utf8))
    #expect(String(validating: packed, as: UTF8.self) != nil)
  }

  @Test("A distant copy needs three digits, and no copy exceeds their reach")
  func far() {
    let word = Array("a word that stands twice".utf8)
    var state: UInt32 = 1
    let between = (0..<800_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(ascii: "A") + UInt8(state >> 24 & 15)
    }
    for count in [100, 9_000, 700_000, 800_000] {
      let text = word + between.prefix(count) + word
      let packed = PackedText.pack(text)
      #expect(unpacked(packed) == text)
      #expect(packed.suffix(word.count).elementsEqual(word) == (count == 800_000))
    }
  }

  @Test(
    "Invalid packed text is nil",
    arguments: ["~", "&", "ab~!", "ab~! ", "ab&! ", "ab&!  ", "~!  ", "ab~!  ", "ab~! %", "ab~\"", "ab~!#!", "ab~!!é"])
  func damaged(_ text: String) {
    #expect(unpacked(Array(text.utf8)) == nil)
  }

  @Test("Repetitions take little space")
  func small() {
    let text = Array(String(repeating: "{\"name\":\"value\",\"schema\":{\"type\":\"string\"}},", count: 500).utf8)
    #expect(PackedText.pack(text).count < text.count / 15)
  }
}
