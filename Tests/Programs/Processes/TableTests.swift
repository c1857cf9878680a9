import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Serialized, because they need much memory and time.
@Suite("Large tables", .serialized, .processes)
struct TableTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The number of rows of a large table, from `TABLE_ROWS` in the environment.
  private static let count = ProcessInfo.processInfo.environment["TABLE_ROWS"].flatMap { Int($0) } ?? 10_000

  /// Rows in Cronometer's format, 5,000 a year.
  private func table(_ count: Int = TableTests.count) throws -> String {
    var text = "Day,Time,Group,Food Name,Amount,Energy (kcal),Carbs (g),Fat (g),Protein (g),Category\n"
    let groups = ["Breakfast", "Lunch", "Dinner", "Snacks"]
    for number in 0..<count {
      let (year, month, day) = (2016 + number / 5000, number / 420 % 12 + 1, number / 15 % 28 + 1)
      text +=
        "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day),8:30 AM,\(groups[number % 4]),"
        + "\"Food, no. \(number)\",58.00 g,\(number % 900).25,\(number % 90).5,\(number % 30),\(number % 40),Foods\n"
    }
    let path = folder.path + "/servings.csv"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("A large table is imported in one change while others are served, and undone in one")
  func large() async throws {
    let path = try table()
    let daybook = try await Daybook.serve(folder.data, .init())
    try await daybook.call("a", "meals/add", #"{"name":"Soup","calories":350}"#)
    let preview = try await daybook.call("preview", "nutrition/previewImport", #"{"path":"\#(path)"}"#)
    #expect(preview["rows"]?.integer == TableTests.count && preview["new"]?.integer == TableTests.count)
    #expect(preview["table"]?.string == "servings" && preview["first"]?.array.count == 20)
    daybook.request("import", "nutrition/import", #"{"path":"\#(path)"}"#)
    // It is processed off the session.
    daybook.request("meanwhile", "days/get")
    let first = try await daybook.messages.take("an answer") { $0.responseID != nil }
    #expect(first?.responseID == .string("meanwhile"))
    let result = try await daybook.result("import")
    #expect(result["added"]?.integer == TableTests.count && result["undoable"]?.boolean == true)
    #expect(result["revision"]?.integer == 2, "one change")
    let event = try await daybook.messages.take("the event") { $0.method == "mealsChanged" && $0.changeCount > 1 }
    #expect(event?.changeCount == TableTests.count)
    let again = try await daybook.call("again", "nutrition/import", #"{"path":"\#(path)"}"#)
    #expect(again["added"]?.integer == 0 && again["present"]?.integer == TableTests.count)
    #expect(again["changed"]?.boolean == false)
    let undone = try await daybook.call("undo", "changes/undo")
    #expect(undone["undoneRevision"]?.integer == 2 && undone["method"]?.string == "nutrition/import")
    let left = try await daybook.call("left", "meals/list")
    #expect(left["meals"]?.array.count == 1)
    try await daybook.call("end", "shutdown")
    daybook.notify("exit")
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("A cancelled import has done nothing, or everything")
  func cancelled() async throws {
    let path = try table()
    let daybook = try await Daybook.serve(folder.data)
    daybook.request("import", "nutrition/import", #"{"path":"\#(path)"}"#)
    daybook.notify("$/cancelRequest", #"{"id":"import"}"#)
    let response = try await daybook.response("import")
    let status = try await daybook.call("status", "nutrition/export", #"{"what":"meals"}"#)
    #expect(
      status["rows"]?.integer == (response["result"] == nil ? 0 : TableTests.count), "\(response.text.prefix(200))")
    if response["result"] == nil { #expect(response.errorName == "requestCancelled") }
  }

  @Test("Killed during an import, it has all of it or nothing")
  func killed() async throws {
    let count = 5000
    let path = try table(count)
    for answers in 0..<3 {
      let data = folder.path + "/killed-\(answers)"
      let daybook = try await Daybook.serve(data)
      daybook.request("import", "nutrition/import", #"{"path":"\#(path)"}"#)
      for number in 0..<answers {
        try await daybook.call("\(number)", "nutrition/previewImport", #"{"path":"\#(path)"}"#)
      }
      daybook.process.signal(SIGKILL)
      _ = try await daybook.exitStatus()
      let after = try await Daybook.serve(data)
      let rows = try await after.call("rows", "nutrition/export", #"{"what":"meals"}"#)["rows"]?.integer
      #expect(rows == 0 || rows == count)
      after.closeInput()
      _ = try await after.exitStatus()
    }
  }
}

extension JSONValue {
  /// The number of changes in an event.
  fileprivate var changeCount: Int { self["params"]?["changes"]?.array.count ?? 0 }
}
