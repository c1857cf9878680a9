/// Letters and what is left of them without case and marks; from the decompositions of Unicode 16 (UnicodeData.txt).
enum FoodNameTables {
  /// The plain text of a Latin letter or a typographic sign; nil for anything else.
  static func plain(_ value: UInt32) -> [UInt8]? {
    switch value {
    case 0xDF, 0x1E9E: return Array("ss".utf8)
    case 0xC6, 0xE6, 0x1E2, 0x1E3, 0x1FC, 0x1FD: return Array("ae".utf8)
    case 0x152, 0x153: return Array("oe".utf8)
    case 0xDE, 0xFE: return Array("th".utf8)
    case 0x2018...0x201B, 0x2032, 0xB4: return [UInt8(ascii: "'")]
    case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: return [UInt8(ascii: "\"")]
    case 0x2010...0x2015, 0x2212: return [UInt8(ascii: "-")]
    case 0xC0...0x24F: return letter(latin, Int(value - 0xC0))
    case 0x1E00...0x1EFF: return letter(latinAdditional, Int(value - 0x1E00))
    default: return nil
    }
  }

  private static func letter(_ table: StaticString, _ place: Int) -> [UInt8]? {
    guard place < table.utf8CodeUnitCount else { return nil }
    let byte = table.utf8Start[place]
    return byte == UInt8(ascii: ".") ? nil : [byte]
  }

  /// U+00C0 to U+024F; a full stop where the letter stays as it is.
  private static let latin: StaticString = """
    aaaaaa.ceeeeiiiidnooooo.ouuuuy.saaaaaa.ceeeeiiiidnooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggg\
    gggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
    ................................oo.............uu............................aaiioouuuuuuuuuu.aa\
    aa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............\
    ................
    """

  /// U+1E00 to U+1EFF.
  private static let latinAdditional: StaticString = """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr\
    ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s..s.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """

  /// Lower-case letters of Greek and Cyrillic with a mark, the last sigma, and an iota that stands for one.
  static let marked = Array("άέήίόύώϊϋΐΰς\u{1FBE}йѐёѓїќѝўӂӑӓӗӝӟӣӥӧӭӯӱӳӵӹ".unicodeScalars)
  /// The same letters without.
  static let unmarked = Array("αεηιουωιυιυσιиеегікиужааежзииоэууучы".unicodeScalars)
}
