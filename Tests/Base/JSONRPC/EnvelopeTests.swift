import Testing

@testable import JSONRPC

/// The rules J1–J10 for valid single messages and their parts.
struct EnvelopeTests {
  @Test(
    "An id is any string, any number or null, and keeps its text (J2, J3, J5)",
    arguments: [
      "0", "1", "-7", "7.0", "1.5", "1e3", "9007199254740993", "123456789012345678901234567890", #""""#, #""1""#,
      #""a b""#, #""\u0061""#, #""😀""#, "null", "-0",
    ])
  func ids(_ id: String) {
    #expect(take(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#) == .request(id: id, method: "m"))
    #expect(take(#"{ "id" : \#(id) , "method" : "m" , "jsonrpc" : "2.0" }"#) == .request(id: id, method: "m"))
  }

  @Test("Without an id it is a notification (J2)")
  func notification() {
    #expect(take(#"{"jsonrpc":"2.0","method":"m"}"#) == .notification(method: "m"))
    #expect(
      take(#"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#) == .notification(method: "m", params: #"{"a":1}"#))
  }

  @Test(
    "An id of another kind is refused, with no id (J6)", arguments: ["true", "false", "{}", "[]", "[1]", #"{"a":1}"#])
  func wrongIDs(_ id: String) {
    let refusal = Taken.invalid(.invalidRequest, id: nil, pointer: "/id")
    #expect(take(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#) == refusal)
    #expect(take(#"{"id":\#(id)}"#) == refusal)
  }

  @Test(
    "A version other than \"2.0\" is refused to the id that is there (J1)",
    arguments: [
      "", #""jsonrpc":2.0,"#, #""jsonrpc":"1.0","#, #""jsonrpc":"2","#, #""jsonrpc":null,"#, #""jsonrpc":["2.0"],"#,
      #""jsonrpc":"2.0 ","#, #""JSONRPC":"2.0","#,
    ])
  func versions(_ version: String) {
    #expect(take(#"{\#(version)"id":7,"method":"m"}"#) == .invalid(.invalidRequest, id: "7", pointer: "/jsonrpc"))
    #expect(take(#"{\#(version)"method":"m"}"#) == .invalid(.invalidRequest, id: nil, pointer: "/jsonrpc"))
  }

  @Test("The version is a string like any other, and may be escaped")
  func escapedVersion() {
    #expect(take(#"{"jsonrpc":"\u0032.0","id":7,"method":"m"}"#) == .request(id: "7", method: "m"))
    #expect(take(#"{"\u006asonrpc":"2.0","\u0069d":7,"meth\u006fd":"m"}"#) == .request(id: "7", method: "m"))
  }

  @Test("A method that is not a string is refused with its id (J8)", arguments: ["1", "null", "true", "{}", #"["m"]"#])
  func wrongMethods(_ method: String) {
    #expect(
      take(#"{"jsonrpc":"2.0","id":7,"method":\#(method)}"#) == .invalid(.invalidRequest, id: "7", pointer: "/method"))
    #expect(take(#"{"jsonrpc":"2.0","id":7}"#) == .invalid(.invalidRequest, id: "7", pointer: "/method"))
  }

  @Test(
    "The method's name has its escapes resolved",
    arguments: [
      (#"a\/b"#, "a/b"), (#"\u006d"#, "m"), ("", ""), ("rpc.discover", "rpc.discover"), (#"\""#, "\""), ("é", "é"),
    ])
  func methods(_ written: String, _ name: String) {
    #expect(take(#"{"jsonrpc":"2.0","id":7,"method":"\#(written)"}"#) == .request(id: "7", method: name))
  }

  @Test("No params are no params, in any of their forms (J10)", arguments: ["{}", "[]", "null", "{ \n}", "[\t ]"])
  func noParams(_ params: String) {
    #expect(take(#"{"jsonrpc":"2.0","id":7,"method":"m","params":\#(params)}"#) == .request(id: "7", method: "m"))
  }

  @Test("Params are an object, or elements by position (J9, J10)")
  func params() {
    #expect(
      take(#"{"params":{"a":[1]},"jsonrpc":"2.0","id":7,"method":"m"}"#)
        == .request(id: "7", method: "m", params: #"{"a":[1]}"#))
    for list in ["[1]", "[null]", "[[]]", "[{}, 2]"] {
      #expect(
        take(#"{"jsonrpc":"2.0","id":7,"method":"m","params":\#(list)}"#)
          == .request(id: "7", method: "m", params: "positional"))
    }
  }

  @Test("Scalar params are refused with the id (J9)", arguments: ["1", "-1", "true", "false", #""{}""#])
  func scalarParams(_ params: String) {
    #expect(
      take(#"{"jsonrpc":"2.0","id":7,"method":"m","params":\#(params)}"#)
        == .invalid(.invalidRequest, id: "7", pointer: "/params"))
    #expect(
      take(#"{"jsonrpc":"2.0","method":"m","params":\#(params)}"#)
        == .invalid(.invalidRequest, id: nil, pointer: "/params"))
  }

  @Test("Unknown members are ignored")
  func unknownMembers() {
    let many = (0..<200).map { #""x\#($0)":\#($0),"# }.joined()
    #expect(take(#"{\#(many)"jsonrpc":"2.0","id":7,"method":"m"}"#) == .request(id: "7", method: "m"))
  }

  @Test("Responses have a result or an error (J13)")
  func responses() {
    #expect(take(#"{"jsonrpc":"2.0","id":7,"result":null}"#) == .response(id: "7", result: "null"))
    #expect(take(#"{"jsonrpc":"2.0","id":"a","result":{"b":1}}"#) == .response(id: #""a""#, result: #"{"b":1}"#))
    #expect(take(#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#) == .response(id: "7", result: nil))
    #expect(take(#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#) == .response(id: "null", result: nil))
    #expect(take(#"{"jsonrpc":"2.0","id":7,"result":1,"error":{}}"#) == .response(id: "7", result: nil))
  }

  @Test(
    "A faulty response is never answered with its id, which may be that of the peer's request (J13)",
    arguments: [
      #"{"id":7,"result":1}"#, #"{"jsonrpc":"1.0","id":7,"error":{}}"#, #"{"jsonrpc":"2.0","result":1}"#,
      #"{"jsonrpc":"2.0","id":7,"result":1,"result":2}"#, #"{"jsonrpc":"2.0","id":7,"error":{"a":1,"a":2}}"#,
      #"{"jsonrpc":"2.0","id":true,"result":1}"#,
    ])
  func faultyResponses(_ text: String) {
    guard case .invalid(.invalidRequest, nil, _) = take(text) else { return #expect(take(text) == .batch([])) }
  }
}
