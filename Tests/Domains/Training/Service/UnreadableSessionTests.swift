import CivilTime
import DaybookServer
import FileStore
import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing
import Values

/// A running session whose record is unreadable, such as one written by a later version.
@Suite("An unreadable running session", .simulated)
struct UnreadableSessionTests {
  /// Makes the records of a collection unreadable.
  private static func spoil(_ collection: String, in folder: String) throws {
    let store = try FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration)
    defer { store.close() }
    let name = CollectionName(collection)
    let operations = try store.snapshot.records(in: name).map { record in
      Operation.put(
        name, id: record.id, day: record.day, schema: 1, createdAt: record.createdAt, updatedAt: record.updatedAt,
        body: Array(#"{"id":"\#(record.id)","timer":7}"#.utf8))
    }
    #expect(!operations.isEmpty)
    _ = try store.commit(
      Transaction(
        id: EntityID(high: 1, low: 1), at: Instant(milliseconds: 1_767_614_400_000), author: "a later version",
        label: "test", undoes: nil, operations: operations))
  }

  /// The answers of a service after a session with an exercise was started and a collection damaged.
  private func answers(after collection: String, _ methods: [String]) async throws -> [JSONValue] {
    let folder = try TemporaryFolder()
    let data = folder.data
    return try await onThread { () -> Result<[JSONValue], any Error> in
      Result {
        let first = try #require(InProcessService(folder: data))
        _ = first.call("workoutSession/start", "{}")
        _ = first.call("workoutSession/addExercise", #"{"traits":{"name":"Sled","kind":"strength"}}"#)
        first.close()
        try UnreadableSessionTests.spoil(collection, in: data)
        let service = try #require(InProcessService(folder: data))
        defer { service.close() }
        return methods.map { service.call($0, "{}") }
      }
    }.get()
  }

  @Test("It is reported, no other session can start, and it can be cancelled")
  func session() async throws {
    let answers = try await answers(
      after: "runningSessions",
      [
        "workoutSession/get", "workoutSession/start", "workoutSession/cancel", "workoutSession/get",
        "runningExercises/list",
      ])
    #expect(answers[0]["error"]?["data"]?["name"]?.string == "storeUnavailable")
    #expect(answers[1]["error"]?["data"]?["name"]?.string == "storeUnavailable")
    #expect(answers[2]["result"]?["revision"]?.integer != nil)
    #expect(answers[3]["result"] != nil && answers[3]["result"]?["state"] == nil)
    #expect(answers[4]["result"]?["exercises"]?.array.isEmpty == true)
  }

  @Test("An unreadable exercise is left out, and the session continues and ends")
  func exercise() async throws {
    let answers = try await answers(
      after: "runningExercises", ["workoutSession/get", "workoutSession/cancel", "workoutSession/get"])
    #expect(answers[0]["result"]?["state"]?["session"]?["name"]?.string == "Freestyle")
    #expect(answers[0]["result"]?["state"]?["exercises"]?.array.isEmpty == true)
    #expect(answers[1]["result"]?["session"] != nil)
    #expect(answers[2]["result"]?["state"] == nil)
  }
}
