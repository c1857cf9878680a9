import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("Sync through a folder", .processes)
struct SyncTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  @Test("What was added on two devices is on both, in one pass each, as changes of sync that nobody can undo")
  func exchange() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    try await second.call("subscribe", "events/subscribe")
    _ = try await first.add("Porridge")
    _ = try await second.add("Soup")
    #expect(try await first.pass()["pass"]?["sent"]?.integer ?? 0 >= 1)
    #expect(try await second.pass()["pass"]?["received"]?.integer == 1)
    #expect(try await second.event("mealsChanged") { $0["origin"]?.string == "sync" }["revision"] != nil)
    #expect(try await first.pass()["status"]?["state"]?.string == "synced")
    for device in [first, second] { #expect(try await device.names() == ["Porridge", "Soup"]) }
    try await second.call("undo", "changes/undo")
    #expect(try await second.names() == ["Porridge"], "the own change was undone, not the other's")
    _ = try await second.pass()
    _ = try await first.pass()
    #expect(try await first.names() == ["Porridge"])
    let known = try await first.call("devices", "sync/devices")["devices"]?.array ?? []
    #expect(known.compactMap { $0["name"]?.string } == ["first", "second"])
    #expect(known.compactMap { $0["own"]?.boolean } == [true, false])
  }

  @Test("People see in one line what was exchanged, and what helps if nothing could be")
  func command() async throws {
    let device = try await devices.joined("first")
    _ = try await device.add("Porridge")
    device.closeInput()
    _ = try await device.exitStatus()
    let first = try await Program.run(["sync", "--data", devices.data("first")])
    #expect(first.output.hasSuffix(" sent; everything is exchanged\n") && first.status == .exited(0), "\(first)")
    let again = try await Program.run(["sync", "--data", devices.data("first")])
    #expect(again.output == "Nothing new; everything is exchanged\n" && again.status == .exited(0), "\(again)")
    let backup = try await Program.run(["call", "backup/create", "--data", devices.data("first")])
    #expect(backup.output.contains(#""records":1,"#), "what sync keeps account of is no record of the user's")
    try FileManager.default.removeItem(atPath: devices.shared)
    let gone = try await Program.run(["sync", "--data", devices.data("first")])
    #expect(gone.status == .exited(1) && gone.output.isEmpty && gone.error.contains("connect or mount"), "\(gone)")
    let off = try await Program.run(["sync", "--data", devices.data("second")])
    #expect(off.status == .exited(1) && off.error.contains("premium"), "\(off)")
  }

  @Test("A terminal goes on exchanging, a line a pass, until a signal comes")
  func watching() async throws {
    for name in ["first", "second"] {
      let device = try await devices.joined(name)
      device.closeInput()
      _ = try await device.exitStatus()
    }
    let watching = try Daybook(["sync", "--watch", "--json", "--data", devices.data("first")], .script)
    func pass(_ what: String, _ count: String, atLeast least: Int = 1) async throws {
      _ = try #require(
        try await watching.messages.take(what) { $0["pass"]?[count]?.integer.map { $0 >= least } ?? false },
        "\(watching.errorSoFar)")
    }
    try await pass("the first pass", "sent", atLeast: 0)
    let second = try await devices.serve("second")
    _ = try await second.add("Soup")
    _ = try await second.pass()
    try await pass("what the other has left", "received")
    let first = try await devices.serve("first")
    _ = try await first.add("Bread")
    try await pass("what was added here", "sent")
    watching.process.signal(SIGTERM)
    #expect(try await watching.exitStatus() == .exited(0))
  }

  @Test(
    "The page of a day ends with how much is not sent, if there is a remote", arguments: [["today"], ["day", "-1"]])
  func unsent(_ page: [String]) async throws {
    let device = try await devices.joined("first")
    _ = try await device.pass()
    let meal = try await device.add("Porridge")
    device.closeInput()
    _ = try await device.exitStatus()
    let arguments = ["--data", devices.data("first")]
    func end() async throws -> String {
      let shown = try await Program.run(page + arguments)
      #expect(shown.status == .exited(0), "\(shown)")
      return String(shown.output.split(separator: "\n").last ?? "")
    }
    #expect(try await end() == "1 change not sent: daybook sync")
    for name in ["Soup", "Stew"] {
      try await Program.run(["call", "meals/add", "name=\(name)", "calories=1"] + arguments).requireDone()
    }
    try await Program.run(["call", "meals/update", "id=\(meal)", "name=Oats"] + arguments).requireDone()
    #expect(try await end() == "3 changes not sent: daybook sync")
    _ = try await Program.run(["sync"] + arguments)
    #expect(try await !end().contains("not sent"))
    let alone = try await Program.run(page + ["--data", devices.data("second")])
    #expect(!alone.output.contains("not sent"), "without a remote nothing is sent")
  }

  @Test("Of two edits the later stays; the other is a conflict, which can be chosen after all")
  func conflict() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let id = try await first.add("Soup")
    _ = try await first.pass()
    _ = try await second.pass()
    // So that each knows that the other has seen it.
    _ = try await first.pass()
    try await first.rename(id, "Lentil soup")
    try await second.rename(id, "Onion soup")
    _ = try await first.pass()
    #expect(try await second.pass()["pass"]?["conflicts"]?.integer == 1)
    _ = try await first.pass()
    for device in [first, second] { #expect(try await device.names() == ["Onion soup"]) }
    let found = try #require(try await second.call("conflicts", "sync/conflicts")["conflicts"]?.array.first)
    #expect(found["current"]?["name"]?.string == "Onion soup" && found["other"]?["name"]?.string == "Lentil soup")
    let conflict = try #require(found["id"]?.string)
    let resolved = try await second.call("resolve", "sync/resolve", #"{"conflictId":"\#(conflict)","keep":"other"}"#)
    #expect(resolved["conflict"]?["resolved"]?.boolean == true)
    let again = try await second.refusal("again", "sync/resolve", #"{"conflictId":"\#(conflict)","keep":"current"}"#)
    #expect(again == "conflictResolved")
    _ = try await second.pass()
    _ = try await first.pass()
    for device in [first, second] { #expect(try await device.names() == ["Lentil soup"]) }
  }

  @Test("A deletion here and an earlier or later edit there: the later of them stays", arguments: [true, false])
  func deletion(isLast: Bool) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let id = try await first.add("Soup")
    _ = try await first.pass()
    _ = try await second.pass()
    if !isLast { try await first.call("delete", "meals/delete", #"{"id":"\#(id)"}"#) }
    try await second.rename(id, "Onion soup")
    if isLast { try await first.call("delete", "meals/delete", #"{"id":"\#(id)"}"#) }
    for device in [first, second, first, second] { _ = try await device.pass() }
    for device in [first, second] { #expect(try await device.names() == (isLast ? [] : ["Onion soup"])) }
  }

  @Test("A total that was chosen on one device stays when another changes what computes it; computed ones follow both")
  func computedNumbers() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    func settings(_ device: Daybook, _ change: String) async throws {
      try await device.call("change \(UUID())", "settings/update", change)
    }
    try await settings(first, #"{"age":50}"#)
    try await settings(second, #"{"sex":"female"}"#)
    for device in [first, second, first] { _ = try await device.pass() }
    // Mifflin and St Jeor for a woman of 50 years, 178 cm and 82.5 kg, who moves regularly.
    let both = try await first.call("both", "settings/get")["settings"]
    #expect(try await second.call("both", "settings/get")["settings"] == both)
    #expect(both?["age"]?.integer == 50 && both?["sex"]?.string == "female")
    #expect(both?["totalCalories"]?.integer == 2366 && both?["totalCaloriesSource"]?.string == "computed")
    try await settings(first, #"{"totalCalories":2100}"#)
    try await settings(second, #"{"age":51}"#)
    for device in [first, second, first] { _ = try await device.pass() }
    for device in [first, second] {
      let settings = try await device.call("settings \(UUID())", "settings/get")["settings"]
      #expect(settings?["totalCalories"]?.integer == 2100 && settings?["age"]?.integer == 51)
    }
  }

  @Test("A folder that is gone is an error with one id, and nothing is lost when it is back")
  func missing() async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    try await first.call("subscribe", "events/subscribe")
    _ = try await first.pass()
    _ = try await first.add("Porridge")
    try FileManager.default.moveItem(atPath: devices.shared, toPath: devices.shared + "-away")
    var ids: Set<String> = []
    for number in 0..<3 {
      #expect(try await first.refusal("pass \(number)", "sync/now") == "remoteUnavailable")
      let told = try await first.event("syncError")
      #expect(told["cause"]?.string == "missing" && told["phase"]?.string == "open")
      ids.insert(try #require(told["id"]?.string))
    }
    #expect(ids.count == 1)
    let status = try await first.status()
    #expect(status["state"]?.string == "error" && status["error"]?["id"]?.string == ids.first)
    #expect(status["pending"]?.integer == 1, "what is not there costs no attempt")
    let rows = try await first.call("queue", "sync/queue")["items"]?.array ?? []
    #expect(rows.allSatisfy { $0["retryCount"]?.integer == 0 })
    // An empty folder in its place, as an unmounted one is.
    try FileManager.default.createDirectory(atPath: devices.shared, withIntermediateDirectories: false)
    #expect(try await first.refusal("empty", "sync/now") == "remoteRefused")
    #expect(try FileManager.default.contentsOfDirectory(atPath: devices.shared).isEmpty)
    try FileManager.default.removeItem(atPath: devices.shared)
    try FileManager.default.moveItem(atPath: devices.shared + "-away", toPath: devices.shared)
    #expect(try await first.pass()["status"]?["error"] == nil)
    _ = try await second.pass()
    #expect(try await second.names() == ["Porridge"])
  }

  @Test("Processes that are killed during passes lose nothing, and the devices are equal in the end")
  func kills() async throws {
    let rounds = 10 * Int(HangGuard.scale)
    var (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    var added: [String] = []
    for round in 0..<rounds {
      for device in [first, second] {
        let name = "Meal \(round) \(device === first ? 1 : 2)"
        _ = try await device.add(name)
        added.append(name)
        device.request("pass", "sync/now")
      }
      let victim = round.isMultiple(of: 2) ? first : second
      // Some end within the pass, some after it.
      if round % 3 > 0 { _ = try? await victim.call("status", "sync/status") }
      victim.process.signal(SIGKILL)
      _ = try await victim.exitStatus()
      if victim === first {
        first = try await devices.serve("first")
      } else {
        second = try await devices.serve("second")
      }
    }
    for device in [first, second, first, second] { _ = try await device.pass() }
    for device in [first, second] {
      #expect(try await device.names() == added.sorted())
      #expect(try await device.status()["state"]?.string == "synced")
    }
  }

  @Test(
    "What an import or an undo brings back after a deletion is an edit, and comes back everywhere",
    arguments: [1, 1500])
  func broughtBack(count: Int) async throws {
    let (first, second) = (try await devices.joined("first"), try await devices.joined("second"))
    let rows = (0..<count).map { "2026-01-05,Meal \($0),100" }
    let table = try #require(
      String(data: try JSONEncoder().encode((["Date,Food,Calories"] + rows).joined(separator: "\n")), encoding: .utf8))
    let read = try await first.call("table", "nutrition/import", #"{"text":\#(table)}"#)
    #expect(read["added"]?.integer == count)
    let file = devices.folder.path + "/all.jsonl"
    try await first.call("export", "data/export", #"{"path":"\#(file)"}"#)
    for device in [first, second] { _ = try await device.pass() }
    #expect(try await second.names().count == count)
    // Everything is deleted on both, and brought back from the file, which knows of no deletion.
    try await first.call("clear", "debug/clearAll")
    for device in [first, second] { _ = try await device.pass() }
    if count > 100 { try await second.call("confirm", "sync/confirm", #"{"deletions":"apply"}"#) }
    #expect(try await second.names().isEmpty)
    try await first.call("import", "data/import", #"{"path":"\#(file)","mode":"merge"}"#)
    #expect(try await first.status()["pending"]?.integer == 1, "one record, or everything")
    for device in [first, second, first] { _ = try await device.pass() }
    for device in [first, second] { #expect(try await device.names().count == count) }
    #expect(try await first.status()["state"]?.string == "synced")
  }

  @Test("A remote that is forgotten during a pass stays forgotten")
  func forgotten() async throws {
    let device = try await devices.joined("first")
    for number in 0..<20 { _ = try await device.add("Meal \(number)") }
    for round in 0..<5 {
      device.request("pass \(round)", "sync/now")
      try await device.call("forget \(round)", "sync/forget")
      _ = try await device.response("pass \(round)")
      let status = try await device.status()
      #expect(status["state"]?.string == "off" && status["device"] == nil && status["pending"]?.integer == 0)
      try await device.call("join \(round)", "sync/configure", #"{"remote":\#(devices.remote())}"#)
    }
    #expect(try await device.pass()["status"]?["state"]?.string == "synced")
  }

  @Test("What cannot be a remote is refused, with the reason, and stays as it is")
  func refusals() async throws {
    let device = try await devices.serve("first")
    let place = devices.folder.path
    try Data("x".utf8).write(to: URL(fileURLWithPath: place + "/file"))
    try FileManager.default.createDirectory(atPath: place + "/foreign", withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: place + "/foreign/letter.txt"))
    func refusal(_ path: String, _ more: String = "") async throws -> [String?] {
      device.request("c \(path)", "sync/configure", #"{"remote":\#(devices.remote(path))\#(more)}"#)
      let data = try await device.response("c \(path)")["error"]?["data"]
      return [data?["name"]?.string, data?["cause"]?.string ?? data?["pointer"]?.string]
    }
    #expect(try await refusal(devices.shared) == ["remoteRefused", "remoteEmpty"])
    #expect(try await refusal(place + "/nowhere", #","create":true"#) == ["remoteUnavailable", "missing"])
    #expect(try await refusal(place + "/file", #","create":true"#) == ["remoteRefused", "notAFolder"])
    #expect(try await refusal(place + "/foreign", #","create":true"#) == ["remoteRefused", "foreignFiles"])
    #expect(try await refusal(devices.data("first"), #","create":true"#) == ["invalidParams", "/remote/path"])
    #expect(try await refusal(place, #","create":true"#) == ["invalidParams", "/remote/path"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/foreign") == ["letter.txt"])
    #expect(try await device.status()["needs"]?.array.first?.string == "remote")
  }

  @Test("A pause lasts over a restart; forgetting keeps the records")
  func pause() async throws {
    var device = try await devices.joined("first")
    _ = try await device.add("Soup")
    try await device.call("pause", "sync/pause")
    device.closeInput()
    _ = try await device.exitStatus()
    device = try await devices.serve("first")
    #expect(try await device.refusal("pass", "sync/now") == "syncPaused")
    #expect(try await device.call("resume", "sync/resume")["state"]?.string == "idle")
    #expect(try await device.pass()["status"]?["state"]?.string == "synced")
    let status = try await device.call("forget", "sync/forget")
    #expect(status["state"]?.string == "off" && status["remote"] == nil)
    #expect(try await device.names() == ["Soup"])
    #expect(try await device.refusal("after", "sync/now") == "syncOff")
  }

  @Test("Frontends exchange without being asked: soon after a write, and when the other has left something")
  func frontends() async throws {
    let (first, second) = (try await devices.joined("first", .init()), try await devices.joined("second", .init()))
    _ = try await first.event("syncStateChanged") { $0["status"]?["state"]?.string == "synced" }
    _ = try await first.add("Porridge")
    _ = try await second.event("mealsChanged") { $0["origin"]?.string == "sync" }
    #expect(try await second.names() == ["Porridge"])
    for device in [first, second] { try await device.shutDown() }
  }
}
