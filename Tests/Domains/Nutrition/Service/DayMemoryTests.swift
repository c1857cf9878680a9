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

  /// Both months, cached.
  private var memory: DayMemory {
    var memory = DayMemory()
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
    added.drop(change("meals", january.upperBound))
    #expect(added[january] == nil && added[february] != nil)
    var deleted = memory
    deleted.drop(change("days", nil, last: february.lowerBound))
    #expect(deleted[january] != nil && deleted[february] == nil)
    var moved = memory
    moved.drop(change("meals", january.upperBound, previous: february.lowerBound))
    #expect(moved[january] == nil && moved[february] == nil)
    var other = memory
    other.drop([])
    #expect(other[january] != nil && other[february] != nil)
  }
}
