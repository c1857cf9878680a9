import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Large undos, which run off the session.
@Suite("The undo of a large change", .processes)
struct LargeUndoTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let count = 1000

  /// A service that has imported meals, in one change.
  private func imported() async throws -> Daybook {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "meals/add", Meals.params(1))
    let result = try await daybook.call(
      "import", "data/import", #"{"mode":"merge","lines":[\#(Meals.lines(10_000..<10_000 + LargeUndoTests.count))]}"#)
    #expect(result["undoable"]?.boolean == true)
    return daybook
  }

  private func count(_ daybook: Daybook, _ id: String) async throws -> Int? {
    try await daybook.call(id, "nutrition/export", #"{"what":"meals"}"#)["rows"]?.integer
  }

  @Test("Earlier changes are included in its work")
  func overtaken() async throws {
    let daybook = try await imported()
    daybook.request("undo", "changes/undo", #"{"revision":2}"#)
    for number in 0..<50 { daybook.request("\(number)", "meals/add", Meals.params(100 + number)) }
    for number in 0..<50 { _ = try await daybook.result("\(number)") }
    let undone = try await daybook.result("undo")
    #expect(undone["undoneRevision"]?.integer == 2)
    #expect(undone["changes"]?.array.count == LargeUndoTests.count)
    let revision = try #require(undone["revision"]?.integer)
    #expect(undone["changes"]?.array.allSatisfy { $0["revision"]?.integer == revision } == true)
    #expect(try await count(daybook, "left") == 51)
    let back = try await daybook.call("redo", "changes/undo", #"{"revision":\#(revision)}"#)
    #expect(back["changes"]?.array.count == LargeUndoTests.count)
    #expect(try await count(daybook, "back") == 51 + LargeUndoTests.count)
  }

  @Test("One event reports all of it, also in another process")
  func events() async throws {
    let daybook = try await imported()
    let other = try await Daybook.serve(folder.data)
    for who in [daybook, other] { try await who.call("subscribe", "events/subscribe") }
    #expect(try await count(other, "there") == LargeUndoTests.count + 1)
    let undone = try await daybook.call("undo", "changes/undo")
    let revision = undone["revision"]?.integer
    for (who, origin) in [(daybook, "thisFrontend"), (other, "otherProcess")] {
      let event = try await who.messages.take("the event") {
        $0.method == "mealsChanged" && $0["params"]?["revision"]?.integer == revision
      }
      #expect(event?["params"]?["origin"]?.string == origin)
      #expect(event?["params"]?["changes"]?.array.count == LargeUndoTests.count)
    }
    #expect(try await count(other, "gone") == 1)
  }

  @Test("A cancellation has done nothing, or everything")
  func cancelled() async throws {
    let daybook = try await imported()
    daybook.post(
      daybook.frame(Daybook.request("undo", "changes/undo", "{}"))
        + daybook.frame(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"undo"}}"#))
    let response = try await daybook.response("undo")
    let left = try await count(daybook, "left")
    if response["result"] == nil {
      #expect(response.errorName == "requestCancelled" && left == LargeUndoTests.count + 1)
    } else {
      #expect(left == 1)
    }
  }

  @Test("A following shutdown is answered, and the work has done nothing, or everything")
  func shutdown() async throws {
    let daybook = try await Daybook.serve(folder.data, .init())
    try await daybook.call(
      "import", "data/import", #"{"mode":"merge","lines":[\#(Meals.lines(10_000..<11_000))]}"#)
    daybook.post(
      daybook.frame(Daybook.request("undo", "changes/undo")) + daybook.frame(Daybook.request("end", "shutdown")))
    _ = try await daybook.result("end")
    let undone = try await daybook.response("undo")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
    if undone["result"] == nil { #expect(undone.errorName == "requestCancelled") }
    let left = try await count(Daybook.serve(folder.data), "left")
    #expect(left == (undone["result"] == nil ? LargeUndoTests.count : 0))
  }

  @Test("In a batch, repeated with one change id, and before the end of input, it runs once")
  func ways() async throws {
    let daybook = try await imported()
    let batch = "[\(Daybook.request("one", "changes/undo")),\(Daybook.request("two", "session/get"))]"
    daybook.post(daybook.frame(batch))
    let answers = try await daybook.messages.take("the batch") { !$0.array.isEmpty }
    #expect(answers?.array.first?["result"]?["undoneRevision"]?.integer == 2)
    let redo = #"{"revision":3,"_meta":{"transaction":"11111111-1111-4111-8111-111111111111"}}"#
    let first = try await daybook.call("redo", "changes/undo", redo)
    let second = try await daybook.call("again", "changes/undo", redo)
    #expect(first == second && first["revision"]?.integer == 4)
    daybook.request("last", "changes/undo", #"{"revision":4}"#)
    daybook.closeInput()
    let last = try await daybook.result("last")
    #expect(last["revision"]?.integer == 5)
    _ = try await daybook.exitStatus()
    #expect(try await count(Daybook.serve(folder.data), "left") == 1)
  }
}
