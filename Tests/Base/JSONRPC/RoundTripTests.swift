import JSON
import StreamFuzzKit
import Testing

@testable import JSONRPC

/// Written frames are read back.
struct RoundTripTests {
  @Test("Frames of random messages are read back unchanged, in any chunks", arguments: Framing.allCases, 1...8)
  func roundTrip(_ framing: Framing, _ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      var frames = OutgoingFrames(framing: framing, capacity: 1)
      var written: [Seen] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let start = frames.begin()
        let body = Self.value(&random, depth: 0)
        body.encode(to: &frames.writer)
        frames.end(start)
        written.append(.message(String(decoding: body.json, as: UTF8.self)))
      }
      let given = Bool.random(using: &random) ? framing : nil
      var decoder = FrameDecoder(framing: given)
      var read: [Seen] = []
      var rest = frames.writer.bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...1000, using: &random))
        piece.withUnsafeBytes { decoder.append($0) }
        rest = rest.dropFirst(piece.count)
        drain(&decoder, into: &read)
      }
      #expect(read == written)
      #expect(decoder.framing == framing)
      #expect(decoder.pendingBytes == 0)
      #expect(decoder.finish() == nil)
    }
  }

  /// A random array or object, like a message.
  private static func value(_ random: inout SplitMix64, depth: Int) -> JSONValue {
    switch Int.random(in: depth == 0 ? 4...5 : (depth > 3 ? 0...3 : 0...5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int.random(in: -1000...1000, using: &random)))
    case 3: return .string(text(&random))
    case 4:
      return .array((0..<Int.random(in: 0...8, using: &random)).map { _ in value(&random, depth: depth + 1) })
    default:
      return .object(
        JSONObject(
          (0..<Int.random(in: 0...8, using: &random)).map {
            ("\($0)" + text(&random), value(&random, depth: depth + 1))
          }))
    }
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let scalars = Array("ab\n\r\t\"\\{}[]:,é😀\u{0}\u{2028}\u{7F}".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
    }
    return text
  }
}
