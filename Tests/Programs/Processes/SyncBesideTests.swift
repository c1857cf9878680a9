import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

/// Passes of several processes on one data folder, and what others do meanwhile.
@Suite("Sync beside other processes", .processes)
struct SyncBesideTests {
  private let devices: SyncDevices
  init() throws { devices = try SyncDevices() }

  /// What another process holds during a pass, until `release` is called.
  private final class RunningPass {
    private var descriptor: Int32

    /// - Parameter folder: A data folder; a pass that runs there is over afterwards.
    init(_ folder: String) async throws {
      descriptor = open(folder + "/sync.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
    }

    func release() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    deinit { release() }
  }

  @Test("A pass by hand waits for the end of another process's, while everything else goes on, and then runs its own")
  func waits() async throws {
    let first = try await devices.joined("first", .init())
    _ = try await first.event("syncStateChanged") { $0["status"]?["state"]?.string == "synced" }
    let script = try await devices.serve("first")
    let running = try await RunningPass(devices.data("first"))
    first.request("pass", "sync/now")
    // Nothing of this depends on the pass.
    _ = try await script.add("Porridge")
    #expect(try await first.event("mealsChanged")["origin"]?.string == "otherProcess")
    _ = try await first.add("Soup")
    #expect(try await first.event("mealsChanged")["origin"]?.string == "thisFrontend")
    _ = try await first.call("export", "data/export")
    #expect(try await first.call("pause", "sync/pause")["state"]?.string == "syncing")
    try await first.call("resume", "sync/resume")
    running.release()
    let result = try await first.response("pass")["result"]
    #expect(result?["pass"]?["sent"]?.integer ?? 0 >= 2 && result?["status"]?["pending"]?.integer == 0)
    try await first.shutDown()
  }

  @Test("That wait ends with the caller's patience, and when the request is cancelled")
  func impatience() async throws {
    let first = try await devices.joined("first")
    let running = try await RunningPass(devices.data("first"))
    #expect(try await first.refusal("at once", "sync/now", #"{"_meta":{"timeoutMs":0}}"#) == "syncBusy")
    #expect(try await first.refusal("soon", "sync/now", #"{"_meta":{"timeoutMs":20}}"#) == "syncBusy")
    first.request("pass", "sync/now")
    _ = try await first.add("Soup")
    first.notify("$/cancelRequest", #"{"id":"pass"}"#)
    #expect(try await first.response("pass")["error"]?["data"]?["name"]?.string == "requestCancelled")
    running.release()
    // Whoever still waited for the lock has given it back.
    #expect(try await first.pass()["status"]?["state"]?.string == "synced")
  }
}
