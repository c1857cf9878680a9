/// Latin letters and their ASCII base letters, lower-cased: from the decompositions of Unicode 16 (UnicodeData.txt),
/// and by convention for those without one (ß is ss, æ is ae, ø is o, þ is th).
package enum LatinLetters {
  /// Appends the one or two lower-case ASCII letters for a letter beyond ASCII.
  ///
  /// - Returns: Whether there are any; false for other scripts, for letters without a plain form such as ə, and for
  ///   non-letters.
  package static func appendPlain(of value: UInt32, to text: inout [UInt8]) -> Bool {
    switch value {
    case 0xDF, 0x1E9E: append("s", "s", to: &text)
    case 0xC6, 0xE6, 0x1E2, 0x1E3, 0x1FC, 0x1FD: append("a", "e", to: &text)
    case 0x152, 0x153: append("o", "e", to: &text)
    case 0xDE, 0xFE: append("t", "h", to: &text)
    case 0xC0...0x24F: appendLetter(extended, Int(value - 0xC0), to: &text)
    case 0x1E00...0x1EFF: appendLetter(additional, Int(value - 0x1E00), to: &text)
    default: false
    }
  }

  private static func append(_ first: Unicode.Scalar, _ second: Unicode.Scalar, to text: inout [UInt8]) -> Bool {
    text.append(UInt8(ascii: first))
    text.append(UInt8(ascii: second))
    return true
  }

  private static func appendLetter(_ table: StaticString, _ place: Int, to text: inout [UInt8]) -> Bool {
    guard place < table.utf8CodeUnitCount else { return false }
    let byte = table.utf8Start[place]
    guard byte != UInt8(ascii: ".") else { return false }
    text.append(byte)
    return true
  }

  /// U+00C0 to U+024F; a full stop marks a letter without a plain form.
  private static let extended: StaticString = """
    aaaaaa.ceeeeiiiidnooooo.ouuuuy.saaaaaa.ceeeeiiiidnooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggg\
    gggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
    ................................oo.............uu............................aaiioouuuuuuuuuu.aa\
    aa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............\
    ................
    """

  /// U+1E00 to U+1EFF.
  private static let additional: StaticString = """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr\
    ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s..s.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """
}
