import Testing

@testable import JSON

struct StrictnessTests {
  @Test(
    "Skipping agrees with the table of verdicts",
    arguments: StandingTable.numbers + StandingTable.strings + StandingTable.utf8 + StandingTable.structure)
  func skipping(_ row: StandingTable.Row) {
    #expect(verdict { reader throws(JSONError) in try reader.skipValue() } == row.isAccepted)

    func verdict(_ body: (inout JSONReader) throws(JSONError) -> Void) -> Bool {
      (try? JSONReader.read(row.bytes, body)) != nil
    }
  }

  @Test(
    "Reading into a tree gives the same verdict",
    arguments: StandingTable.numbers + StandingTable.strings + StandingTable.utf8 + StandingTable.structure)
  func reading(_ row: StandingTable.Row) {
    #expect(((try? JSONValue(json: row.bytes)) != nil) == row.isAccepted)
  }

  @Test(
    "Accepted texts are written back with their lexemes and order, and read again as equal",
    arguments: (StandingTable.numbers + StandingTable.strings + StandingTable.structure).filter(\.isAccepted))
  func roundTrip(_ row: StandingTable.Row) throws {
    let value = try JSONValue(json: row.bytes)
    #expect(try JSONValue(json: value.json) == value)
  }

  @Test(
    "An error has the byte offset and the pointer",
    arguments: [
      (#"{"a":[1,{"b":tru}]}"#, 16, "/a/1/b"), (#"{"a":1,}"#, 7, ""), ("[1,2", 4, ""),
      (#"{"x/y~z":[nul]}"#, 13, "/x~1y~0z/0"),
      (#"{"a":1,"a":2}"#, 7, "/a"), (#"[[],{"q":{"a":1,"a":2}}]"#, 16, "/1/q/a"), ("[0,[1,[2,x]]]", 9, "/1/1/1"),
    ])
  func location(_ text: String, _ offset: Int, _ pointer: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(throws: JSONError.self) { try JSONValue(json: bytes) }
    #expect(error.offset == offset)
    #expect(bytes.withUnsafeBytes { error.pointer(in: $0) } == pointer)
  }

  /// The fast path handles up to sixteen plain members; other objects take the general path, in which the fast path can
  /// start again.
  @Test("A duplicate member is found anywhere, after any kind of member", arguments: 2...20)
  func repeated(count: Int) throws {
    let values = ["1", #""text""#, "null", "[1]", #"{"a":1}"#, "{}"]
    for special in -1..<count {
      for value in values {
        func text(_ name: (Int) -> String) -> [UInt8] {
          let members = (0..<count).map { #""\#(name($0))":\#($0 == special ? value : "0")"# }
          return Array("{\(members.joined(separator: ","))}".utf8)
        }
        func skip(_ text: [UInt8], allowsDuplicates: Bool = false) throws(JSONError) {
          try JSONReader.read(text) { reader throws(JSONError) in
            reader.allowsDuplicates = allowsDuplicates
            try reader.skipValue()
          }
        }
        try skip(text { "m\($0)" })
        for (first, second) in [(0, count - 1), (count / 2, count - 1), (0, 1)] where first < second {
          let spellings = ["m\(first)", #"\u006d\#(first)"#]
          for spelling in spellings {
            let twice = text { $0 == second ? spelling : "m\($0)" }
            let error = #expect(throws: JSONError.self) { try skip(twice) }
            #expect(error?.code == .duplicateMember)
            try skip(twice, allowsDuplicates: true)
          }
        }
      }
    }
  }
}
