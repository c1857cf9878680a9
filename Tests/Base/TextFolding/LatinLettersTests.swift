import Foundation
import Testing

@testable import TextFolding

@Suite("Latin letters without case and marks")
struct LatinLettersTests {
  private func plain(_ scalar: Unicode.Scalar) -> String? {
    var text: [UInt8] = []
    return LatinLetters.appendPlain(of: scalar.value, to: &text) ? String(decoding: text, as: UTF8.self) : nil
  }

  @Test(
    "A letter without a decomposition becomes its conventional spelling",
    arguments: [
      ("ß", "ss"), ("ẞ", "ss"), ("Æ", "ae"), ("æ", "ae"), ("ǽ", "ae"), ("œ", "oe"), ("Þ", "th"), ("ð", "d"), ("Ø", "o"),
      ("ł", "l"), ("ı", "i"), ("ŋ", "n"), ("ſ", "s"),
    ] as [(Unicode.Scalar, String)])
  func ligatures(_ letter: Unicode.Scalar, _ expected: String) { #expect(plain(letter) == expected) }

  @Test(
    "Characters without a plain form are left alone",
    arguments: ["a", "Z", "×", "÷", "ə", "é\u{301}", "я", "ω", "日", "“"])
  func others(_ text: String) throws {
    let scalar = try #require(text.unicodeScalars.last)
    #expect(plain(scalar) == nil)
  }

  @Test("Every ASCII letter with marks folds to that letter, and only q never has marks")
  func decompositions() {
    var letters: Set<String> = []
    for value in Array(UInt32(0xC0)...0x24F) + Array(0x1E00...0x1EFF) {
      guard let scalar = Unicode.Scalar(value),
        let first = "\(scalar)".decomposedStringWithCanonicalMapping.unicodeScalars.first, first.isASCII
      else { continue }
      #expect(plain(scalar) == "\(first)".lowercased(), "U+\(String(value, radix: 16))")
      letters.insert("\(first)".lowercased())
    }
    #expect(letters.count == 25 && !letters.contains("q"))
  }

  @Test("Folding appends lower-case ASCII letters")
  func form() {
    for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
      var text = Array("x".utf8)
      let isFound = LatinLetters.appendPlain(of: scalar.value, to: &text)
      #expect(isFound ? (2...3).contains(text.count) : text.count == 1)
      #expect(text.first == UInt8(ascii: "x") && text.allSatisfy { (0x61...0x7A).contains($0) })
    }
  }
}
