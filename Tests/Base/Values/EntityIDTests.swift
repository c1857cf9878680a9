import Testing

@testable import Values

struct EntityIDTests {
  @Test("Either case is read, lower case is written")
  func roundTrip() throws {
    let id = try #require(EntityID("F81D4FAE-7dec-11d0-a765-00a0c91e6bf6"))
    #expect(id.description == "f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
    #expect(EntityID(id.description) == id)
  }

  @Test(
    "Anything but 8-4-4-4-12 hexadecimal digits is refused",
    arguments: [
      "", "f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bfg",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf6 ", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
      "f81d4fae-7dec-11d0-a765_00a0c91e6bf6",
    ])
  func refused(_ text: String) {
    #expect(EntityID(text) == nil)
  }

  @Test("Every byte is the right hexadecimal digit at every position, or none")
  func digits() {
    let text = Array("00000000-0000-0000-0000-000000000000".utf8)
    for (place, index) in text.indices.filter({ text[$0] != UInt8(ascii: "-") }).enumerated() {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        let id = changed.withUnsafeBufferPointer { EntityID(utf8: $0) }
        let digit = UInt64(Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { byte < 0x80 ? $0 : nil } ?? 16)
        let shift = UInt64(60 - place % 16 * 4)
        let expected = EntityID(high: place < 16 ? digit << shift : 0, low: place < 16 ? 0 : digit << shift)
        #expect(id == (digit < 16 ? expected : nil), "\(byte) at \(index)")
      }
    }
  }

  @Test("A random id carries version 4 and variant 1")
  func version() {
    #expect(EntityID(randomHigh: .max, randomLow: .max).description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(EntityID(randomHigh: 0, randomLow: 0).description == "00000000-0000-4000-8000-000000000000")
  }

  @Test("Ids are ordered like their texts")
  func order() throws {
    let texts = [
      "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002",
      "10000000-0000-4000-8000-000000000000",
    ]
    #expect(try texts.map { try #require(EntityID($0)) }.sorted().map(\.description) == texts)
  }
}
