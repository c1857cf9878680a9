import CivilTime
import DaybookServer
import FileStore
import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing
import Values

/// A running session with its modules in its own record, the first stored form.
@Suite("A running session in the first stored form", .simulated)
struct EarlierFormTests {
  private static let modules = CollectionName("running-modules")
  private static let sessions = CollectionName("runningSessions")

  /// Moves the modules of a session into its record, as an earlier version stored it, which does not know separate
  /// modules.
  private static func bringBack(in folder: String, keepsOld: Bool = false) throws {
    let store = try FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration)
    defer { store.close() }
    let snapshot = try store.snapshot
    let beside = try #require(snapshot.records(in: modules).first)
    let record = try #require(snapshot.records(in: sessions).first)
    guard case .object(var body) = try JSONValue(json: record.body.bytes),
      case .object(let parts) = try JSONValue(json: beside.body.bytes)
    else { return }
    #expect(body["modules"] == .array([]))
    body["modules"] = parts["modules"]
    var old = parts
    old["modules"] = .array([])
    _ = try store.commit(
      Transaction(
        id: EntityID(high: 1, low: 1), at: Instant(milliseconds: 1_767_614_400_000), author: "an earlier version",
        label: "test",
        operations: [
          keepsOld
            ? .put(
              modules, id: beside.id, day: nil, schema: 1, createdAt: beside.createdAt, updatedAt: beside.updatedAt,
              body: JSONValue.object(old).json) : .delete(modules, id: beside.id),
          .put(
            sessions, id: record.id, day: nil, schema: 1, createdAt: record.createdAt, updatedAt: record.updatedAt,
            body: JSONValue.object(body).json),
        ]))
  }

  private static func session(_ answer: JSONValue) -> JSONValue? { answer["result"]?["state"]?["session"] }

  @Test("Modules in the session win over older ones beside it, and are stored with the next change")
  func ownModules() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let answers = try await onThread { () -> Result<[JSONValue], any Error> in
      Result {
        let first = try #require(InProcessService(folder: data))
        _ = first.call("workoutSession/start", "{}")
        _ = first.call("workoutSession/addExercise", #"{"traits":{"name":"Sled","kind":"strength"}}"#)
        let before = first.call("workoutSession/get", "{}")
        first.close()
        try EarlierFormTests.bringBack(in: data, keepsOld: true)
        let second = try #require(InProcessService(folder: data))
        let read = second.call("workoutSession/get", "{}")
        _ = second.call("workoutSession/logSet", #"{"values":{"weight":"80","reps":8}}"#)
        second.close()
        let third = try #require(InProcessService(folder: data))
        defer { third.close() }
        return [before, read, third.call("workoutSession/get", "{}")]
      }
    }.get()
    let modules = EarlierFormTests.session(answers[0])?["modules"]
    #expect(modules?.array.count == 1)
    #expect(answers.map { EarlierFormTests.session($0)?["modules"] } == [modules, modules, modules])
    let store = try FileStore.open(ServiceOptions(dataFolder: data).folderConfiguration)
    defer { store.close() }
    let stored = try store.snapshot.records(in: EarlierFormTests.sessions).map { try JSONValue(json: $0.body.bytes) }
    #expect(stored.map { $0["modules"] } == [.array([])])
  }

  @Test("It continues, an undo restores it, and its end leaves no records")
  func shouldContinue() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let (before, answers) = try await onThread { () -> Result<(JSONValue, [JSONValue]), any Error> in
      Result {
        let first = try #require(InProcessService(folder: data))
        _ = first.call("workoutSession/start", "{}")
        _ = first.call("workoutSession/addExercise", #"{"traits":{"name":"Sled","kind":"strength"}}"#)
        let before = first.call("workoutSession/get", "{}")
        first.close()
        try EarlierFormTests.bringBack(in: data)
        let service = try #require(InProcessService(folder: data))
        defer { service.close() }
        let calls = [
          ("workoutSession/get", "{}"), ("workoutSession/logSet", #"{"values":{"weight":"80","reps":8}}"#),
          ("workoutSession/get", "{}"), ("changes/undo", "{}"), ("workoutSession/get", "{}"),
          ("workoutSession/logSet", #"{"values":{"reps":9}}"#), ("workoutSession/end", "{}"),
        ]
        return (before, calls.map { service.call($0, $1) })
      }
    }.get()
    let modules = EarlierFormTests.session(before)?["modules"]
    #expect(modules?.array.count == 1)
    #expect(EarlierFormTests.session(answers[0]) == EarlierFormTests.session(before))
    #expect(answers[1]["result"]?["done"]?.integer == 1)
    #expect(EarlierFormTests.session(answers[2])?["modules"] == modules)
    #expect(answers[3]["result"]?["changes"]?.array.count == 2)
    #expect(answers[4]["result"]?["state"]?["done"]?.integer == 0)
    #expect(EarlierFormTests.session(answers[4])?["modules"] == modules)
    #expect(answers[6]["result"]?["session"]?["modules"]?.array.count == 1)
    let store = try FileStore.open(ServiceOptions(dataFolder: data).folderConfiguration)
    defer { store.close() }
    let snapshot = try store.snapshot
    #expect(snapshot.records(in: EarlierFormTests.modules).isEmpty)
    #expect(snapshot.records(in: EarlierFormTests.sessions).isEmpty)
  }
}
