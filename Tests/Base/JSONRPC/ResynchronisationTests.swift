import Testing

@testable import JSONRPC

/// Recovery after bytes that are not a frame (F3, F8, F9): the next frame is found, or the decoder gives up.
struct ResynchronisationTests {
  static let unusable: [String] = [
    "Content-Length: 10000000000000000000000000\r\n\r\n", "Content-Length: 9223372036854775808\r\n\r\n",
    "Content-Length: -2\r\n\r\n", "Content-Length: +2\r\n\r\n", "Content-Length: 0x2\r\n\r\n",
    "Content-Length: 2.0\r\n\r\n", "Content-Length: 2e0\r\n\r\n", "Content-Length: 2 2\r\n\r\n",
    "Content-Length: ٢\r\n\r\n", "Content-Length:\r\n\r\n", "Content-Length: \r\n\r\n", "Content-Length\r\n\r\n",
    "Content-Length 2\r\n\r\n", "X-Trace: 7\r\n\r\n", "X-Content-Length: 2\r\n\r\n",
    "Content-Length: 2\r\nContent-Length: two\r\n\r\n",
  ]

  @Test("An unusable header block is one fault, and the next block is found", arguments: unusable, ["", "{}", "{}\n"])
  func resynchronises(_ block: String, _ body: String) {
    let good = "Content-Length: 4\r\n\r\nnull"
    for size in [Int.max, 1, 7] {
      #expect(decode(block + body + good + good, size: size) == [.broken, .message("null"), .message("null")])
    }
  }

  @Test("Three unusable blocks in a row end it, and nothing more is given", arguments: unusable)
  func givesUp(_ block: String) {
    let good = "Content-Length: 2\r\n\r\n{}"
    for size in [Int.max, 1, 7] {
      #expect(decode(block + block + block + good, size: size, ends: true) == [.broken, .broken, .givingUp])
    }
  }

  @Test("A usable block between unusable ones resets the count")
  func countsInARow() {
    let bad = "Content-Length: x\r\n\r\n"
    let good = "Content-Length: 2\r\n\r\n{}"
    let stream = bad + bad + good + bad + bad + good
    #expect(decode(stream) == [.broken, .broken, .message("{}"), .broken, .broken, .message("{}")])
  }

  @Test("A header block up to the limit is read, one byte more is a fault", arguments: [Int.max, 1, 13])
  func headerBlockLimit(_ size: Int) {
    let good = "Content-Length: 2\r\n\r\n{}"
    func block(_ total: Int) -> String {
      let frame = "X: \r\nContent-Length: 2\r\n\r\n"
      return "X: " + String(repeating: "x", count: total - frame.utf8.count) + frame.dropFirst(3) + "{}"
    }
    let limit = FrameLimits().headerBlock
    #expect(limit == 8192)
    #expect(decode(block(limit) + good, size: size) == [.message("{}"), .message("{}")])
    // The excess line end is dropped; the body is noise before the next block.
    #expect(decode(block(limit + 1) + good, size: size) == [.broken, .message("{}")])
  }

  @Test("One overlong line is one fault, however long and however it arrives", arguments: [Int.max, 1000, 1, 4096])
  func overlongLine(_ size: Int) {
    let good = "Content-Length: 2\r\n\r\n{}"
    for filler in ["x", " "] {
      let stream = "N: 1\r\n\r\n" + good + "N:" + String(repeating: filler, count: 50_000) + "\r\n" + good
      #expect(decode(stream, size: size) == [.broken, .message("{}"), .broken, .message("{}")])
    }
  }

  @Test("Many short lines without a blank one are a fault each time the limit is passed", arguments: [Int.max, 1, 17])
  func manyLines(_ size: Int) {
    let lines = String(repeating: "Some-Field: some value\r\n", count: 5)
    #expect(
      decode(lines + "Content-Length: 2\r\n\r\n{}", size: size, limits: .small(headerBlock: 100))
        == [.broken, .message("{}")])
  }

  @Test("A body over the limit is discarded to the byte", arguments: [Int.max, 1, 5], [17, 18, 1000])
  func overLimit(_ size: Int, _ length: Int) {
    let body = String(repeating: "\n", count: length)
    let stream = "Content-Length: \(length)\r\n\r\n\(body)Content-Length: 16\r\n\r\n\"exactly sixtee\""
    #expect(decode(stream, size: size, limits: .small()) == [.tooLarge, .message("\"exactly sixtee\"")])
  }

  @Test("The largest possible length is discarded without harm")
  func greatestLength() {
    #expect(
      decode("Content-Length: 9223372036854775807\r\n\r\n{}Content-Length: 2\r\n\r\n{}", ends: true) == [.tooLarge])
  }

  @Test(
    "A stream that ends inside a frame ends in a fault",
    arguments: ["Content-Length: 5\r\n\r\n{}", "Content-Length: 5\r\n", "Content-Len", "Content-Length: 5\r\n\r\n"])
  func endsInside(_ text: String) {
    #expect(decode(text, ends: true) == [.broken])
    #expect(decode("Content-Length: 2\r\n\r\n{}" + text, ends: true) == [.message("{}"), .broken])
  }

  @Test("A stream that ends between frames ends without a fault", arguments: ["", "\r\n", "  \n\n "])
  func endsBetween(_ text: String) {
    #expect(decode("Content-Length: 2\r\n\r\n{}" + text, ends: true) == [.message("{}")])
  }
}
