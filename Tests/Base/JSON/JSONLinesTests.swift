import Testing

@testable import JSON

@Suite("Arrays kept as lines, and values compared however they are written")
struct JSONLinesTests {
  @Test(
    "Each element is a line of its own, without white space between its tokens, and is written back as it was",
    arguments: [
      ("[]", "", "[]"), ("[1]", "1\n", "[1]"), ("[1,2,{}]", "1\n2\n{}\n", "[1,2,{}]"),
      (
        "[ { \"a b\" : [ 1 , 2 ] } ,\n\t\"\\\" , \" ] ", "{\"a b\":[1,2]}\n\"\\\" , \"\n",
        "[{\"a b\":[1,2]},\"\\\" , \"]"
      ),
      ("[\"\\\\\", 1]", "\"\\\\\"\n1\n", "[\"\\\\\",1]"),
      ("[\"a\\/b\\u0041\" ]", "\"a\\/b\\u0041\"\n", "[\"a\\/b\\u0041\"]"),
    ])
  func lines(_ text: String, _ expected: String, _ written: String) throws {
    let lines = try JSONLines(json: Array(text.utf8))
    #expect(String(decoding: lines.pieces.joined(), as: UTF8.self) == expected)
    #expect(String(decoding: lines.json, as: UTF8.self) == written)
  }

  @Test("Pieces of lines are one array")
  func pieces() {
    var lines = JSONLines()
    for piece in ["1\n2\n", "", "3\n"] { lines.append(unchecked: Array(piece.utf8)) }
    #expect(String(decoding: lines.json, as: UTF8.self) == "[1,2,3]")
  }

  @Test("What is no array is refused", arguments: ["{}", "[1", "[1,]", "1", "[01]", "[\"\n\"]"])
  func refused(_ text: String) {
    #expect(throws: JSONError.self) { try JSONLines(json: Array(text.utf8)) }
  }

  private func areEqual(_ left: String, _ right: String) -> Bool {
    Array(left.utf8).withUnsafeBytes { left in
      Array(right.utf8).withUnsafeBytes { JSONValue.areEqualInValue(left, $0) }
    }
  }

  @Test(
    "White space, escapes, the order of members and the spelling of numbers are no part of a value",
    arguments: [
      ("1", "1.0"), ("1", "1e0"), ("100", "1E+2"), ("0.5", "5e-1"), ("0", "-0.0"), ("0.10", "0.1"), ("1200", "12e2"),
      ("-1.50", "-15E-1"), ("\"ü/\"", "\"\\u00fc\\/\""), ("{\"a\":1,\"b\":[2]}", " { \"b\" : [ 2.0 ] , \"a\" : 1 } "),
      ("null", "null"), ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
    ])
  func equal(_ left: String, _ right: String) {
    #expect(areEqual(left, right) && areEqual(right, left))
  }

  @Test(
    "Everything else is",
    arguments: [
      ("1", "-1"), ("1", "1.01"), ("10", "1"), ("1", "\"1\""), ("[1,2]", "[2,1]"),
      ("{\"a\":1}", "{\"a\":1,\"b\":null}"),
      ("{\"a\":1}", "{\"b\":1}"), ("0.1", "0.10000000000000001"), ("null", "false"), ("[]", "{}"), ("1", "x"),
      ("x", "x"),
    ])
  func different(_ left: String, _ right: String) {
    #expect(!areEqual(left, right) && !areEqual(right, left))
  }
}
