/// The raw material of streams before mutation.
enum Material {
  /// Message texts, most of them valid.
  static let bodies: [[UInt8]] = [
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"fuzz"}}}"#,
    #"{"jsonrpc":"2.0","method":"initialized"}"#,
    #"{"jsonrpc":"2.0","id":"a","method":"shutdown","params":null}"#,
    #"{"jsonrpc":"2.0","method":"exit"}"#,
    #"{"jsonrpc":"2.0","id":1.5,"method":"server/info","params":[]}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"server/status","params":{"workDoneToken":"t","_meta":{}}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"meals/add","params":{"id":"f81d4fae-7dec-41d0-a765-00a0c91e6bf6","day":"2026-01-05","name":"Oat \u00e9 bowl 😀","calories":350,"protein":"12.5","type":"breakfast"}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"meals/update","params":{"id":"f81d4fae-7dec-41d0-a765-00a0c91e6bf6","name":"Eggs","notes":null,"calories":7.0}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"meals/list","params":{"from":"2026-01-01","to":"2026-02-28","limit":50}}"#,
    #"{"jsonrpc":"2.0","id":6,"method":"meals\/delete","params":{"id":"F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6"}}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"settings/update","params":{"timeZone":"Europe/Berlin","birthday":"1984-02-29","weight":"81.4"}}"#,
    #"{"jsonrpc":"2.0","id":8,"method":"energy/estimate","params":{"sex":"female","age":41,"height":170,"weight":"70"}}"#,
    #"{"jsonrpc":"2.0","id":9,"method":"changes/since","params":{"revision":0,"partialResultToken":7}}"#,
    #"{"jsonrpc":"2.0","id":10,"method":"days/get","params":{"day":"2026-01-05"}}"#,
    #"{"jsonrpc":"2.0","id":11,"method":"session/selectDay","params":{"day":"2026-01-05"}}"#,
    #"{"jsonrpc":"2.0","id":12,"method":"events/subscribe","params":{"domains":["nutrition"]}}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}"#,
    #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"report","percentage":50}}}"#,
    #"{"jsonrpc":"2.0","id":null,"method":"rpc.discover"}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"confirmed":true}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
    #"[{"jsonrpc":"2.0","id":1,"method":"server/info"},{"jsonrpc":"2.0","method":"x"},7,{},[]]"#,
    #"{"jsonrpc":"2.0","id":1,"id":2,"method":"x","params":{"a":{"b":[1,2,{"c":tru}]}}}"#,
    "[]", "{}", "null", "",
    String(repeating: "[", count: 600), String(repeating: #"{"a":"#, count: 200),
    "{" + (0..<70).map { "\"k\($0)\":\($0)," }.joined() + "\"k0\":1}",
  ].map { Array($0.utf8) }

  /// Header blocks; `#` becomes the length of the body.
  static let headers: [[UInt8]] = [
    "Content-Length: #\r\n\r\n", "Content-Length: #\r\n\r\n", "Content-Length: #\r\n\r\n", "content-length:#\n\n",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: #\r\n\r\n",
    "\r\nX-Trace: 1\r\nContent-Length: #\r\nContent-Type: a/b; charset=utf-16\r\n\r\n",
    "Content-Length: #0\r\n\r\n", "Content-Length: -#\r\n\r\n", "Content-Length: 99999999999999999999#\r\n\r\n",
    "noise\r\nContent-Length: 1\r\nContent-Length: #\r\n\r\n", "X: y\r\n\r\n", "Content-Length: 1#00\r\n\r\n",
  ].map { Array($0.utf8) }

  /// Line ends in newline framing.
  static let lineEnds: [[UInt8]] = ["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\r\r\n"].map { Array($0.utf8) }

  /// Bytes that are significant in either framing.
  static let telling = Array("{}[]\",:\\u0eE-+.tfn \r\n\tCc9#;=/\u{FEFF}\u{0}".utf8) + [0xFF, 0xC3, 0x80]
}
