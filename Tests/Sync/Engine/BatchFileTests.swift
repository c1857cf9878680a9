import CivilTime
import Foundation
import JSON
import SyncRules
import Testing
import Values

@testable import SyncEngine

@Suite("Files of changes")
struct BatchFileTests {
  private let batch: BatchFile
  private let other: BatchFile

  init() {
    func lines(_ range: Range<Int>) -> [SyncLine] {
      range.map { number in
        let record = SyncedRecord(deletedAt: Instant(milliseconds: Int64(number)))
        return SyncLine(EntityKey(SimulatedDevice.whole, EntityID(high: 0, low: UInt64(number))), record)
      }
    }
    batch = BatchFile(lines(0..<3), stream: "a", number: 1)
    other = BatchFile(lines(3..<6), stream: "a", number: 2)
  }

  private func reads(_ bytes: [UInt8]) -> Bool { BatchContent(bytes, name: batch.name) != nil }

  @Test("One that was cut off anywhere, or has a changed byte, is not read")
  func damage() {
    #expect(reads(batch.bytes))
    for length in batch.bytes.indices { #expect(!reads(Array(batch.bytes.prefix(length))), "\(length) bytes") }
    for place in batch.bytes.indices {
      var bytes = batch.bytes
      bytes[place] ^= 1
      #expect(!reads(bytes), "byte \(place)")
    }
  }

  @Test("One in the place of another is not read, nor one with lines swapped, missing or doubled, or another count")
  func exchanged() {
    #expect(!self.reads(other.bytes))
    let lines = batch.bytes.split(separator: UInt8(ascii: "\n"))
    func reads(_ order: [Int]) -> Bool { self.reads(order.flatMap { Array(lines[$0]) + [UInt8(ascii: "\n")] }) }
    #expect(reads([0, 1, 2, 3, 4]))
    for order in [[0, 2, 1, 3, 4], [0, 1, 2, 4], [0, 1, 1, 2, 3, 4], [0, 1, 2, 3], [1, 2, 3, 4]] {
      #expect(!reads(order))
    }
    // A footer whose hash is right.
    let footer = String(decoding: lines[4], as: UTF8.self)
    let wrong = footer.replacingOccurrences(of: "\"count\":3", with: "\"count\":4")
    #expect(wrong != footer)
    #expect(!self.reads(Array(batch.bytes.dropLast(footer.utf8.count + 1)) + Array("\(wrong)\n".utf8)))
  }
}
