import Testing

@testable import JSON

/// A decoder like the generated ones.
private struct Point: JSONDecodable, Equatable {
  var x: Int
  var name: String?

  init(from reader: inout JSONReader) throws(JSONError) {
    var x: Int?
    var name: String?
    var object = try reader.beginObject("a point")
    while try reader.nextMember(&object) {
      if try reader.member("x", 0, &object) {
        x = try reader.int(in: 0...100)
      } else if try reader.member("name", 1, &object) {
        name = try reader.string()
      } else {
        try reader.unknownMember(&object, known: "x name")
      }
    }
    guard let x else { throw reader.missing("x", object) }
    self.x = x
    self.name = name
  }
}

struct DecodingTests {
  @Test(
    "A shape error has its code, pointer and expectation",
    arguments: [
      (#"[{"x":101}]"#, JSONError.Code.outOfRange, "/0/x", "an integer from 0 to 100"),
      (#"[{"x":"1"}]"#, .wrongType, "/0/x", "an integer from 0 to 100"),
      (#"[{"x":1.5}]"#, .wrongType, "/0/x", "an integer from 0 to 100"),
      (#"[{"x":1},{"name":"a"}]"#, .missingMember, "/1/x", "the member “x”"),
      (#"[{"x":1,"nmae":"a"}]"#, .unknownMember, "/0/nmae", "did you mean “name”?"),
      (#"[{"x":1,"x":2}]"#, .duplicateMember, "/0/x", "each member once"), ("[7]", .wrongType, "/0", "a point"),
      (#"[{"x":1,"name":null}]"#, .wrongType, "/0/name", "a string"), ("{}", .wrongType, "", "an array"),
      (#"[{"x":99999999999999999999999}]"#, .wrongType, "/0/x", "an integer from 0 to 100"),
    ])
  func shapes(_ text: String, _ code: JSONError.Code, _ pointer: String, _ expected: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(throws: JSONError.self) {
      try JSONReader.read(bytes) { reader throws(JSONError) in try reader.array(of: Point.self) }
    }
    #expect(error.code == code)
    #expect(error.expected == expected)
    #expect(bytes.withUnsafeBytes { error.pointer(in: $0) } == pointer)
    #expect(!error.isMalformed)
  }

  @Test("A text of another form is reported as such, not as out of range")
  func wrongText() throws {
    let error = try #require(throws: JSONError.self) {
      try JSONReader.read(Array(#""5th May""#.utf8)) { reader throws(JSONError) -> Int in
        try reader.string(as: "a day, YYYY-MM-DD") { _ in nil }
      }
    }
    #expect(error.code == .wrongText && !error.isMalformed)
    #expect(error.description == "expected a day, YYYY-MM-DD")
  }

  @Test("Escaped names are known names", arguments: [#"{"\u0078":5}"#, #"{"x":5,"n\u0061me":"x"}"#])
  func escapedNames(_ text: String) throws {
    #expect(try Point(json: Array(text.utf8)).x == 5)
  }

  @Test("Unknown members are accepted when not refused, but only once each")
  func lenient() throws {
    let text = Array(#"{"x":5,"later":{"a":[1]},"more":2}"#.utf8)
    #expect(try text.withUnsafeBytes { buffer throws(JSONError) in try Point(json: buffer, strict: false) }.x == 5)
    let twice = Array(#"{"x":5,"later":1,"later":2}"#.utf8)
    #expect(throws: JSONError.self) {
      try twice.withUnsafeBytes { buffer throws(JSONError) in try Point(json: buffer, strict: false) }
    }
  }

  @Test(
    "Integers are read by value, in any spelling",
    arguments: [
      ("7.0", 7), ("7e0", 7), ("70e-1", 7), ("0.7e1", 7), ("-0", 0), ("-0.0e5", 0),
      ("9007199254740991", 9_007_199_254_740_991),
      ("-9007199254740991", -9_007_199_254_740_991), ("00" + "7", nil), ("7.5", nil), ("9007199254740992", nil),
      ("1e400", nil),
      ("1e-400", nil), ("0e999999999999", 0), ("7.", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ value: Int?) {
    #expect((try? Int(json: Array(text.utf8))) == value)
  }

  @Test("Number lexemes pass through untouched", arguments: ["1.50", "-0", "1E+2", "9007199254740993", "1e400"])
  func lexemes(_ text: String) throws {
    #expect(try JSONValue(json: Array(text.utf8)).json == Array(text.utf8))
  }

  @Test("The nearest name is found, or none when none is near")
  func spelling() {
    #expect(Spelling.nearest(to: "caloreis", among: ["id", "calories", "day"]) == "calories")
    #expect(Spelling.nearest(to: "Day", among: ["id", "calories", "day"]) == "day")
    #expect(Spelling.nearest(to: "zebra", among: ["id", "calories", "day"]) == nil)
    #expect(Spelling.nearest(to: "di", among: ["id"]) == "id")
  }
}
