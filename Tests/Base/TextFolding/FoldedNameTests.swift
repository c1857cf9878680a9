import Testing

@testable import TextFolding

@Suite("Folded names")
struct FoldedNameTests {
  @Test(
    "Case, diacritics, white space and typography make no difference",
    arguments: [
      ("Crème Brûlée", "creme brulee"), ("CRE\u{300}ME BRU\u{302}LE\u{301}E", "creme brulee"),
      ("  oat \t\n bowl ", "oat bowl"), ("Käsespätzle", "kasespatzle"), ("Weißwürste", "weisswurste"),
      ("WEISSWÜRSTE", "weisswurste"), ("WEIẞWÜRSTE", "weisswurste"), ("Smørrebrød", "smorrebrod"),
      ("Œufs à la neige", "oeufs a la neige"), ("Æbleskiver", "aebleskiver"), ("Łosoś", "losos"),
      ("Þorskur", "thorskur"), ("5 Å", "5 a"), ("5 \u{212B}", "5 a"),
      ("Phở bò", "pho bo"), ("İskender", "iskender"), ("ISKENDER", "iskender"), ("Börek, ılık", "borek, ilik"),
      ("Щи и ёлка", "щи и елка"), ("ΣΟΥΒΛΆΚΙ", "σουβλακι"), ("Τζατζίκι ς", "τζατζικι σ"),
      ("Grandma’s “best” – ever", "grandma's \"best\" - ever"), ("Bún\u{A0}chả\u{3000}", "bun cha"),
      ("7\u{AD}grain\u{200B} bread", "7grain bread"), ("🍛 Curry", "🍛 curry"), ("ラーメン", "ラーメン"), ("×2", "×2"),
      ("", ""), ("\u{301}", "\u{301}"),
    ])
  func vectors(_ name: String, _ folded: String) {
    #expect(
      String(decoding: FoldedName.folded(name), as: UTF8.self).unicodeScalars.elementsEqual(folded.unicodeScalars))
  }

  @Test("Folding is idempotent for every letter")
  func idempotent() {
    for value in UInt32(0x20)...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let name = "a\(scalar)b"
      let once = FoldedName.folded(name)
      #expect(FoldedName.folded(String(decoding: once, as: UTF8.self)) == once, "U+\(String(value, radix: 16))")
    }
  }

  @Test("Upper and lower case are the same in every script")
  func cases() {
    for value in UInt32(0x41)...0x1_E943 {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isLowercase,
        scalar.properties.uppercaseMapping.unicodeScalars.count == 1,
        let upper = scalar.properties.uppercaseMapping.unicodeScalars.first,
        upper.properties.lowercaseMapping == "\(scalar)"
      else { continue }
      #expect(FoldedName.folded("\(scalar)") == FoldedName.folded("\(upper)"), "U+\(String(value, radix: 16))")
    }
  }

  @Test("Folding never changes: the ids of favourites are derived from it")
  func golden() {
    // FNV-1a over the folded form of every character of Unicode 15, alone and within a word.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
      guard let age = scalar.properties.age, age.major <= 15 else { continue }
      for byte in FoldedName.folded("\(scalar)") + [0xFF] + FoldedName.folded("a\(scalar)b") + [0xFF] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 0xBB26_6BF3_3D52_0F88)
  }
}
