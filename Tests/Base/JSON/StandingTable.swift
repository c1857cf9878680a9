import Testing

/// Known tricky JSON inputs, each with this reader's verdict.
enum StandingTable {
  /// A text and whether it is accepted.
  struct Row: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let isAccepted: Bool
    var testDescription: String { name }
  }

  static func accept(_ name: String, _ text: String) -> Row {
    Row(name: name, bytes: Array(text.utf8), isAccepted: true)
  }
  static func reject(_ name: String, _ text: String) -> Row {
    Row(name: name, bytes: Array(text.utf8), isAccepted: false)
  }
  static func reject(_ name: String, bytes: [UInt8]) -> Row { Row(name: name, bytes: bytes, isAccepted: false) }

  static let numbers: [Row] = [
    accept("zero", "0"), accept("minus zero", "-0"), accept("fraction", "1.25"), accept("exponent", "1e5"),
    accept("exponent with plus", "1E+5"), accept("exponent with minus", "1e-5"), accept("minus zero exponent", "-0e-0"),
    accept("2^53 + 1 as a lexeme", "9007199254740993"), accept("beyond every double", "1e400"),
    accept("a hundred digits", String(repeating: "9", count: 100)),
    accept("long fraction", "0." + String(repeating: "1", count: 1000)),
    reject("leading zero", "01"), reject("minus leading zero", "-01"), reject("plus", "+1"), reject("lone minus", "-"),
    reject("no digit before the point", ".5"), reject("no digit after the point", "1."),
    reject("no digit in the exponent", "1e"), reject("sign only in the exponent", "1e+"), reject("hexadecimal", "0x1F"),
    reject("NaN", "NaN"), reject("Infinity", "Infinity"), reject("minus Infinity", "-Infinity"),
    reject("underscore", "1_000"), reject("two points", "1.2.3"), reject("fraction in the exponent", "1e2.5"),
    reject("full-width digit", "１"), reject("space in a number", "1 2"), reject("minus space", "- 1"),
  ]

  static let strings: [Row] = [
    accept("empty", #""""#), accept("every short escape", #""\"\\\/\b\f\n\r\t""#), accept("escaped NUL", #""\u0000""#),
    accept("surrogate pair", #""\uD83D\uDE00""#), accept("surrogate pair in lower case", #""\ud83d\ude00""#),
    accept("raw emoji", "\"😀\""), accept("U+007F", "\"\u{7F}\""), accept("U+2028", "\"\u{2028}\""),
    accept("escaped byte order mark", #""\uFEFF""#), accept("noncharacter", "\"\u{FFFF}\""),
    accept("mixed with escapes at every eighth byte", #""1234567\n1234567\n1234567é""#),
    reject("raw newline", "\"a\nb\""), reject("raw tab", "\"a\tb\""), reject("raw NUL", bytes: [0x22, 0, 0x22]),
    reject("unterminated", "\"abc"), reject("ends in a backslash", "\"abc\\"), reject("unknown escape", #""\x41""#),
    reject("escaped single quote", #""\'""#), reject("short \\u", #""\u12""#),
    reject("\\u with a non-digit", #""\u12G4""#),
    reject("lone high surrogate", #""\uD83D""#), reject("lone low surrogate", #""\uDE00""#),
    reject("high surrogate, then text", #""\uD83Dx""#), reject("high surrogate, then a letter", #""\uD83D\u0041""#),
    reject("surrogates in the wrong order", #""\uDE00\uD83D""#), reject("two high surrogates", #""\uD83D\uD83D""#),
    reject("single quotes", "'a'"), reject("upper-case \\U", #""\U0041""#), reject("end inside \\u", "\"\\u00"),
  ]

  static let utf8: [Row] = [
    reject("lone continuation", bytes: [0x22, 0x80, 0x22]),
    reject("overlong slash, two bytes", bytes: [0x22, 0xC0, 0xAF, 0x22]),
    reject("overlong, three bytes", bytes: [0x22, 0xE0, 0x80, 0xAF, 0x22]),
    reject("overlong, four bytes", bytes: [0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22]),
    reject("overlong NUL", bytes: [0x22, 0xC0, 0x80, 0x22]),
    reject("surrogate in UTF-8", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22]),
    reject("past U+10FFFF", bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22]),
    reject("five-byte lead", bytes: [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22]),
    reject("0xFF", bytes: [0x22, 0xFF, 0x22]), reject("truncated in the middle", bytes: [0x22, 0xE2, 0x82, 0x22]),
    reject("truncated at the end", bytes: [0x22, 0xF0, 0x9F, 0x98]), reject("Latin-1", bytes: [0x22, 0xE9, 0x22]),
    reject("bad bytes in a name", bytes: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]),
    reject("UTF-16", bytes: [0x31, 0x00]), reject("byte order mark", bytes: [0xEF, 0xBB, 0xBF, 0x31]),
    Row(
      name: "last scalar of each length",
      bytes: [0x22, 0x7F, 0xDF, 0xBF, 0xEF, 0xBF, 0xBF, 0xF4, 0x8F, 0xBF, 0xBF, 0x22], isAccepted: true),
    Row(name: "around the surrogates", bytes: [0x22, 0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80, 0x22], isAccepted: true),
  ]

  static let structure: [Row] = [
    accept("empty object", "{}"), accept("empty array", "[]"),
    accept("white space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] } \n"),
    accept("empty name", #"{"":1}"#), accept("the same name in two objects", #"[{"a":1},{"a":1}]"#),
    accept("the same name inside", #"{"a":{"a":1}}"#), accept("scalar at the top", "true"),
    accept("depth 512", String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
    reject("depth 513", String(repeating: "[", count: 513) + String(repeating: "]", count: 513)),
    reject("depth 513 in objects", String(repeating: #"{"a":"#, count: 513) + "1" + String(repeating: "}", count: 513)),
    reject("a million open brackets", String(repeating: "[", count: 1_000_000)),
    reject("nothing", ""), reject("white space only", "  \n"), reject("two values", "1 1"),
    reject("value, then comma", "1,"),
    reject("trailing comma in an array", "[1,]"), reject("trailing comma in an object", #"{"a":1,}"#),
    reject("leading comma", "[,1]"), reject("double comma", "[1,,2]"), reject("missing comma", "[1 2]"),
    reject("missing comma in an object", #"{"a":1 "b":2}"#), reject("missing colon", #"{"a" 1}"#),
    reject("missing value", #"{"a":}"#), reject("unquoted name", "{a:1}"), reject("number as a name", "{1:1}"),
    reject("unclosed array", "[1"), reject("unclosed object", #"{"a":1"#), reject("wrong closing", "[1}"),
    reject("lone closing", "]"), reject("line comment", "1 // one"), reject("block comment", "/* one */ 1"),
    reject("True", "True"), reject("nul", "nul"), reject("nulll", "nulll"), reject("truefalse", "truefalse"),
    reject("form feed as white space", "\u{0C}1"), reject("no-break space", "\u{A0}1"),
    reject("undefined", "undefined"),
    reject("duplicate name", #"{"a":1,"a":2}"#), reject("duplicate through an escape", #"{"a":1,"\u0061":2}"#),
    reject("duplicate deep inside", #"[{"x":{"a":1,"b":2,"a":3}}]"#),
    reject("duplicate among a hundred", "{" + (0..<100).map { "\"k\($0)\":1," }.joined() + "\"k99\":1}"),
    reject("duplicate of an early one among a hundred", "{" + (0..<100).map { "\"k\($0)\":1," }.joined() + "\"k0\":1}"),
    accept("a hundred names", "{" + (0..<100).map { "\"k\($0)\":1," }.joined() + "\"k100\":1}"),
  ]
}
