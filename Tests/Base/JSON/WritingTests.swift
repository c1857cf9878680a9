import Foundation
import Testing

@testable import JSON

struct WritingTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 1)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Integers of every length are written in full", arguments: [0, 7, -7, 10, 99, 100, 12345, Int.max, Int.min])
  func integers(_ value: Int) {
    #expect(text { $0.write(value) } == String(value))
  }

  @Test("Random integers are written in full")
  func randomIntegers() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10_000 {
      let value = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
      #expect(text { $0.write(value) } == String(value))
    }
  }

  @Test(
    "Doubles are the shortest text, and never what JSON does not have",
    arguments: [(100.0, "100"), (0.1, "0.1"), (-2.5, "-2.5"), (.nan, "null"), (.infinity, "null"), (1e300, "1e+300")])
  func doubles(_ value: Double, _ expected: String) {
    #expect(text { $0.write(value) } == expected)
  }

  @Test(
    "Only what must be escaped is escaped, and Foundation reads it back",
    arguments: [
      "", "plain", "a\"b\\c/d", "\u{0}\u{1F}\n\r\t\u{8}\u{C}", "😀 é \u{2028}",
      String(repeating: "x", count: 1000) + "\"" + String(repeating: "é", count: 500),
    ])
  func strings(_ value: String) throws {
    let written = text { $0.write(value) }
    #expect(!written.contains("\\/"))
    let back = try JSONSerialization.jsonObject(with: Data(written.utf8), options: .fragmentsAllowed) as? String
    #expect(back == value)
  }

  @Test("Commas go between members and elements only")
  func structure() {
    let written = text { writer in
      writer.beginObject()
      writer.name("a")
      writer.beginArray()
      for value in 1...3 {
        writer.element()
        writer.write(value)
      }
      writer.endArray()
      writer.name("b" as String)
      writer.writeNull()
      writer.endObject()
    }
    #expect(written == #"{"a":[1,2,3],"b":null}"#)
  }

  @Test("A gap opens and closes without touching its surroundings")
  func shift() {
    let written = text { writer in
      writer.append("head??tail" as StaticString)
      writer.shift(at: 4, by: 3)
      for (index, byte) in "abcde".utf8.enumerated() { writer.patch(byte, at: 4 + index) }
      writer.shift(at: 4, by: -4)
    }
    #expect(written == "headetail")
  }
}
