import JSON
import Testing

@testable import JSONRPC

/// The faults of texts that are not messages, with their locations (J7, J17, J18).
struct MessageFaultTests {
  private func told(_ bytes: [UInt8]) -> MessageFault? {
    bytes.withUnsafeBytes { buffer in
      guard case .invalid(let fault, _) = Envelope.classify(buffer) else { return nil }
      return fault
    }
  }

  @Test(
    "What is not JSON is a parse error without an id, with its byte and pointer (J7)",
    arguments: [
      ("", 0, ""), ("{", 1, ""), ("nonsense", 1, ""), (#"{"jsonrpc":"2.0","id":7,"method":"m""#, 36, ""),
      (#"{"jsonrpc":"2.0","id":7,"method":"m"}}"#, 37, ""), (#"{"id":7,"params":{"a":[1,tru]}}"#, 28, "/params/a/1"),
      (#"{"id":01}"#, 7, "/id"), ("[1,2", 4, ""), ("1 2", 2, ""), (#""a" b"#, 4, ""), ("\u{FEFF}{}", 0, ""),
      (#"{"a":1,"a":2,"#, 13, ""), (#"{"id":1,"id":2} x"#, 16, ""), (#"[{"a":1,"a":2},"#, 15, "/1"),
    ])
  func parseErrors(_ text: String, _ offset: Int, _ pointer: String) throws {
    let fault = try #require(told(Array(text.utf8)))
    #expect(fault.kind == .parseError)
    #expect(fault.offset == offset)
    #expect(fault.pointer == pointer)
    #expect(!fault.message.isEmpty)
    guard case .invalid(_, nil, _) = take(text) else { return #expect(take(text) == .batch([])) }
  }

  @Test(
    "Text that is not Unicode is a parse error (J18)",
    arguments: [#"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"\ud83dx"#])
  func unicode(_ escape: String) {
    #expect(
      take(#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"\#(escape)"}}"#)
        == .invalid(.parseError, id: nil, pointer: "/params/a"))
  }

  @Test("Invalid UTF-8 is a parse error anywhere")
  func utf8() {
    for (before, after) in [(#"{"jsonrpc":"2.0","id":7,"method":""#, #""}"#), (#"{""#, #"":1}"#), (#"["a",""#, #""]"#)]
    {
      #expect(told(Array(before.utf8) + [0xC3, 0x28] + Array(after.utf8))?.kind == .parseError)
    }
  }

  @Test(
    "JSON that is not a message is an invalid request without an id (J7)",
    arguments: ["1", "null", "true", #""{}""#, " 7 "])
  func scalars(_ text: String) {
    #expect(take(text) == .invalid(.invalidRequest, id: nil, pointer: ""))
  }

  @Test("An empty object is an invalid request")
  func emptyObject() {
    #expect(take("{}") == .invalid(.invalidRequest, id: nil, pointer: "/jsonrpc"))
  }

  @Test(
    "A duplicate member is an invalid request, with the id if it is unambiguous (J17)",
    arguments: [
      (#"{"jsonrpc":"2.0","id":7,"method":"m","method":"n"}"#, "7", "/method"),
      (#"{"method":"m","method":"n","id":"a","jsonrpc":"2.0"}"#, #""a""#, "/method"),
      (#"{"jsonrpc":"2.0","id":7,"id":7,"method":"m"}"#, nil, "/id"),
      (#"{"jsonrpc":"2.0","id":7,"\u0069d":8,"method":"m"}"#, nil, "/id"),
      (#"{"jsonrpc":"2.0","id":null,"method":"m","params":{"a":1,"b":{"c":1,"c":1}}}"#, "null", "/params/b/c"),
      (#"{"jsonrpc":"2.0","id":{},"method":"m","method":"m"}"#, nil, "/method"),
      (#"{"jsonrpc":"2.0","method":"m","x":1,"x":2}"#, nil, "/x"),
      (#"{"jsonrpc":"2.0","id":7,"method":"m","params":[{"a/b":1,"a/b":1}]}"#, "7", "/params/0/a~1b"),
    ] as [(String, String?, String)])
  func duplicates(_ text: String, _ id: String?, _ pointer: String) {
    #expect(take(text) == .invalid(.invalidRequest, id: id, pointer: pointer))
  }

  @Test("A duplicate is found however many members there are", arguments: [2, 64, 65, 66, 67, 500])
  func manyMembers(_ count: Int) {
    let names = (0..<count).map { #""x\#($0)":1,"# }.joined()
    for twice in [0, count / 2, count - 1] {
      #expect(
        take(#"{\#(names)"x\#(twice)":2,"jsonrpc":"2.0","id":7,"method":"m"}"#)
          == .invalid(.invalidRequest, id: "7", pointer: "/x\(twice)"))
    }
  }

  @Test("Nesting beyond the limit is a parse error, within it a message (J7)")
  func depth() {
    func message(_ depth: Int) -> String {
      #"{"jsonrpc":"2.0","id":7,"method":"m","params":"#
        + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    #expect(take(message(JSONReader.maximumDepth - 1)) == .request(id: "7", method: "m", params: "positional"))
    guard case .invalid(.parseError, nil, _) = take(message(JSONReader.maximumDepth)) else {
      return #expect(take(message(JSONReader.maximumDepth)) == .batch([]))
    }
  }

  @Test("What a fault quotes of a message stays short, however long its names are")
  func longNames() throws {
    let name = String(repeating: "é", count: 1_000_000)
    for text in [#"{"\#(name)":1,"\#(name)":2}"#, #"{"a":{"\#(name)":{"b":[tru]}}}"#, #"[{"\#(name)":[1 2]}]"#] {
      let fault = try #require(told(Array(text.utf8)))
      #expect(fault.message.utf8.count < 1000)
      #expect((fault.pointer ?? "").utf8.count < 10_000)
    }
  }
}
