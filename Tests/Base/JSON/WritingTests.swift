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
    "Doubles are written as the shortest text, and always as valid JSON",
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

  @Test("Members that begin with their commas become an object, empty or inside another")
  func members() {
    let written = text { writer in
      let outer = writer.count
      writer.pair(#","n":"#, -7)
      writer.pair(#","yes":"#, true)
      writer.pair(#","no":"#, false)
      writer.pair(#","text":"#, "a\"b")
      writer.pair(#","empty":"#)
      let inner = writer.count
      writer.endObject(from: inner)
      writer.pair(#","word":"#, room: 3) { target in
        for (index, byte) in "kg".utf8.enumerated() { target[index] = byte }
        return 2
      }
      writer.endObject(from: outer)
    }
    #expect(written == #"{"n":-7,"yes":true,"no":false,"text":"a\"b","empty":{},"word":"kg"}"#)
  }

  @Test("A name of any length is written unchanged")
  func nameLengths() {
    for length in 1...70 {
      let name = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
      let written = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { room in
        var name = name
        return name.withUTF8 { source in
          guard let source = source.baseAddress, let target = room.baseAddress else { return "" }
          JSONWriter.copyName(source, to: target, length)
          return String(decoding: room, as: UTF8.self)
        }
      }
      #expect(written == name)
    }
  }

  private static let escapes = [("\"", "\\\""), ("\n", "\\n"), ("\u{1}", "\\u0001"), ("\\", "\\\\"), ("é", "é")]

  @Test("Escapes are written at any position among bytes copied together")
  func escapesAnywhere() {
    for length in 1...26 {
      for place in 0..<length {
        let (before, after) = (String(repeating: "x", count: place), String(repeating: "y", count: length - place - 1))
        for (special, escaped) in Self.escapes {
          #expect(text { $0.write(before + special + after) } == "\"\(before)\(escaped)\(after)\"")
        }
      }
    }
  }

  @Test("A gap opens and closes without changing its surroundings")
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
