import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

/// Renaming a food that many meals use, which runs off the session.
@Suite("Another name for a food of many meals", .processes)
struct LargeRenameTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A service with 1,000 meals, two of each of 500 foods.
  private func imported() async throws -> Daybook {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call(
      "import", "data/import", #"{"mode":"merge","lines":[\#(Meals.lines(10_000..<11_000))]}"#)
    return daybook
  }

  private static func rename(_ from: String, _ to: String, _ rest: String = "") -> String {
    #"{"name":"\#(from)","to":"\#(to)"\#(rest)}"#
  }

  private func timesLogged(_ name: String, _ daybook: Daybook) async throws -> Int? {
    try await daybook.call("\(UUID())", "foods/search", #"{"query":"\#(name)"}"#)["foods"]?.array
      .first { $0["name"]?.string == name }?["timesLogged"]?.integer
  }

  @Test("Requests received together with it are answered before it, and one event reports all of it")
  func aside() async throws {
    let daybook = try await imported()
    try await daybook.call("subscribe", "events/subscribe")
    daybook.post(
      daybook.frame(Daybook.request("rename", "foods/rename", LargeRenameTests.rename("soup 1", "Broth")))
        + daybook.frame(Daybook.request("info", "server/info")))
    let first = try #require(try await daybook.messages.take("an answer") { $0.responseID != nil })
    #expect(first.responseID?.string == "info")
    let result = try await daybook.result("rename")
    #expect(result["meals"]?.integer == 2 && result["changed"]?.boolean == true)
    // The event of the import may come first: it was made before the subscription, but may be reported after it.
    var event = try await daybook.event("mealsChanged")
    if event["revision"] != result["revision"] { event = try await daybook.event("mealsChanged") }
    #expect(event["changes"]?.array.count == 2 && event["origin"]?.string == "thisFrontend")
    #expect(event["revision"] == result["revision"])
    #expect(try await timesLogged("Broth", daybook) == 2)
    let none = try await daybook.refusal("none", "foods/rename", LargeRenameTests.rename("Soup 1", "Broth"))
    #expect(none == "notFound")
    let undone = try await daybook.call("undo", "changes/undo")
    #expect(undone["method"]?.string == "foods/rename" && undone["changes"]?.array.count == 2)
    #expect(try await timesLogged("Soup 1", daybook) == 2)
    try await daybook.finish()
  }

  @Test("Changes that come behind it and are made before it are kept, and what they add is not renamed")
  func overtaken() async throws {
    let daybook = try await imported()
    let edited = "00000000-0000-4000-8000-\(String(format: "%012x", 10_001))"
    daybook.request("rename", "foods/rename", LargeRenameTests.rename("Soup 1", "Broth"))
    daybook.request("edit", "meals/update", #"{"id":"\#(edited)","note":"hot"}"#)
    for number in 0..<50 { daybook.request("\(number)", "meals/add", #"{"name":"Soup 1","calories":\#(number)}"#) }
    for number in 0..<50 { _ = try await daybook.result("\(number)") }
    #expect(try await daybook.result("rename")["meals"]?.integer == 2)
    let meal = try await daybook.call("get", "meals/get", #"{"id":"\#(edited)"}"#)["meal"]
    #expect(meal?["name"]?.string == "Broth" && meal?["note"]?.string == "hot")
    #expect(try await timesLogged("Soup 1", daybook) == 50)
    #expect(try await timesLogged("Broth", daybook) == 2)
    try await daybook.finish()
  }

  @Test("In a batch, twice with one id of a change, to the same name, and cancelled")
  func ways() async throws {
    let daybook = try await imported()
    let batch =
      "[\(Daybook.request("one", "foods/rename", LargeRenameTests.rename("Soup 1", "Broth"))),\(Daybook.request("two", "session/get"))]"
    daybook.post(daybook.frame(batch))
    let answers = try await daybook.messages.take("the batch") { !$0.array.isEmpty }
    #expect(answers?.array.first?["result"]?["meals"]?.integer == 2)
    let named = LargeRenameTests.rename(
      "Soup 2", "Broth", #","_meta":{"transaction":"11111111-1111-4111-8111-111111111111"}"#)
    let first = try await daybook.call("first", "foods/rename", named)
    #expect(try await daybook.call("again", "foods/rename", named) == first && first["meals"]?.integer == 2)
    let same = try await daybook.call("same", "foods/rename", LargeRenameTests.rename("broth", "Broth"))
    #expect(same["changed"]?.boolean == false && same["revision"] == first["revision"])
    daybook.post(
      daybook.frame(Daybook.request("given up", "foods/rename", LargeRenameTests.rename("Soup 3", "Broth")))
        + daybook.frame(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"given up"}}"#))
    let response = try await daybook.response("given up")
    if response["result"] == nil { #expect(response.errorName == "requestCancelled") }
    #expect(try await timesLogged("Broth", daybook) == (response["result"] == nil ? 4 : 6))
    try await daybook.finish()
  }
}
