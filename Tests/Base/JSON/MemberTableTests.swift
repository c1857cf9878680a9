import JSON
import Testing

/// Objects decoded with a table of member names.
struct MemberTableTests {
  private static let names: StaticString = "id day at amount"

  /// The indices of the members in the order of reading.
  private func numbers(
    _ text: String, unknown: UnknownMembers = .refused, isStrict: Bool = true
  ) throws(JSONError) -> [Int] {
    try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
      reader.refusesUnknownMembers = isStrict
      var object = try reader.beginObject()
      var found: [Int] = []
      while let number = try reader.nextMember(&object, among: Self.names, unknown: unknown) {
        found.append(number)
        try reader.skipValue()
      }
      return found
    }
  }

  @Test(
    "A member is found in any order, and with escapes in its name",
    arguments: [
      (#"{"id":1,"day":2,"at":3,"amount":4}"#, [0, 1, 2, 3]), (#"{"amount":4,"at":3,"day":2,"id":1}"#, [3, 2, 1, 0]),
      (#"{"at":1,"id":2}"#, [2, 0]), (#"{"\u0069d":1,"d\u0061y":2}"#, [0, 1]), ("{}", []),
    ])
  func order(_ text: String, _ expected: [Int]) throws {
    #expect(try numbers(text) == expected)
  }

  @Test(
    "Only a whole name matches a member",
    arguments: ["i", "ids", "id day", "d", "", " ", "amoun", "unt", "ID", "day at amount", "\u{212A}"])
  func wholeNames(_ name: String) throws {
    let text = #"{"at":1,"\#(name)":2}"#
    #expect(throws: JSONError.self) { try numbers(text) }
    #expect(try numbers(text, isStrict: false) == [2])
    #expect(try numbers(text, unknown: .ignored) == [2])
  }

  @Test(
    "A duplicate member is refused, known or not",
    arguments: [#"{"at":1,"at":2}"#, #"{"at":1,"\u0061t":2}"#, #"{"x":1,"at":1,"x":2}"#, #"{"x":{"y":1},"y":2,"x":1}"#])
  func duplicates(_ text: String) {
    do throws(JSONError) {
      _ = try numbers(text, isStrict: false)
      Issue.record("accepted")
    } catch { #expect(error.code == .duplicateMember) }
  }

  @Test("Names of any length are found in order, out of order and with white space, but not in truncated texts")
  func lengths() throws {
    let names: StaticString = "a abcdefg abcdefgh abcdefghi abcdefghijklmnop abcdefghijklmnopq z"
    func read(_ text: String) throws(JSONError) -> [Int] {
      try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
        var object = try reader.beginObject()
        var found: [Int] = []
        while let number = try reader.nextMember(&object, among: names, unknown: .refused) {
          found.append(number)
          try reader.skipValue()
        }
        return found
      }
    }
    let members = names.words.map { "\"\($0)\":1" }
    #expect(try read("{\(members.joined(separator: ","))}") == Array(0..<7))
    #expect(try read("{\(members.reversed().joined(separator: ","))}") == Array((0..<7).reversed()))
    #expect(try read("{ \(members.joined(separator: " , ").replacing("\":", with: "\" :")) }") == Array(0..<7))
    let text = "{\(members.joined(separator: ","))}"
    for length in 0..<text.count { #expect(throws: JSONError.self) { try read(String(text.prefix(length))) } }
  }

  @Test("Unknown members of one object are not duplicates of another's")
  func nested() throws {
    let text = #"[{"x":1},{"x":1,"y":{"x":2}},{"y":1}]"#
    let counts = try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      var counts: [Int] = []
      try reader.beginArray()
      while try reader.nextElement(isFirst: counts.isEmpty) {
        var object = try reader.beginObject()
        while try reader.nextMember(&object, among: Self.names, unknown: .refused) != nil {}
        counts.append(0)
      }
      return counts
    }
    #expect(counts.count == 3)
  }

  @Test("All missing required members are named, at the place of the first")
  func missing() throws {
    do throws(JSONError) {
      try JSONReader.read(Array(#"{"id":1}"#.utf8)) { reader throws(JSONError) in
        var object = try reader.beginObject()
        while try reader.nextMember(&object, among: Self.names, unknown: .refused) != nil { try reader.skipValue() }
        throw reader.missing(Self.names, required: 0b1101, object)
      }
    } catch {
      #expect(error.code == .missingMember && error.member == "at" && error.offset == 0)
      #expect(error.expected == "the members “at”, “amount”" && error.isPlural)
      #expect("\(error)" == "the members “at”, “amount” are missing")
    }
  }

  @Test(
    "Only a whole word matches",
    arguments: [("kg", 0), ("lb", 1), ("st", 2), ("k", nil), ("kg lb", nil), ("", nil), ("lb ", nil), ("ST", nil)])
  func words(_ text: String, _ number: Int?) throws {
    func read(orOther: Bool) throws(JSONError) -> (number: Int, other: String?) {
      try JSONReader.read(Array("\"\(text)\"".utf8)) { reader throws(JSONError) in
        reader.acceptsUnknownValues = true
        return try reader.word(among: "kg lb st", orOther: orOther)
      }
    }
    let open = try read(orOther: true)
    #expect(open.other == (number == nil ? text : nil))
    if let number {
      #expect(try read(orOther: false).number == number && open.number == number)
    } else {
      #expect(throws: JSONError.self) { try read(orOther: false) }
    }
  }
}
