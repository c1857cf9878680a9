import Spawning
import Testing

/// Reading messages from a service's output.
struct FrameReaderTests {
  /// The messages in a text that is fed in pieces, and the rest; nil for invalid bytes.
  private func read(_ text: String, _ framing: WireFraming, by size: Int) -> (messages: [String], rest: Int)? {
    var reader = FrameReader(framing)
    var messages: [String] = []
    let bytes = Array(text.utf8)
    do {
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = bytes[start..<min(start + size, bytes.count)]
        _ = reader.fill { space in
          space.copyBytes(from: piece)
          return piece.count
        }
        while let message = try reader.next() { messages.append(String(decoding: message, as: UTF8.self)) }
      }
    } catch { return nil }
    return (messages, reader.rest.count)
  }

  @Test("Messages are cut out of any pieces", arguments: [1, 2, 7, 1000])
  func pieces(_ size: Int) throws {
    let header = try #require(
      read("Content-Length: 4\r\n\r\n{ü}Content-Length: 0\r\n\r\nContent-Length: 11\r\n\r\nhello", .header, by: size))
    #expect(header.messages == ["{ü}", ""])
    #expect(header.rest > 0)
    let lines = try #require(read("{}\n[1]\n{", .newline, by: size))
    #expect(lines.messages == ["{}", "[1]"])
    #expect(lines.rest == 1)
  }

  @Test(
    "Only the canonical forms are messages",
    arguments: [
      ("content-length: 2\r\n\r\n{}", WireFraming.header), ("Content-Length:2\r\n\r\n{}", .header),
      ("Content-Length: 2\n\n{}", .header),
      ("Content-Length: 02\r\n\r\n{}", .header), ("Content-Length: 2\r\nX: 1\r\n\r\n{}", .header), ("oops\n", .header),
      ("Content-Length: \r\n\r\n", .header),
      ("{}\r\n", .newline), ("\n", .newline), ("{}\n\n", .newline),
    ])
  func strays(_ text: String, _ framing: WireFraming) {
    #expect(read(text, framing, by: 1) == nil)
    #expect(read(text, framing, by: 1000) == nil)
  }
}
