import JSON
import Pacing
import ProcessTesting
import ServerTesting
import Testing

/// What two devices say of the same day, each without knowing of the other.
@Suite("The same log on two devices", .simulated)
struct SameLogTests {
  private static let habit = "e0000000-0000-4000-8000-000000000001"
  private static let added = "f0000000-0000-4000-8000-00000000000"

  /// The logs of a day, by id.
  private typealias Logs = [String: JSONValue]

  /// The logs after some requests on a device that both begin with.
  private static func logs(_ calls: [(String, String)], _ begins: [(String, String)]) async throws -> Logs {
    let folder = try TemporaryFolder()
    let data = folder.data
    return await onThread { () -> Logs in
      guard let service = InProcessService(folder: data) else { return [:] }
      _ = service.call(
        "habits/add", #"{"id":"\#(habit)","name":"Read","unit":"page","target":"4","startDay":"2025-01-01"}"#)
      for (method, more) in begins + calls {
        _ = service.call("habitLogs/\(method)", #"{"habitId":"\#(habit)","day":"2025-01-01"\#(more)}"#)
      }
      var logs: Logs = [:]
      for log in service.call("habitLogs/list", "{}")["result"]?["logs"]?.array ?? [] {
        logs[log["id"]?.string ?? ""] = log
      }
      service.close()
      return logs
    }
  }

  @Test(
    "What sets a day is one log for both devices; what adds to it is one for each",
    arguments: [
      ("setValue", #","value":"4""#, 1), ("complete", "", 1), ("skip", "", 1), ("setNote", #","note":"n""#, 1),
      ("increment", #","by":"1""#, 2), ("add", #","value":"1""#, 2),
    ])
  func ids(method: String, more: String, expected: Int) async throws {
    let (one, other) = (
      try await Self.logs([(method, more)], []), try await Self.logs([(method, more)], [])
    )
    #expect(one.count == 1 && other.count == 1)
    #expect(Set(one.keys).union(other.keys).count == expected)
  }

  @Test("Completing a day that both have begun completes it once")
  func completed() async throws {
    let begins = [("add", #","id":"\#(Self.added)1","value":"3""#)]
    let (one, other) = (
      try await Self.logs([("complete", "")], begins), try await Self.logs([("complete", "")], begins)
    )
    #expect(one.mapValues { $0["value"] } == other.mapValues { $0["value"] })
    #expect(one.values.compactMap { $0["value"]?.string }.sorted() == ["1", "3"])
    let set = try await Self.logs([("complete", ""), ("setValue", #","value":"2""#)], begins)
    #expect(Set(set.keys) == Set(one.keys).subtracting([Self.added + "1"]))
    #expect(set.values.compactMap { $0["value"]?.string } == ["2"])
  }

  @Test("A log that was made something else, or moved to another day, is not overwritten")
  func taken() async throws {
    let own = try #require(try await Self.logs([("setValue", #","value":"2""#)], []).keys.first)
    for edit in [#","day":"2025-01-02""#, #","value":null,"skipped":true"#] {
      let folder = try TemporaryFolder()
      let data = folder.data
      let logs = await onThread { () -> [JSONValue] in
        guard let service = InProcessService(folder: data) else { return [] }
        _ = service.call(
          "habits/add", #"{"id":"\#(Self.habit)","name":"Read","unit":"page","target":"4","startDay":"2025-01-01"}"#)
        func set(_ value: Int) {
          _ = service.call(
            "habitLogs/complete", #"{"habitId":"\#(Self.habit)","day":"2025-01-01"}"#)
          _ = service.call(
            "habitLogs/increment", #"{"habitId":"\#(Self.habit)","day":"2025-01-01","by":"\#(value - 4)"}"#)
        }
        set(2)
        _ = service.call("habitLogs/update", #"{"id":"\#(own)"\#(edit)}"#)
        _ = service.call("habitLogs/increment", #"{"habitId":"\#(Self.habit)","day":"2025-01-01"}"#)
        set(3)
        let logs = service.call("habitLogs/list", "{}")["result"]?["logs"]?.array ?? []
        service.close()
        return logs
      }
      let kept = logs.first { $0["id"]?.string == own }
      #expect(kept?["day"]?.string == "2025-01-02" || kept?["skipped"]?.boolean == true)
      #expect(logs.filter { $0["id"]?.string != own }.compactMap { $0["value"]?.string }.sorted() == ["1", "2"])
    }
  }

  @Test("A suggested habit is one for both devices, and comes back after its deletion")
  func suggested() async throws {
    var ids: [Set<String>] = []
    for _ in 0..<2 {
      let folder = try TemporaryFolder()
      let data = folder.data
      ids.append(
        await onThread { () -> Set<String> in
          guard let service = InProcessService(folder: data) else { return [] }
          func add() -> String {
            let answer = service.call("habits/addSuggested", #"{"suggestionId":"example.journaling"}"#)
            return answer["result"]?["habit"]?["id"]?.string ?? answer.text
          }
          let first = add()
          _ = service.call("habits/delete", #"{"id":"\#(first)"}"#)
          let ids: Set<String> = [first, add()]
          service.close()
          return ids
        })
    }
    #expect(ids[0] == ids[1] && ids[0].count == 1)
  }

  @Test("What is predefined keeps the time of its making until it is edited")
  func predefined() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let categories = await onThread { () -> [JSONValue] in
      guard let service = InProcessService(folder: data) else { return [] }
      let habit = #"{"id":"\#(Self.habit)","name":"Read"}"#
      _ = service.call("habits/add", habit)
      let first = service.call("habitCategories/list", "{}")["result"]?["categories"]?.array.first?["id"]?.text ?? ""
      _ = service.call("habitCategories/update", #"{"id":\#(first),"name":"Renamed"}"#)
      _ = service.call("habitCategories/update", #"{"id":\#(first),"name":"Renamed"}"#)
      _ = service.call("habits/addSuggested", #"{"suggestionId":"example.journaling"}"#)
      _ = service.call("habits/update", #"{"id":"\#(Self.habit)","name":"Read more"}"#)
      let categories = service.call("habitCategories/list", "{}")["result"]?["categories"]?.array ?? []
      service.close()
      return categories
    }
    #expect(categories.count > 1)
    for category in categories {
      #expect((category["createdAt"] == category["updatedAt"]) == (category["name"]?.string != "Renamed"))
    }
    #expect(categories.contains { $0["name"]?.string == "Renamed" })
  }
}
