import Testing

@testable import JSONRPC

/// The first byte determines the framing, which is then kept (§1.5).
struct DetectionTests {
  private func detected(_ text: String, size: Int = .max) -> Framing? {
    var decoder = FrameDecoder()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      rest.prefix(size).withUnsafeBytes { decoder.append($0) }
      rest = rest.dropFirst(size)
      while decoder.next() != nil {}
    }
    return decoder.framing
  }

  @Test(
    "A brace or bracket begins a line, a letter a header block",
    arguments: ["", " ", "\r\n\t ", "\u{FEFF}", "\u{FEFF}\n"])
  func firstByte(_ before: String) {
    for size in [Int.max, 1, 2] {
      #expect(detected(before, size: size) == nil)
      #expect(detected(before + "{", size: size) == .newline)
      #expect(detected(before + "[", size: size) == .newline)
      #expect(detected(before + "C", size: size) == .header)
      #expect(detected(before + "z", size: size) == .header)
    }
  }

  @Test("A byte order mark before the first message does not become part of it", arguments: [Int.max, 1])
  func byteOrderMark(_ size: Int) {
    #expect(decode("\u{FEFF}{}\n", size: size) == [.message("{}")])
    #expect(decode("\u{FEFF}Content-Length: 2\r\n\r\n{}", size: size) == [.message("{}")])
    #expect(decode("\u{FEFF}{}\n", size: size, framing: .newline) == [.message("{}")])
    #expect(decode("\u{FEFF}Content-Length: 2\r\n\r\n{}", size: size, framing: .header) == [.message("{}")])
  }

  @Test(
    "Any other first byte is fatal, and reported once",
    arguments: [
      [0x22], [0x31], [0x00], [0xFF], [0x7D], [0x2D], [0xEF, 0x41, 0x42], [0xEF, 0xBB, 0x20], [0x20, 0x80],
    ])
  func garbage(_ first: [UInt8]) {
    for size in [Int.max, 1] {
      let stream = first + Array("\n{}\nContent-Length: 2\r\n\r\n{}".utf8)
      #expect(decode(stream, size: size, ends: true) == [.givingUp])
    }
  }

  @Test("An empty stream, or only white space, is no fault", arguments: ["", " \r\n\t"])
  func nothing(_ text: String) {
    #expect(decode(text, ends: true) == [])
  }

  @Test("The detected framing is kept, whatever follows")
  func kept() {
    #expect(decode("{}\nContent-Length: 2\r\n\r\n{}\n").map(\.description).first == "message({})")
    #expect(
      decode("{}\nContent-Length: 2\r\n\r\n{}\n")
        == [.message("{}"), .message("Content-Length: 2"), .message("{}")])
    #expect(decode("Content-Length: 2\r\n\r\n{}{}\n\n") == [.message("{}"), .broken])
  }

  @Test("A given framing is not detected")
  func pinned() {
    #expect(decode("Content-Length: 2\n{}\n", framing: .newline) == [.message("Content-Length: 2"), .message("{}")])
    #expect(decode("7\n", framing: .newline) == [.message("7")])
    #expect(decode("{}\n\n", framing: .header) == [.broken])
    #expect(FrameDecoder(framing: .header).framing == .header)
  }
}
