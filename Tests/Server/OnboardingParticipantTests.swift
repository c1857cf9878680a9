import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import ProcessTesting
import ServerTesting
import Synchronization
import Testing
import Values

@testable import DaybookServer

@Suite("The onboarding's completion in the changes of others")
struct OnboardingParticipantTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private final class Waits: Sendable {
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
  }

  private var flags: SmallFile { SmallFile(.flags, in: folder.path) }

  private func say(completed: Bool) throws {
    try flags.replace(with: JSONObject([(Flags.completedName, .bool(completed))]))
  }

  @Test("Only the first change of each version of the record looks at the flags, unless they may have changed")
  func looks() throws {
    let waits = Waits()
    var settings = ServiceOptions(dataFolder: folder.path).folderConfiguration
    let participant = OnboardingParticipant(folder: folder.path, migrations: .daybook) { waits.add() }
    settings.participants = [participant]
    let store = try FileStore.open(settings)
    defer { store.close() }
    var number: UInt64 = 0
    func change(_ operations: [Operation]? = nil) throws {
      number += 1
      let id = EntityID(high: 7, low: number)
      let at = Instant(milliseconds: 1_767_600_000_000)
      let put = Operation.put(
        CollectionName("water"), id: id, day: nil, schema: 1, createdAt: at, updatedAt: at, body: Array("{}".utf8))
      _ = try store.commit(
        Transaction(id: id, at: at, author: "test", label: "water/add", operations: operations ?? [put]))
      store.waitUntilDurable()
    }
    func isCompleted() throws -> Bool {
      let record = try store.snapshot.record(OnboardingRecord.singleID, in: OnboardingRecord.collection)
      return try record.map { try RecordMigrations.daybook.decode(OnboardingRecord.self, $0).completed } ?? false
    }
    for _ in 0..<5 { try change() }
    #expect(waits.count == 1)
    #expect(try !isCompleted())

    try say(completed: true)
    participant.flagsMayHaveChanged()
    try change()
    #expect(try isCompleted() && waits.count == 2)
    for _ in 0..<5 { try change() }
    #expect(waits.count == 2, "a completed record needs no look at the flags")

    let deletion = Operation.delete(OnboardingRecord.collection, id: OnboardingRecord.singleID)
    try change([deletion])
    #expect(try !isCompleted())
    try change()
    #expect(try isCompleted() && waits.count == 3, "a record that has gone is a new version of it")

    try change([deletion])
    try say(completed: false)
    for _ in 0..<5 { try change() }
    #expect(try !isCompleted() && waits.count == 4)
  }
}
