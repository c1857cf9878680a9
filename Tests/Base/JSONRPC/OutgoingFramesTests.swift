import JSON
import Testing

@testable import JSONRPC

/// Outgoing frames: canonical form, exact lengths.
struct OutgoingFramesTests {
  private func text(_ frames: borrowing OutgoingFrames) -> String {
    String(decoding: frames.writer.buffer, as: UTF8.self)
  }

  @Test(
    "The length is exact, with any number of digits",
    arguments: [0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 1001, 9999, 10_000, 1_234_567, 9_999_999])
  func lengths(_ length: Int) {
    var frames = OutgoingFrames(framing: .header)
    let start = frames.begin()
    frames.writer.append(room: length) { space in
      for index in 0..<length { space[index] = 0x78 }
      return length
    }
    frames.end(start)
    #expect(text(frames) == "Content-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length))
  }

  @Test("Frames follow each other, each with its own length")
  func several() {
    var frames = OutgoingFrames(framing: .header)
    for text in ["", "a", String(repeating: "b", count: 1000), String(repeating: "c", count: 99), "😀"] {
      let start = frames.begin()
      frames.writer.write(text)
      frames.end(start)
    }
    #expect(
      decode(frames.writer.bytes)
        == [
          .message("\"\""), .message("\"a\""), .message("\"" + String(repeating: "b", count: 1000) + "\""),
          .message("\"" + String(repeating: "c", count: 99) + "\""), .message("\"😀\""),
        ])
  }

  @Test("Large texts are framed like any other", arguments: [Framing.header, .newline])
  func large(_ framing: Framing) {
    let text = Array("\"\(String(repeating: "x", count: 123_456))\"".utf8)
    var whole = OutgoingFrames(framing: framing)
    var handed = OutgoingFrames(framing: framing)
    var starts: [Int] = []
    for name in ["a", "b"] as [StaticString] {
      whole.notify(name, JSONFragment<JSONValue>(unchecked: text))
      starts.append(handed.writer.count)
      handed.notify(name, text: text)
      handed.notify("small", text: [0x31])
      whole.notify("small", 1)
    }
    #expect(!handed.isWritten && handed.writer.count < 1000 && handed.count == whole.count)
    let last = handed.take(from: starts[1])
    #expect(!handed.isWritten && handed.count == starts[1] + text.count)
    handed.append(last)
    let pieces = handed.take()
    #expect(handed.isWritten && handed.count == 0 && pieces.pieces.filter { $0 == text }.count == 2)
    #expect(pieces.pieces.flatMap { $0 } == whole.writer.bytes)
  }

  @Test("Taking out a frame leaves the large one before it", arguments: [Framing.header, .newline])
  func behindLarge(_ framing: Framing) {
    let frame = OutgoingPieces(Array(repeating: 0x78, count: OutgoingPieces.large))
    var frames = OutgoingFrames(framing: framing)
    frames.append(frame)
    let start = frames.begin()
    frames.writer.write("next")
    frames.end(start)
    var alone = OutgoingFrames(framing: framing)
    let first = alone.begin()
    alone.writer.write("next")
    alone.end(first)
    let next = frames.take(from: start)
    #expect(next.pieces == alone.take().pieces)
    #expect(frames.count == frame.count && frames.take() == frame)
  }

  @Test(
    "In newline framing a frame is the message and one LF, with no newline inside",
    arguments: [
      "plain", "a\nb\r\nc", "\u{2028}\u{85}\u{B}\u{C}", "\n", "\\n\n", String(repeating: "\n", count: 100),
    ])
  func newlines(_ string: String) throws {
    var frames = OutgoingFrames(framing: .newline)
    frames.notify("m", [string: string])
    frames.request(1, "m\\n", [string])
    frames.fail(Array(string.json), RPCError(code: 1, message: string, data: string.json))
    let lines = frames.writer.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[3].isEmpty)
    #expect(!frames.writer.bytes.contains(0x0D))
    for line in lines.dropLast() { #expect((try? JSONValue(json: Array(line))) != nil) }
  }

  @Test("A value passed on verbatim has no line breaks, so that it fits a line")
  func fragments() throws {
    let pretty = Array("{\n  \"a\" : [ 1,\r\n\t\"x \\n y\" ],\n \"b\":\"\\\\\" }".utf8)
    let fragment = try JSONFragment<JSONValue>(json: pretty)
    #expect(try fragment.value() == JSONValue(json: pretty))
    var frames = OutgoingFrames(framing: .newline)
    frames.notify("m", fragment)
    #expect(frames.writer.bytes.filter { $0 == 0x0A || $0 == 0x0D } == [0x0A])
    #expect(decode(frames.writer.bytes).count == 1)
  }

  @Test("Failures carry the id verbatim, or null, and data only if there are any")
  func failures() {
    var frames = OutgoingFrames(framing: .newline)
    frames.fail(nil, RPCError(code: -32700, message: "no \"JSON\"", data: []))
    frames.fail(Array("1.0".utf8), RPCError(code: 7, message: "é", data: Array(#"{"a":1}"#.utf8)))
    #expect(
      text(frames) == """
        {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no \\"JSON\\""}}
        {"jsonrpc":"2.0","id":1.0,"error":{"code":7,"message":"é","data":{"a":1}}}

        """)
  }

  @Test("Notifications and requests are messages that classify as such")
  func messages() {
    var frames = OutgoingFrames(framing: .newline)
    frames.notify("a/b", [1, 2])
    frames.request(-7, "c", ["x": 1])
    let lines = text(frames).split(separator: "\n").map(String.init)
    #expect(take(lines[0]) == .notification(method: "a/b", params: "positional"))
    #expect(take(lines[1]) == .request(id: "-7", method: "c", params: #"{"x":1}"#))
  }
}

extension OutgoingFrames {
  /// Fails with the id's bytes in an array.
  fileprivate mutating func fail(_ id: [UInt8], _ error: RPCError) {
    id.withUnsafeBytes { fail($0, error) }
  }
}
