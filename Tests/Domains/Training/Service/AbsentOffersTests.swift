import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import FileStoreTesting
import JSON
import Platform
import SettingsDocument
import Testing
import Values

@testable import TrainingService

/// Training in a program without the domain that keeps body weights and exercises.
struct AbsentOffersTests {
  private let now = Instant(milliseconds: 1_767_614_400_000)
  private let folder: DataFolder

  init() throws {
    let numbers = Guarded<UInt64>(0)
    let newID: @Sendable () -> EntityID = {
      EntityID(
        high: 7,
        low: numbers.withLock { number in
          number += 1
          return number
        })
    }
    folder = DataFolder(
      newID: newID, newIDsAreUnique: true, migrations: RecordMigrations(), author: "test",
      settings: SettingsRules.inForce, warn: { _ in }, defect: { RPCError(code: -1, message: $0, data: []) })
    let store = try FileStore.open(
      FileStore.Configuration(
        folder: "/home/someone/daybook", fileSystem: SimulatedDisk(), newID: newID, now: { [now] in now },
        onDurable: { _ in }, onCommitFailure: { _ in }))
    folder.opened = .success(store)
    folder.seenRevision = try store.revision
  }

  private func context(_ method: Method) -> Context {
    Context(
      method: method, folder: folder, offers: DayMeasureRegistry(), now: now,
      days: DayContext(zone: .utc, name: .utc, dayStart: .midnight, unknownZone: nil, now: now), selectedDay: nil,
      locale: nil, hasPremiumAccess: false, transaction: nil, turn: MessageTurn())
  }

  @Test("A session has no body weight, its energy is that of the starting weight, and no exercise is logged")
  func logged() throws {
    let service = TrainingService()
    var logging = context(.workoutSessionQuickLog)
    let rowing = try params(#"{"traits": {"name": "Rowing", "kind": "cardio"}, "values": {"seconds": 3600}}"#) {
      reader throws(JSONError) in try WorkoutSessionQuickLogParams(from: &reader)
    }
    let session = try service.workoutSessionQuickLog(rowing, &logging).session
    #expect(session.bodyWeight == nil)
    #expect(session.kcal == 330, "82.5 kg")
    #expect(try folder.snapshot().collections == [WorkoutSession.collection])

    var amending = context(.workoutSessionsAmend)
    let heavier = try params(#"{"id": "\#(session.id)", "bodyWeight": "165"}"#) { reader throws(JSONError) in
      try WorkoutSessionsAmendParams(from: &reader)
    }
    let amended = try service.workoutSessionsAmend(heavier, &amending).session
    #expect(amended.bodyWeight == Decimal(165) && amended.kcal == 660)

    var deleting = context(.workoutSessionsDelete)
    let gone = try params(#"{"id": "\#(session.id)"}"#) { reader throws(JSONError) in
      try WorkoutSessionsDeleteParams(from: &reader)
    }
    _ = try service.workoutSessionsDelete(gone, &deleting)
    #expect(try folder.snapshot().records(in: WorkoutSession.collection).isEmpty)
  }

  private func params<Params>(
    _ text: String, _ decode: (inout JSONReader) throws(JSONError) -> Params
  ) throws(JSONError) -> Params {
    try JSONReader.read(Array(text.utf8), decode)
  }
}
