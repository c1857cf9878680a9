import Foundation
import Testing

@testable import JSON

/// Inputs designed to be disproportionately expensive. Times are compared only with each other.
struct HostileInputTests {
  private func skips(_ text: [UInt8]) -> Bool {
    (try? JSONReader.read(text) { reader throws(JSONError) in try reader.skipValue() }) != nil
  }

  /// The minimum CPU time of this thread in five runs, in nanoseconds; excludes other load on the machine.
  private func cost(_ body: () -> Void) -> Int {
    func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    return (0..<5).map { _ in
      let start = now()
      body()
      return max(now() - start, 1)
    }.min() ?? 1
  }

  @Test("Sixty-four mebibytes of brackets are refused at the limit, with a short pointer")
  func brackets() throws {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: 64 << 20)
    let error = try #require(throws: JSONError.self) {
      try JSONReader.read(text) { reader throws(JSONError) in try reader.skipValue() }
    }
    #expect(error.code == .tooDeep)
    #expect(error.offset == JSONReader.maximumDepth)
    #expect(text.withUnsafeBytes { error.pointer(in: $0) }.utf8.count <= 2 * JSONReader.maximumDepth)
  }

  @Test(
    "Work is linear in the size",
    arguments: [
      "many members", "many members with escapes", "many unknown members", "many objects", "a long name",
      "a long number",
    ])
  func linear(_ shape: String) {
    func text(_ count: Int) -> [UInt8] {
      let text =
        switch shape {
        case "many members": "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        case "many members with escapes":
          "{" + (0..<count).map { "\"\\u006b\($0)\":1" }.joined(separator: ",") + "}"
        case "many unknown members": "{" + (0..<count).map { "\"unknown\($0)\":0" }.joined(separator: ",") + "}"
        case "many objects": "[" + (0..<count / 10).map { "{\"a\":\($0),\"b\":{}}" }.joined(separator: ",") + "]"
        case "a long name": "{\"" + String(repeating: "n", count: count * 10) + "\":1}"
        default: String(repeating: "1", count: count * 10)
        }
      return Array(text.utf8)
    }
    let (small, large) = (text(2_000), text(64_000))
    // 32 times the size; quadratic work would take a thousand times as long.
    let few = cost { #expect(skips(small) && (try? JSONValue(json: small)) != nil) }
    let many = cost { #expect(skips(large) && (try? JSONValue(json: large)) != nil) }
    #expect(many < few * 300)
  }

  @Test(
    "The deepest nesting fits a small stack: skipped, read, compared, written, located and freed",
    arguments: ["[", "{\"a\":"], ["skip", "read", "compare", "write", "locate"])
  func smallStack(_ opening: String, _ work: String) {
    let closing = opening == "[" ? "]" : "}"
    let depth = JSONReader.maximumDepth
    let text = Array(
      (String(repeating: opening, count: depth - 1) + "[]" + String(repeating: closing, count: depth - 1)).utf8)
    let value = try? JSONValue(json: text)
    let other = try? JSONValue(json: text)
    #expect(value != nil)
    let bytes = StackMeter.bytes {
      switch work {
      case "skip": #expect(skips(text))
      case "read": #expect((try? JSONValue(json: text)) != nil)
      case "compare": #expect(value == other)
      case "write": #expect(value?.json == text)
      default: #expect(!text.withUnsafeBytes { JSONPointer.find(offset: text.count / 2, in: $0) }.pointer.isEmpty)
      }
    }
    #expect(bytes <= 512 << 10)
  }

  @Test(
    "Names are compared by code points, in reading and in skipping",
    arguments: [#"{"é":1,"e\u0301":2}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{1100}\u{1161}\":1,\"\u{AC00}\":2}"])
  func codePoints(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(skips(bytes))
    guard case .object(let object) = try JSONValue(json: bytes) else {
      Issue.record("no object")
      return
    }
    #expect(object.members.count == 2)
    #expect(object.members.allSatisfy { object[$0.name] == $0.value })
    // Also among many others.
    let many = "{" + (0..<100).map { "\"k\($0)\":1," }.joined() + text.dropFirst()
    #expect(skips(Array(many.utf8)))
    #expect((try? JSONValue(json: Array(many.utf8))) != nil)
  }

  @Test(
    "A numeral of any length is its integer, or no integer",
    arguments: [
      (String(repeating: "9", count: 100_000), nil), ("1" + String(repeating: "0", count: 100_000) + "e-100000", 1),
      ("0." + String(repeating: "0", count: 100_000) + "7e100001", 7),
      ("1e" + String(repeating: "9", count: 100_000), nil),
      ("-9007199254740991.000000000000000000000", -9_007_199_254_740_991), ("1e9223372036854775808", nil),
      ("1e-9223372036854775808", nil), ("0e-" + String(repeating: "9", count: 1000), 0),
    ] as [(String, Int?)])
  func numerals(_ text: String, _ value: Int?) {
    #expect((try? Int(json: Array(text.utf8))) == value)
  }

  @Test(
    "No prefix of a text reads past its end",
    arguments: [
      #"{"a":[1,-2.5e+10,true,false,null,"\ud83d\ude00\u00e9 é 😀\n"],"b":{"c":{}}}"#
    ])
  func prefixes(_ text: String) {
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      // An allocation of exactly that size, so that a sanitizer sees any access past it.
      let prefix = Array(bytes[..<count])
      #expect(!skips(prefix))
      #expect((try? JSONValue(json: prefix)) == nil)
    }
  }
}
