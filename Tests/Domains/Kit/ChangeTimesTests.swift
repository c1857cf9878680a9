import CivilTime
import DaybookProtocol
import FileStore
import JSON
import Testing
import Values

@testable import DomainKit

@Suite("Times of changes")
struct ChangeTimesTests {
  private static let made = Instant(milliseconds: 10)
  private static func id(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }

  private static func exercise(_ number: Int, name: String? = nil, superset: Int? = nil) -> PlannedExercise {
    PlannedExercise(
      id: id(number), traits: TrainingTraits(name: name ?? "Exercise \(number)", kind: .strength), groups: [],
      supersetId: superset.map(id), updatedAt: made)
  }

  private static func module(_ exercises: [PlannedExercise]) -> Module {
    Module(id: id(100), name: "M", kind: .strength, exercises: exercises, createdAt: made, updatedAt: made)
  }

  /// The record that an operation puts.
  private static func record(_ operation: Operation) throws -> Record {
    let kit = try KitFolder()
    try kit.commit(operation)
    return try #require(try kit.folder.snapshot().record(id(100), in: Module.collection))
  }

  @Test(
    "Only exercises that move relative to the others that stay are stamped",
    arguments: [
      ([1, 2, 3], []), ([2, 3], []), ([1, 3, 2], [3, 2]), ([3, 2, 1], [3, 1]), ([3], []), ([1, 4, 2, 3], [4]),
    ])
  func moved(order: [Int], stamped: [Int]) {
    var exercises = order.map { Self.exercise($0) }
    let now = Instant(milliseconds: 1000)
    exercises.stamp(since: [1, 2, 3].map { Self.exercise($0) }, at: now)
    #expect(exercises.filter { $0.updatedAt == now }.map(\.id) == stamped.map(Self.id))
    #expect(exercises.allSatisfy { $0.updatedAt == now || $0.updatedAt == Self.made })
  }

  @Test(
    "A version is later than the one it replaces and gives its time to the parts that changed",
    arguments: [(1000, 1000), (10, 11), (5, 11)])
  func replaced(now: Int64, expected: Int64) throws {
    let migrations = RecordMigrations()
    let old = Self.module([Self.exercise(1), Self.exercise(2)])
    var first = old
    let record = try Self.record(migrations.put(&first, keeping: nil, at: Self.made))
    #expect(first == old)
    for present in [nil, old] {
      var new = Self.module([Self.exercise(1), Self.exercise(2, superset: 9), Self.exercise(3)])
      let stored = try Self.record(
        migrations.put(&new, keeping: record, readAs: present, at: Instant(milliseconds: now)))
      #expect(new.updatedAt.milliseconds == expected && stored.updatedAt == new.updatedAt)
      #expect(new.exercises.map(\.updatedAt.milliseconds) == [10, expected, expected])
      #expect(try Module(json: Array(stored.body.bytes)) == new)
    }
  }

  @Test("A new record is not older than its making, nor are its parts")
  func made() throws {
    var module = Self.module([Self.exercise(1)])
    _ = try RecordMigrations().put(&module, keeping: nil, at: Instant(milliseconds: 3))
    #expect(module.updatedAt == Self.made && module.exercises[0].updatedAt == Self.made)
  }

  @Test(
    "What an undo puts is later than what it replaces and what it restores, and so are the parts that differ",
    arguments: [(true, 1000, 1000), (true, 10, 51), (false, 1000, 1000), (false, 5, 11)])
  func undone(isReplacing: Bool, now: Int64, expected: Int64) throws {
    let migrations = RecordMigrations()
    var restored = Self.module([Self.exercise(1), Self.exercise(2)])
    let operation = try migrations.put(&restored, keeping: nil, at: Self.made)
    var present = Self.module([Self.exercise(1), Self.exercise(2, name: "Other")])
    let replaced = try Self.record(
      migrations.put(&present, keeping: Self.record(operation), at: Instant(milliseconds: 50)))
    let stored = try Self.record(
      operation.stamped(at: Instant(milliseconds: now), replacing: isReplacing ? replaced : nil))
    let module = try Module(json: Array(stored.body.bytes))
    #expect(stored.updatedAt.milliseconds == expected && module.updatedAt == stored.updatedAt)
    #expect(module.exercises.map(\.updatedAt.milliseconds) == [isReplacing ? 10 : expected, expected])
    #expect(module.exercises.map(\.traits) == restored.exercises.map(\.traits))
    #expect(operation.stamped(at: Self.made, replacing: nil) != operation)
    let deletion = Operation.delete(Module.collection, id: Self.id(100))
    #expect(deletion.stamped(at: Self.made, replacing: replaced) == deletion)
  }
}
