import FileStoreTesting
import Testing

@testable import FileStore

/// Files with little or no valid content.
extension SegmentDamageTests {
  @Test("Random bytes, and random mixtures of valid lines and garbage, never trap", arguments: 0..<8)
  func garbage(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (bytes, entry) = try segmentFile(someRecords(4))
    let good = lines(bytes)
    let marks = Array("{}\n,\"crc:".utf8)
    for round in 0..<150 {
      var file: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        switch generator.next() % 5 {
        case 0:
          for _ in 0..<Int.random(in: 0...300, using: &generator) {
            file.append(.random(in: 0...255, using: &generator))
          }
        case 1: for _ in 0..<Int.random(in: 0...40, using: &generator) { file.append(marks[Int(generator.next() % 9)]) }
        case 2: file += good[Int(generator.next() % 6)].prefix(Int.random(in: 0...250, using: &generator))
        default: file += good[Int(generator.next() % 6)]
        }
      }
      Segment.load(file, entry: entry, checksHash: true).checkInvariants("seed \(seed), round \(round)")
      Segment.load(file, key: entry.key).checkInvariants("seed \(seed), round \(round), without a manifest")
    }
  }

  @Test("A long file without a valid line is one piece of damage, found quickly")
  func longGarbage() throws {
    let key = try segmentKey()
    let commas = Segment.load([UInt8](repeating: UInt8(ascii: ","), count: 300_000), key: key)
    #expect(commas.damage.count { $0.kind.isUnused } == 1)
    let newlines = Segment.load([UInt8](repeating: 0x0A, count: 300_000), key: key)
    #expect(newlines.damage.count { $0.kind.isUnused } == 1)
    newlines.checkInvariants("newlines")
    let empty = Segment.load([], key: key)
    #expect(kinds(empty) == [.missingHeader, .missingFooter])
    empty.checkInvariants("empty")
  }
}
