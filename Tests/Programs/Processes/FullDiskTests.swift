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

/// Serialized, because mounts are global.
@Suite("A full disk", .serialized, .processes)
struct FullDiskTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Sends writes without space and reads after them, all at once, and checks every response.
  private func writeWithoutRoom(_ daybook: Daybook, knowing meals: Int) async throws {
    var bytes: [UInt8] = []
    for number in 10..<15 {
      bytes += daybook.frame(Daybook.request("\(number)", "meals/add", Meals.params(number, note: 9000)))
    }
    bytes += daybook.frame(Daybook.request("today", "days/get", #"{"day":"2026-01-05"}"#))
    bytes += daybook.frame(Daybook.request("list", "meals/list"))
    bytes += daybook.frame(Daybook.request("since", "changes/since", #"{"revision":0}"#))
    bytes += daybook.frame(Daybook.request("replay", "events/subscribe", #"{"fromRevision":0}"#))
    bytes += daybook.frame(Daybook.request("settings", "settings/update", #"{"age":44}"#))
    bytes += daybook.frame(Daybook.request("get", "settings/get"))
    daybook.post(bytes)
    for number in 10..<15 { #expect(try await daybook.response("\(number)").errorName == "diskFull") }
    #expect(try await daybook.result("today")["mealCount"]?.integer == meals)
    #expect(try await daybook.result("list")["meals"]?.array.count == meals)
    #expect(try await daybook.result("since")["changes"]?.array.count == meals)
    #expect(try await daybook.result("replay")["revision"]?.integer == meals)
    let settings = try await daybook.response("settings")
    let age = try await daybook.result("get")["settings"]?["age"]?.integer
    #expect(settings.errorName == "diskFull" ? age == 32 : age == 44, "\(settings.text)")
    try await daybook.call("barrier", "server/info")
    for event in daybook.messages.waiting where event.method == "mealsChanged" {
      for change in event["params"]?["changes"]?.array ?? [] {
        let number = try #require(change["id"]?.string.flatMap { Int($0.suffix(12)) })
        #expect(number < 10, "an event of a meal that was refused")
      }
    }
  }

  @Test("Writes are refused, reads go on and tell the truth, and with room again writes work")
  func tmpfs() async throws {
    guard getuid() == 0 else { return print("skipped: only root can mount a small disk") }
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let mount = try await Program.command(["/usr/bin/mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk])
    guard mount.status == .exited(0) else { return print("skipped: no mounting here: \(mount.error)") }
    do {
      try await fillAndFree(disk)
    } catch {
      _ = try await Program.command(["/usr/bin/umount", "-l", disk])
      throw error
    }
    _ = try await Program.command(["/usr/bin/umount", "-l", disk])
  }

  private func fillAndFree(_ disk: String) async throws {
    let daybook = try await Daybook.serve(disk + "/data")
    try await daybook.call("first", "meals/add", Meals.params(1))
    let filler = disk + "/filler"
    let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, zeros, zeros.count) > 0 {}
    close(descriptor)
    try await writeWithoutRoom(daybook, knowing: 1)
    try await writeWithoutRoom(daybook, knowing: 1)
    unlink(filler)
    #expect(try await daybook.call("again", "meals/add", Meals.params(2))["created"]?.boolean == true)
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    #expect(try await Meals.stored(in: disk + "/data") == [1, 2])
  }

  @Test("A file that may not grow is a full disk")
  func fileSizeLimit() async throws {
    var manner = Daybook.Manner.script
    // In blocks of 512 bytes; only the soft limit, so that it can be raised again.
    manner.wrapper = ["/bin/sh", "-c", "ulimit -S -f 8; exec \"$@\"", "sh"]
    let daybook = try await Daybook.serve(folder.data, manner)
    try await daybook.call("first", "meals/add", Meals.params(1))
    daybook.request("large", "meals/add", Meals.params(2, note: 9000))
    daybook.request("today", "days/get", #"{"day":"2026-01-05"}"#)
    let refused = try await daybook.response("large").errorName
    #expect(try await daybook.result("today")["mealCount"]?.integer == 1)
    #expect(refused == "diskFull")
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    #expect(try await Meals.stored(in: folder.data) == [1])
  }
}
