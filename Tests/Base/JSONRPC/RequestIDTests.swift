import Testing

@testable import JSONRPC

/// Equality of ids (J3, J4, J5).
struct RequestIDTests {
  @Test(
    "Ids differ by kind and by text",
    arguments: [
      ("1", #""1""#), ("1", "1.0"), ("1", "1e0"), ("0", "-0"), (#""""#, "0"), (#""""#, "null"), ("null", #""null""#),
      (#""a""#, #""A""#), (#""é""#, "\"e\u{301}\""), (#""\n""#, #""n""#), (#""\\u0061""#, #""a""#),
    ])
  func differ(_ left: String, _ right: String) {
    let (left, right) = (RequestID(lexeme: Array(left.utf8)), RequestID(lexeme: Array(right.utf8)))
    #expect(left != right)
    #expect(Set([left, right]).count == 2)
  }

  @Test(
    "A string is the same string however it is escaped",
    arguments: [(#""a""#, #""\u0061""#), (#""/""#, #""\/""#), (#""😀""#, #""\ud83d\ude00""#), (#""\n""#, #""\u000a""#)])
  func same(_ left: String, _ right: String) {
    let (left, right) = (RequestID(lexeme: Array(left.utf8)), RequestID(lexeme: Array(right.utf8)))
    #expect(left == right)
    #expect(Set([left, right]).count == 1)
    #expect(left.lexeme != right.lexeme)
  }

  @Test("The original text is sent back", arguments: ["1.0", #""\u0061""#, "null", "-0", "1E+2"])
  func lexemes(_ text: String) {
    #expect(RequestID(lexeme: Array(text.utf8)).lexeme == Array(text.utf8))
  }
}
