import Testing
import Values

@Suite("Packed numbers")
struct PackingTests {
  private static let numbers: [Int] = {
    var numbers: [Int] = [.min, .max, 0, -1]
    for shift in 0..<63 {
      let power = 1 << shift
      numbers += [power, power - 1, -power, power | 1]
    }
    return numbers
  }()

  @Test("Every value is read as written, alone and among others")
  func roundTrip() {
    for number in PackingTests.numbers {
      var writer = PackedWriter()
      writer.write(number)
      let alone = writer.bytes
      alone.withUnsafeBytes { bytes in
        var reader = PackedReader(bytes)
        #expect(reader.number() == number)
        #expect(reader.isAtEnd && reader.number() == nil)
      }
      for other in [0, -1, 300, Int.max] { writer.write(other) }
      writer.bytes.withUnsafeBytes { bytes in
        var reader = PackedReader(bytes)
        #expect(
          [reader.number(), reader.number(), reader.number(), reader.number(), reader.number()] == [
            number, 0, -1, 300, .max,
          ])
        #expect(reader.isAtEnd)
      }
      for count in 0..<alone.count {
        alone.prefix(count).withUnsafeBytes { bytes in
          var reader = PackedReader(bytes)
          #expect(reader.number() == nil, "it is cut off")
        }
      }
    }
  }

  @Test("An unterminated number is nil")
  func endless() {
    for count in [10, 11, 20] {
      [UInt8](repeating: 0x80, count: count).withUnsafeBytes { bytes in
        var reader = PackedReader(bytes)
        #expect(reader.number() == nil)
      }
    }
  }
}
