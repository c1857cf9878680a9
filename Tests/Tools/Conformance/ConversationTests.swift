import Conformance
import JSON
import Testing

/// What the service may say, whatever a case expects.
struct ConversationTests {
  /// A request that waits.
  private static let add =
    #"{"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"a","workDoneToken":"w","partialResultToken":7}}"#
  /// A note.
  private static let note = #"{"id":"11111111-1111-4111-8111-111111111111","text":"a"}"#

  /// The first place where a message is not lawful after what was sent; nil when it is.
  private func fault(_ sent: [String], _ message: String) throws -> String? {
    var conversation = Conversation(schema: try Toy.schema())
    for text in sent { conversation.note(try Toy.json(text)) }
    let value = try Toy.json(message)
    do throws(Mismatch) { try conversation.receive(value) } catch { return error.pointer }
    return nil
  }

  @Test(
    "This is lawful",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"result":{"note":\#(note)}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"x","data":{"name":"full","retry":"never","more":1}}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"x","data":{"name":"parseError","retry":"never"}}}"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x","data":{"name":"parseError","retry":"never"}}}"#,
      #"{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"client/confirm"}"#,
      #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":"w","value":{"kind":"begin"}}}"#,
      #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":[1,2]}}"#,
      #"[{"jsonrpc":"2.0","id":1,"result":{"note":\#(note)}}]"#,
    ])
  func lawful(_ message: String) throws {
    #expect(try fault([Self.add], message) == nil)
  }

  @Test(
    "This is not, and the place is told",
    arguments: [
      ("1", ""), ("[]", ""), (#"{"id":1,"result":{"note":\#(note)}}"#, "/jsonrpc"),
      (#"{"jsonrpc":2.0,"id":1,"result":{}}"#, "/jsonrpc"),
      (#"{"jsonrpc":"2.0","id":1.0,"result":{"note":\#(note)}}"#, "/id"),
      (#"{"jsonrpc":"2.0","id":"1","result":{"note":\#(note)}}"#, "/id"),
      (#"{"jsonrpc":"2.0","id":null,"result":{"note":\#(note)}}"#, "/id"),
      (#"{"jsonrpc":"2.0","result":{"note":\#(note)}}"#, "/id"),
      (#"{"jsonrpc":"2.0","id":{},"result":null}"#, "/id"), (#"{"jsonrpc":"2.0","id":1}"#, ""),
      (#"{"jsonrpc":"2.0","id":1,"result":{"note":\#(note)},"error":null}"#, ""),
      (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "/result/note"),
      (#"{"jsonrpc":"2.0","id":1,"result":{"note":\#(note)},"x":1}"#, "/x"),
      (#"{"jsonrpc":"2.0","id":1,"result":{"note":\#(note),"x":1}}"#, "/result/x"),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"","data":{"name":"full","retry":"never"}}}"#,
        "/error/message"
      ),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"x"}}"#, "/error/data"),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"x","data":{"name":"full","retry":"never"}}}"#,
        "/error/code"
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"x","data":{"name":"full","retry":"later"}}}"#,
        "/error/data/retry"
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":9,"message":"x","data":{"name":"no","retry":"never"}}}"#,
        "/error/data/name"
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"x","data":{"name":"other","retry":"never"}}}"#,
        "/error/data/name"
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x","data":{"name":"serverNotInitialized","retry":"never"}}}"#,
        "/error/data/name"
      ),
      (#"{"jsonrpc":"2.0","method":"nobody"}"#, "/method"), (#"{"jsonrpc":"2.0","method":"exit"}"#, "/method"),
      (#"{"jsonrpc":"2.0","method":"changed","params":{}}"#, "/params/revision"),
      (#"{"jsonrpc":"2.0","id":1,"method":"changed"}"#, "/method"),
      (#"{"jsonrpc":"2.0","method":"changed","params":{"revision":1,"x":1}}"#, "/params/x"),
      (#"{"jsonrpc":"2.0","id":null,"method":"client/confirm"}"#, "/id"),
      (#"{"jsonrpc":"2.0","id":1,"method":"server/info"}"#, "/method"),
      (#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":"w","value":{}}}"#, "/params/value/kind"),
      (#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":["a"]}}"#, "/params/value/0"),
      (#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":8,"value":[]}}"#, "/params/token"),
      (#"[{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}]"#, "/0/method"),
    ])
  func unlawful(_ message: String, _ pointer: String) throws {
    #expect(try fault([Self.add], message) == pointer)
  }

  @Test("A request is answered once")
  func once() throws {
    var conversation = Conversation(schema: try Toy.schema())
    conversation.note(try Toy.json(Self.add))
    let answer = try Toy.json(#"{"jsonrpc":"2.0","id":1,"result":{"note":\#(Self.note)}}"#)
    try conversation.receive(answer)
    #expect(throws: Mismatch.self) { try conversation.receive(answer) }
  }

  @Test(
    "A request that touches data may find the app locked, unless it is marked as served then",
    arguments: [("notes/list", nil), ("notes/count", "/error/data/name"), ("server/info", "/error/data/name")])
  func locked(_ method: String, _ pointer: String?) throws {
    let sent = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#
    let data = #"{"name":"locked","retry":"never"}"#
    let answer = #"{"jsonrpc":"2.0","id":1,"error":{"code":1002,"message":"x","data":\#(data)}}"#
    #expect(try fault([sent], answer) == pointer)
  }

  @Test("What was exercised is known by name")
  func seen() throws {
    var conversation = Conversation(schema: try Toy.schema())
    conversation.note(try Toy.json(Self.add))
    conversation.note(try Toy.json(#"{"jsonrpc":"2.0","method":"exit"}"#))
    try conversation.receive(try Toy.json(#"{"jsonrpc":"2.0","id":1,"result":{"note":\#(Self.note)}}"#))
    try conversation.receive(try Toy.json(#"{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}"#))
    let seen = conversation.seen
    #expect(seen.methods == ["notes/add"])
    #expect(seen.notifications == ["exit", "changed"])
    #expect(seen.types.contains("Note"))
    #expect(seen.errors.isEmpty)
  }
}
