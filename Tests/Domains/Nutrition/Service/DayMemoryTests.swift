import CivilTime
import Nutrition
import Testing
import Values

@testable import FileStore
@testable import NutritionService

@Suite("The cache of day facts")
struct DayMemoryTests {
  private let january = CivilDay(daysSinceEpoch: 20_458).month
  private var february: ClosedRange<CivilDay> { january.upperBound.advanced(by: 1).month }

  /// Both months, cached at revision 7.
  private var memory: DayMemory {
    var memory = DayMemory()
    memory.follow(to: 7, epoch: 0) { _ in nil }
    memory.remember(january.lowerBound...february.upperBound, [DayFacts(february.lowerBound)])
    return memory
  }

  private func change(_ collection: String, _ day: CivilDay?, previous: CivilDay? = nil, last: CivilDay? = nil)
    -> [ChangedRecord]
  {
    [
      ChangedRecord(
        collection: CollectionName(collection),
        id: EntityID(high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max)), revision: 8, day: day,
        previousDay: previous, lastDay: last, isNew: false, isDeleted: day == nil)
    ]
  }

  @Test("Whole months are cached, empty ones too")
  func remembering() {
    #expect(memory[january] == [] && memory[february] == [DayFacts(february.lowerBound)])
    #expect(memory[february.upperBound.advanced(by: 1).month] == nil)
  }

  @Test("A change drops the months it touches, and no others")
  func touched() {
    var added = memory
    added.follow(to: 8, epoch: 0) { _ in change("meals", january.upperBound) }
    #expect(added[january] == nil && added[february] != nil)
    var deleted = memory
    deleted.follow(to: 8, epoch: 0) { _ in change("days", nil, last: february.lowerBound) }
    #expect(deleted[january] != nil && deleted[february] == nil)
    var moved = memory
    moved.follow(to: 8, epoch: 0) { _ in change("meals", january.upperBound, previous: february.lowerBound) }
    #expect(moved[january] == nil && moved[february] == nil)
    var other = memory
    other.follow(to: 8, epoch: 0) { _ in [] }
    #expect(other[january] != nil && other[february] != nil)
  }

  @Test("Everything is dropped when the changes are unknown or the revision decreases")
  func unknown() {
    var lost = memory
    lost.follow(to: 8, epoch: 0) { _ in nil }
    #expect(lost[january] == nil && lost[february] == nil)
    var back = memory
    back.follow(to: 6, epoch: 0) { _ in [] }
    #expect(back[january] == nil)
    var same = memory
    same.follow(to: 7, epoch: 0) { _ in nil }
    #expect(same[january] != nil)
  }
}
