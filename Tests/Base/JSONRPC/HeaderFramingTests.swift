import Testing

@testable import JSONRPC

/// The rules F1–F8 of header framing: lenient reading.
struct HeaderFramingTests {
  @Test(
    "A header block is read with any case, white space, line ends and order of its fields",
    arguments: [
      "Content-Length: 2\r\n\r\n", "content-length: 2\r\n\r\n", "CONTENT-LENGTH: 2\r\n\r\n",
      "cOnTeNt-LeNgTh: 2\r\n\r\n",
      "Content-Length:2\r\n\r\n", "Content-Length:    2   \r\n\r\n", "Content-Length:\t2\t\r\n\r\n",
      "Content-Length : 2\r\n\r\n", " Content-Length: 2\r\n\r\n", "Content-Length: 2\n\n", "Content-Length: 2\r\n\n",
      "Content-Length: 2\n\r\n", "Content-Length: 2\r\n \t\r\n", "Content-Length: 00000000000000000000002\r\n\r\n",
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
      "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
      "X-Trace: 7\r\nContent-Length: 2\r\nEmpty:\r\nno colon at all\r\n\r\n",
      "X-Content-Length: 99\r\nContent-Length: 2\r\nX_Content-Length: 98\r\n\r\n",
      "Content-Length: 99\r\nContent-Length: 2\r\n\r\n", "Content-Length: many\r\nContent-Length: 2\r\n\r\n",
    ])
  func permutations(_ header: String) {
    let stream = header + "{}" + header + "[]"
    #expect(decode(stream) == [.message("{}"), .message("[]")])
    #expect(decode(stream, size: 1) == [.message("{}"), .message("[]")])
  }

  @Test(
    "All spellings of UTF-8 are accepted as charset",
    arguments: [
      "application/json", "application/json; charset=utf-8", "application/json; charset=utf8",
      "application/json;charset=UTF-8", "application/json; Charset=\"UTF-8\"", "application/json; charset=\"utf8\"",
      "application/json; charset=utf-8; x=y", "application/json; charset=utf-8\t;x=y", "charset=utf-8", "",
    ])
  func charsets(_ type: String) {
    #expect(decode("Content-Type: \(type)\r\nContent-Length: 2\r\n\r\n{}") == [.message("{}")])
  }

  @Test(
    "A body in another charset is a fault, and skipped by its length",
    arguments: ["utf-16", "UTF-16LE", "latin1", "\"utf-7\"", "utf-8-but-not-quite", "", "utf-8\u{301}"])
  func foreignCharsets(_ charset: String) {
    let stream = "Content-Length: 9\r\nContent-Type: text/json; charset=\(charset)\r\n\r\n{\"a\":\n\n1}"
    #expect(decode(stream + "Content-Length: 2\r\n\r\n[]") == [.broken, .message("[]")])
    #expect(decode(stream + "Content-Length: 2\r\n\r\n[]", size: 1) == [.broken, .message("[]")])
  }

  @Test("The last of several Content-Type fields counts")
  func repeatedType() {
    let foreign = "Content-Type: a/b; charset=utf-16\r\n"
    let plain = "Content-Type: a/b\r\n"
    #expect(decode(foreign + plain + "Content-Length: 2\r\n\r\n{}") == [.message("{}")])
    #expect(decode(plain + foreign + "Content-Length: 2\r\n\r\n{}") == [.broken])
  }

  @Test("A name is its bytes: a carriage return is no hyphen")
  func carriageReturnInName() {
    #expect(decode("Content\rLength: 2\r\n\r\n") == [.broken])
  }

  @Test("Blank lines before a header block are skipped", arguments: ["\n", "\r\n", "\r\n\r\n\n", "  \n\t\r\n"])
  func leadingBlankLines(_ blank: String) {
    let block = "Content-Length: 2\r\n\r\n{}"
    #expect(decode(blank + block + blank + block) == [.message("{}"), .message("{}")])
  }

  @Test(
    "A line of noise before a header block, or on its first line, does no harm",
    arguments: ["Starting up…\n", "warning: 7 things\r\n", "a: b\n", "stray", "}", "\u{FEFF}"])
  func noise(_ noise: String) {
    let block = "Content-Length: 2\r\n\r\n{}"
    #expect(decode(block + noise + block, framing: .header) == [.message("{}"), .message("{}")])
    #expect(decode(noise + block, framing: .header) == [.message("{}")])
  }

  @Test(
    "A line of JSON instead of a header is reported, and does no other harm",
    arguments: ["{\"id\":1}\n", " [1]\r\n"])
  func messageAmongHeaders(_ line: String) {
    let block = "Content-Length: 2\r\n\r\n{}"
    for text in [block + line + block, block + "A: 1\r\n" + line + block] {
      let events = decode(text, framing: .header)
      #expect(events.count == 3 && events.first == .message("{}") && events.last == .message("{}"), "\(events)")
    }
    // Every such line, however many.
    let many = decode(block + String(repeating: line, count: 20) + block, framing: .header)
    #expect(many.count == 22 && many.last == .message("{}"), "\(many)")
  }

  @Test("Lengths count bytes, not characters, and a body may hold anything")
  func bytes() {
    #expect(decode("Content-Length: 6\r\n\r\n\"😀\"") == [.message("\"😀\"")])
    #expect(decode("Content-Length: 20\r\n\r\nContent-Length: 5\r\n\n") == [.message("Content-Length: 5\r\n\n")])
  }

  @Test("An empty body is a message without bytes")
  func emptyBody() {
    #expect(decode("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}") == [.message(""), .message("{}")])
  }
}
