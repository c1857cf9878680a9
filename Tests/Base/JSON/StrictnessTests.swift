import Testing

@testable import JSON

struct StrictnessTests {
  @Test(
    "Skipping gives the verdict of the standing table",
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
    "What is accepted is written back with its lexemes and order, and read again as the same",
    arguments: (StandingTable.numbers + StandingTable.strings + StandingTable.structure).filter(\.isAccepted))
  func roundTrip(_ row: StandingTable.Row) throws {
    let value = try JSONValue(json: row.bytes)
    #expect(try JSONValue(json: value.json) == value)
  }

  @Test(
    "An error tells the byte and the pointer",
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
}
