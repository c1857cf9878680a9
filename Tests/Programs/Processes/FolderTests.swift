import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("The data folder", .processes)
struct FolderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("A missing folder is created by the first write only")
  func missing() async throws {
    let deep = folder.data + "/a/b"
    let daybook = try await Daybook.serve(deep)
    for method in ["days/get", "meals/list", "settings/get", "session/get", "server/status"] {
      try await daybook.call(method, method)
    }
    try await daybook.call("since", "changes/since", #"{"revision":0}"#)
    #expect(try await daybook.refusal("undo", "changes/undo") == "nothingToUndo")
    #expect(try await daybook.refusal("bad", "meals/add", #"{"name":"","calories":1}"#) == "invalidParams")
    try await daybook.call("same", "settings/update", #"{"age":32}"#)
    #expect(!FileManager.default.fileExists(atPath: folder.data), "reading leaves nothing behind")
    try await daybook.call("add", "meals/add", Meals.params(1))
    #expect(folder.dataEntries.contains("a/b/journal/000001.jsonl"))
  }

  @Test("An unsuitable folder is refused with its name", arguments: ["file", "FIFO", "link", "other owner"])
  func strange(_ kind: String) async throws {
    let path = folder.path + "/strange"
    switch kind {
    case "file": try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    case "FIFO": try #require(mkfifo(path, 0o600) == 0)
    case "link":
      try FileManager.default.createDirectory(atPath: folder.data, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.data)
    default:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard chown(path, 65534, 65534) == 0 else { return print("skipped: only root can give a folder away") }
    }
    for (method, params) in [("days/get", "{}"), ("meals/add", Meals.params(1))] {
      let call = try await Program.run(["call", method, params, "--data", path])
      #expect(call.status == .exited(1))
      #expect(call.error.contains(#""name":"storeUnavailable""#), "\(call.error)")
    }
    let claim = try await Program.run(["call", "days/get", "--data", path, "--seed", "1"])
    #expect(claim.status == .exited(1), "\(claim.error)")
    #expect(claim.error.contains(#""name":"storeUnavailable""#), "\(claim.error)")
  }

  private let day = #"{"day":"2026-01-05"}"#

  @Test("Requests received together with a waiting write are answered too, however short the wait")
  func burst() async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "meals/add", Meals.params(0))
    let lock = open(folder.data + "/lock", O_RDWR)
    defer { close(lock) }
    try #require(lock >= 0)
    // The write is not refused before the lock is released, even on a busy machine.
    let params = String(Meals.params(1).dropLast()) + #","_meta":{"timeoutMs":120000}}"#
    for round in 0..<300 {
      let ids = (0..<6).map { "\(round)-\($0)" }
      while flock(lock, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
      daybook.post(ids.flatMap { daybook.frame(Daybook.request($0, "meals/add", params)) })
      try await daybook.allTaken()
      // About the time until the write is retried.
      var turns = round * 7 % 400
      while turns > 0 {
        _ = flock(lock, LOCK_EX)
        turns -= 1
      }
      _ = flock(lock, LOCK_UN)
      for id in ids { _ = try await daybook.result(id) }
    }
  }

  @Test("Two frontends and a script work on one folder at once, and each receives the others' events")
  func twoProcesses() async throws {
    let first = try await Daybook.serve(folder.data)
    let second = try await Daybook.serve(folder.data)
    for daybook in [first, second] { try await daybook.call("subscribe", "events/subscribe") }
    #expect(try await second.call("before", "days/get", day)["mealCount"]?.integer == 0)
    try await first.call("add", "meals/add", Meals.params(1))
    #expect(try await second.call("after", "days/get", day)["mealCount"]?.integer == 1, "at its very next request")
    let event = try #require(try await second.messages.take("the event") { $0["method"]?.string == "mealsChanged" })
    #expect(event["params"]?["origin"]?.string == "otherProcess")
    let call = try await Program.run(["call", "meals/add", Meals.params(2), "--data", folder.data])
    #expect(call.status == .exited(0), "\(call.error)")
    for daybook in [first, second] {
      // No request is sent: the event is unsolicited.
      let event = try #require(
        try await daybook.messages.take("the script's event") {
          $0["method"]?.string == "mealsChanged" && $0["params"]?["revision"]?.integer == 2
        })
      #expect(event["params"]?["origin"]?.string == "otherProcess")
    }
    try await second.call("add", "meals/add", Meals.params(3))
    for daybook in [first, second] {
      #expect(try await daybook.call("list", "meals/list")["meals"]?.array.count == 3)
      daybook.closeInput()
      #expect(try await daybook.exitStatus() == .exited(0))
    }
    #expect(try await Meals.stored(in: folder.data) == [1, 2, 3])
  }

  @Test("A write blocked too long by another process is refused with the holder's name; reads do not wait")
  func heldLock() async throws {
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("first", "meals/add", Meals.params(1))
    let lock = open(folder.data + "/lock", O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let params = Meals.params(2).dropLast() + #","_meta":{"timeoutMs":20}}"#
    daybook.request("held", "meals/add", String(params))
    let refusal = try await daybook.response("held")
    #expect(refusal.errorName == "storeBusy")
    #expect(refusal["error"]?["data"]?["holder"]?.string?.hasPrefix("pid \(daybook.process.pid),") == true)
    #expect(try await daybook.call("read", "days/get", day)["mealCount"]?.integer == 1)
    daybook.request("cancelled", "meals/add", Meals.params(3))
    daybook.notify("$/cancelRequest", #"{"id":"cancelled"}"#)
    #expect(try await daybook.response("cancelled").errorName == "requestCancelled")
    daybook.request("patient", "meals/add", Meals.params(4))
    flock(lock, LOCK_UN)
    #expect(try await daybook.result("patient")["created"]?.boolean == true)
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    #expect(try await Meals.stored(in: folder.data) == [1, 4])
  }

  @Test("“watch” tells of what another process changes, in order, and ends with its reader")
  func watching() async throws {
    let shop = Shop(folder)
    try shop.says(bought: false)
    let service = try await Daybook.serve(folder.data, arguments: shop.arguments)
    try await service.call("first", "meals/add", Meals.params(0))
    var manner = Daybook.Manner()
    manner.isNewline = true
    let watch = try Daybook(["watch", "--data", folder.data], manner)
    // It does not report its start, so changes are made until it has seen one.
    var number = 1
    while watch.messages.waiting.isEmpty, number < 2000 {
      try await service.call("\(number)", "meals/add", Meals.params(number))
      number += 1
    }
    let last = number
    try await service.call("last", "meals/add", Meals.params(last))
    try await service.call("settings", "settings/update", #"{"age":50}"#)
    let event = try await watch.messages.take("the settings") { $0.method == "settingsChanged" }
    #expect(event?["params"]?["origin"]?.string == "otherProcess")
    try await service.call("habit", "habits/add", #"{"name":"Two litres","source":"water","target":"2000"}"#)
    try await service.call("glass", "water/add", #"{"value":"250"}"#)
    #expect(try await watch.event("habitDaysChanged")["habitIds"]?.array.count == 1)
    try await service.call("introduction", "onboarding/complete")
    #expect(try await watch.event("onboardingCompleted")["cause"]?.string == "completed")
    try shop.says(bought: true)
    try await service.call("verify", "premium/verify")
    // Notifications of the start may have come before.
    let bought = try await watch.messages.take("the purchase") {
      $0.method == "premiumStatusChanged" && $0["params"]?["status"]?["state"]?.string == "active"
    }
    #expect(bought != nil)
    var seen: [Int] = []
    var revision = 0
    for message in watch.messages.waiting where message.method == "mealsChanged" {
      let next = message["params"]?["revision"]?.integer ?? 0
      #expect(next > revision)
      revision = next
      seen += (message["params"]?["changes"]?.array ?? []).compactMap {
        $0["id"]?.string.flatMap { Int($0.suffix(12)) }
      }
    }
    let first = try #require(seen.first)
    #expect(seen == Array(first...last), "everything once, in order")
    watch.process.signal(SIGTERM)
    #expect(try await watch.exitStatus() == .exited(1))
    #expect(try await watch.errorText().contains("SIGTERM"))
  }

  /// Reads, and writes that must fail.
  private func useReadOnly(_ manner: Daybook.Manner) async throws {
    let daybook = try await Daybook.serve(folder.data, manner)
    #expect(try await daybook.call("session", "session/get")["readOnly"]?.boolean == true)
    for number in 2..<5 {
      #expect(try await daybook.refusal("\(number)", "meals/add", Meals.params(number)) == "storeReadOnly")
    }
    #expect(try await daybook.call("list", "meals/list")["meals"]?.array.count == 1)
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
  }

  @Test("On a read-only disk it reads, and refuses writes by name")
  func readOnlyMount() async throws {
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    guard getuid() == 0 else { return print("skipped: only root can mount") }
    let mounted = try await Program.command(["/usr/bin/mount", "--bind", folder.data, folder.data])
    guard mounted.status == .exited(0) else { return print("skipped: no mounting here: \(mounted.error)") }
    let remounted = try await Program.command(["/usr/bin/mount", "-o", "remount,bind,ro", folder.data])
    do {
      #expect(remounted.status == .exited(0))
      try await useReadOnly(.script)
    } catch { Issue.record(error) }
    _ = try await Program.command(["/usr/bin/umount", "-l", folder.data])
  }

  @Test("A folder without write permission is left unchanged")
  func readOnlyMode() async throws {
    try await Program.run(["call", "meals/add", Meals.params(1), "--data", folder.data]).requireDone()
    var manner = Daybook.Manner.script
    let paths = [folder.data] + folder.dataEntries.map { folder.data + "/" + $0 }
    if getuid() == 0 {
      let setpriv = "/usr/bin/setpriv"
      guard FileManager.default.isExecutableFile(atPath: setpriv) else {
        return print("skipped: root may write anywhere, and there is no setpriv to be somebody else")
      }
      manner.wrapper = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
      for path in paths { chown(path, 65534, 65534) }
    }
    for path in paths.reversed() {
      chmod(path, [folder.data, folder.data + "/journal"].contains(path) ? 0o500 : 0o400)
    }
    defer { for path in [folder.data, folder.data + "/journal"] { chmod(path, 0o700) } }
    try await useReadOnly(manner)
  }
}

extension Finished {
  /// Expects success.
  func requireDone() throws { try #require(status == .exited(0), "\(error)") }
}
