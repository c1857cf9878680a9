import DomainKit
import Foundation
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Verification in idle time")
struct ScrubbingTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let month = "segments/meals/2019-05.1.jsonl"

  /// A data folder whose one meal is in an old segment.
  private func prepare() throws {
    var settings = FileStore.Configuration(
      folder: folder.data, newID: ServiceOptions.randomID, now: { Instant(milliseconds: 1_767_614_400_000) },
      onDurable: { _ in }, onCommitFailure: { _ in })
    settings.isInline = true
    let store = try FileStore.open(settings)
    let operation = Operation.put(
      Meal.collection, id: EntityID(high: 1, low: 2), day: CivilDay(year: 2019, month: 5, day: 4), schema: 1,
      createdAt: settings.now(), updatedAt: settings.now(), body: Array("{\"note\":\"a long time ago\"}".utf8))
    _ = try store.commit(
      Transaction(
        id: settings.newID(), at: settings.now(), author: "", label: "meals/add", operations: [operation]))
    store.waitUntilDurable()
    try store.checkpoint()
    store.close()
  }

  private func change(_ edit: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: folder.data + "/" + ScrubbingTests.month)
    var bytes = try Data(contentsOf: url)
    edit(&bytes)
    try bytes.write(to: url)
  }

  private func service() -> InProcessService? {
    InProcessService(folder: folder.data) { $0.scrubDelay = 0 }
  }

  @Test("Undiscovered damage is found and reported without a request, and the time is noted")
  func damage() async throws {
    try prepare()
    try change { $0[$0.count / 2] ^= 1 }
    let told = await onThread { () -> String? in
      guard let service = service() else { return nil }
      _ = service.call("settings/get", "{}")
      let event = service.event("storeRecovered")
      service.close()
      return event.map { String(decoding: $0.json, as: UTF8.self) }
    }
    #expect(told?.contains(ScrubbingTests.month) == true, "\(told ?? "nothing")")
    #expect(folder.dataEntries.contains("scrubbed"))
  }

  @Test("A scrub is due once a week, and when the clock was set back; never without a store")
  func schedule() throws {
    func isDue(_ milliseconds: Int64) throws -> Bool {
      try ScrubSchedule(
        FileStore.Configuration(
          folder: folder.data, newID: ServiceOptions.randomID, now: { Instant(milliseconds: milliseconds) },
          onDurable: { _ in }, onCommitFailure: { _ in })
      ).isDue()
    }
    let (now, day) = (Int64(1_767_614_400_000), Int64(86_400_000))
    #expect(try !isDue(now))
    try prepare()
    #expect(try isDue(now))
    try ScrubSchedule(
      FileStore.Configuration(
        folder: folder.data, newID: ServiceOptions.randomID, now: { Instant(milliseconds: now) },
        onDurable: { _ in }, onCommitFailure: { _ in })
    ).note()
    #expect(try !isDue(now) && !isDue(now + 7 * day - 1) && isDue(now + 7 * day) && isDue(now - 1))
    let status = try FileManager.default.attributesOfItem(atPath: folder.data + "/scrubbed")
    #expect(status[.posixPermissions] as? Int == 0o600)
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder.data + "/scrubbed"))
    #expect(try isDue(now))
  }
}
