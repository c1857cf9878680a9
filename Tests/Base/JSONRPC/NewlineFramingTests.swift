import Testing

@testable import JSONRPC

/// One message a line (§1.4).
struct NewlineFramingTests {
  @Test("Lines end in LF or CR LF, and blank ones are skipped", arguments: [Int.max, 1, 3])
  func lines(_ size: Int) {
    #expect(
      decode("{\"a\":1}\n\n \t \n\r\n[2]\r\n  {\"b\":3} \r\n", size: size)
        == [.message("{\"a\":1}"), .message("[2]"), .message("{\"b\":3}")])
  }

  @Test("A line is delivered with any content; it is classified later")
  func anyLine() {
    #expect(
      decode("{}\nnonsense\n1\n\u{0}\n") == [.message("{}"), .message("nonsense"), .message("1"), .message("\u{0}")])
  }

  @Test("A last line without a newline is a message once the stream has ended")
  func lastLine() {
    #expect(decode("{}\n[1]") == [.message("{}")])
    #expect(decode("{}\n[1] \r", ends: true) == [.message("{}"), .message("[1]")])
    #expect(decode("{}\n \t", ends: true) == [.message("{}")])
    #expect(decode("{}\n", ends: true) == [.message("{}")])
  }

  @Test("A line of the largest size is a message, whether it ends in LF or CR LF", arguments: [Int.max, 1, 17, 16, 18])
  func largest(_ size: Int) {
    let line = "\"exactly sixtee\""
    for end in ["\n", "\r\n"] {
      #expect(
        decode("[]\n\(line)\(end)[]\n", size: size, limits: .small()) == [
          .message("[]"), .message(line), .message("[]"),
        ])
    }
    #expect(decode("[]\n\(line)\r", size: size, limits: .small(), ends: true) == [.message("[]"), .message(line)])
  }

  @Test(
    "A longer line is one fault and gone to its end, however it arrives", arguments: [Int.max, 1, 17, 18],
    ["\"exactly seventee", "       \"short\"        ", "                        ", String(repeating: "x", count: 999)])
  func overlong(_ size: Int, _ line: String) {
    for end in ["\n", "\r\n", "\r\r\n"] {
      #expect(
        decode("[]\n\(line)\(end)[1]\n", size: size, limits: .small()) == [.message("[]"), .tooLarge, .message("[1]")])
    }
    #expect(decode("[]\n\(line)", size: size, limits: .small(), ends: true) == [.message("[]"), .tooLarge])
  }

  @Test("An overlong line is reported before it ends, and its bytes are not kept")
  func overlongEarly() {
    var decoder = FrameDecoder(framing: .newline, limits: .small())
    var seen: [Seen] = []
    for _ in 0..<100 {
      Array("0123456789".utf8).withUnsafeBytes { decoder.append($0) }
      drain(&decoder, into: &seen)
      #expect(decoder.pendingBytes <= 20)
    }
    #expect(seen == [.tooLarge])
  }
}
