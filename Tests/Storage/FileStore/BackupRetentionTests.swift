import CivilTime
import Testing
import Values

@testable import FileStore

@Suite("Which backups are kept, and what they are called")
struct BackupRetentionTests {
  @Test("Automatic backups of a week, four weeks and twelve months are kept, and every manual one")
  func retention() throws {
    var backups: [Backup] = []
    let day: Int64 = 86_400_000
    let now: Int64 = 1_767_614_400_000
    func add(_ daysAgo: Int, _ reason: BackupReason, hour: Int64 = 0) {
      let created = Instant(milliseconds: now - Int64(daysAgo) * day + hour * 3_600_000)
      backups.append(
        Backup(
          BackupList(
            id: BackupID(at: created, random: EntityID(high: 0, low: UInt64(backups.count))),
            store: id(1), replica: id(2), created: created, revision: 1, records: 1, reason: reason)))
    }
    for daysAgo in 0..<800 {
      add(daysAgo, .daily, hour: 1)
      add(daysAgo, .daily)
      if daysAgo == 500 { add(500, .manual) }
      if daysAgo == 3 || daysAgo == 9 { add(daysAgo, .beforeImport, hour: -1) }
    }
    let removed = Set(Backups.surplus(backups))
    let kept = backups.filter { !removed.contains($0.id) }
    #expect(kept.count { $0.reason == .manual } == 1)
    #expect(kept.count { $0.reason == .beforeImport } == 1, "the one of this week")
    let daily = kept.filter { $0.reason == .daily }
    // Seven days, of which the older ones count for weeks too; four weeks; twelve months, the newest of which are
    // among those.
    #expect((18...21).contains(daily.count), "\(daily.map(\.id))")
    #expect(daily.allSatisfy { ($0.created?.utc.millisecondOfDay ?? 0) >= 3_600_000 }, "the newest of each day")
    #expect(daily.last.map { (300...345).contains((now - ($0.created?.milliseconds ?? 0)) / day) } == true)
    let again = Backups.surplus(kept)
    #expect(again.isEmpty, "a second pass removes nothing: \(again)")
  }

  @Test("An id contains its time, and no other text is one")
  func ids() {
    let made = BackupID(at: Instant(milliseconds: 1_767_614_400_000), random: EntityID(high: 0, low: 0x1B2))
    #expect(made.description == "20260105T120000Z-000001b2")
    #expect(BackupID(made.description) == made)
    for text in ["", "..", "20260105T120000Z-000001B2", "20260105T120000Z-000001b", "x0260105T120000Z-000001b2"] {
      #expect(BackupID(text) == nil, "\(text)")
    }
    for name in ["../store.json", "segments/../lock", "segments/meals/x", "journal/1.jsonl", "/etc/passwd", "lock"] {
      #expect(!BackupList.isFileName(name), "\(name)")
    }
  }
}
