import Testing

@testable import JSONRPC

/// Batches (J15).
struct BatchTests {
  @Test("The elements of a batch are extracted verbatim")
  func elements() {
    #expect(take("[1]") == .batch(["1"]))
    #expect(take(" [ {\"a\" : 1} ,[],\"x\" , null ] ") == .batch([#"{"a" : 1}"#, "[]", #""x""#, "null"]))
  }

  @Test("An empty batch is an invalid request", arguments: ["[]", " [ ] "])
  func empty(_ text: String) {
    #expect(take(text) == .invalid(.invalidRequest, id: nil, pointer: ""))
  }

  @Test("A batch of a hundred is read, one of more is refused", arguments: [1, 2, 99, 100, 101, 5000])
  func sizes(_ count: Int) {
    let members = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"m"}"# }
    let text = "[" + members.joined(separator: ",") + "]"
    #expect(take(text) == (count <= 100 ? .batch(members) : .invalid(.invalidRequest, id: nil)))
  }

  @Test("A broken batch is one parse error, even beyond the maximum length", arguments: [1, 100, 101, 1000])
  func broken(_ count: Int) {
    let text = "[" + String(repeating: "{},", count: count) + "{]"
    #expect(take(text) == .invalid(.parseError, id: nil, pointer: "/\(count)"))
  }

  @Test("A fault inside one element affects only that element")
  func elementFaults() {
    let text = #"[{"jsonrpc":"2.0","id":1,"method":"m"},{"id":2,"id":3},{"id":4,"a":1,"a":2},7,[],{"jsonrpc":"2.0"}]"#
    guard case .batch(let elements) = take(text) else { return #expect(take(text) == .batch([])) }
    let taken = elements.map { element in
      Array(element.utf8).withUnsafeBytes { buffer -> Taken in
        switch Envelope.classifyObject(buffer) {
        case .invalid(let fault, let id):
          return .invalid(
            fault.kind, id: id.map { String(decoding: buffer[$0], as: UTF8.self) }, pointer: fault.pointer)
        case .single: return take(element)
        case .batch: return .batch([])
        }
      }
    }
    #expect(
      taken == [
        .request(id: "1", method: "m"), .invalid(.invalidRequest, id: nil, pointer: "/id"),
        .invalid(.invalidRequest, id: "4", pointer: "/a"), .invalid(.invalidRequest, id: nil, pointer: ""),
        .invalid(.invalidRequest, id: nil, pointer: ""), .invalid(.invalidRequest, id: nil, pointer: "/method"),
      ])
  }
}
