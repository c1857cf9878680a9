import CivilTime
import JSON
import ProcessTesting
import ServerTesting
import Testing
import Values

@testable import DaybookServer

@Suite("Backups and imports in a session")
struct BackupTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func methods(_ service: InProcessService) -> [String] { service.events.compactMap { $0["method"]?.string } }

  @Test("The first change of a day triggers a backup, the second does not; reads trigger none")
  func daily() async throws {
    let data = folder.data
    await onThread {
      guard
        let service = InProcessService(
          folder: data,
          {
            $0.makesDailyBackups = true
            $0.dailyBackupDelay = 1
          })
      else {
        Issue.record("no pipes")
        return
      }
      _ = service.call("meals/list", "{}")
      for name in ["Soup", "Tea"] {
        #expect(service.call("meals/add", "{\"name\":\"\(name)\",\"calories\":1}")["result"] != nil)
        // Listing backups takes a while, and so do backups.
        for _ in 0..<100_000 where !methods(service).contains("backupCreated") { _ = service.call("backup/list", "{}") }
      }
      let list = service.call("backup/list", "{}")["result"]?["backups"]
      guard case .array(let backups)? = list else {
        Issue.record("no list")
        return
      }
      #expect(backups.count == 1 && backups.first?["reason"]?.string == "daily")
      #expect(methods(service).filter { $0 == "backupCreated" }.count == 1)
      service.close()
    }
  }

  @Test("The next request sees a large import, which is announced as a replaced store")
  func largeImport() async throws {
    let data = folder.data
    await onThread {
      guard let service = InProcessService(folder: data) else {
        Issue.record("no pipes")
        return
      }
      _ = service.call("meals/add", #"{"name":"Soup","calories":1}"#)
      let lines = (0..<1200).map { number in
        "{\"collection\":\"dreams\",\"id\":\"\(EntityID(high: 1, low: UInt64(number)))\",\"day\":\"2026-01-05\","
          + "\"created\":\"2026-01-05T12:00:00Z\",\"updated\":\"2026-01-05T12:00:00Z\",\"schema\":1,\"body\":{\"n\":\(number)}}"
      }
      let outcome = service.call("data/import", "{\"mode\":\"merge\",\"lines\":[\(lines.joined(separator: ","))]}")
      #expect(
        outcome["result"]?["undoable"] == .bool(false) && outcome["result"]?["revision"]?.integer == 2, "\(outcome)")
      #expect(service.call("session/get", "{}")["result"]?["revision"]?.integer == 2)
      #expect(methods(service).contains("storeReplaced"))
      #expect(service.call("data/export", "{}")["result"]?["records"]?.integer == 1201)
      #expect(service.call("meals/add", #"{"name":"Tea","calories":1}"#)["result"]?["revision"]?.integer == 3)
      #expect(service.call("changes/since", #"{"revision":2}"#)["result"]?["revision"]?.integer == 3)
      service.close()
      guard let again = InProcessService(folder: data) else { return }
      #expect(again.call("meals/list", "{}")["result"]?["revision"]?.integer == 3)
      again.close()
    }
  }
}
