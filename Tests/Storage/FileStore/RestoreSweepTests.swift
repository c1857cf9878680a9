import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

/// Shared by the tests of restoring.
protocol RestoreTesting {}

extension RestoreTesting {
  /// A disk with a backup and later changes, and the contents of both.
  func prepared() throws -> (disk: SimulatedDisk, backup: Backup, old: [UInt64: String], now: [UInt64: String]) {
    let disk = try diskWithStore()
    let backup = try Backups(inline(disk)).create(.manual, folds: false)
    let store = try FileStore.open(inline(disk))
    let old = try store.snapshot.contents
    #expect(
      store.commitAndWait(transaction(40, [.delete(meals, id: id(0)), put(1, "{\"n\":40}"), put(40, day: 20_060)])))
    let now = try store.snapshot.contents
    store.close()
    return (disk.afterCrash(.everything), backup, old, now)
  }

  func names(_ disk: SimulatedDisk) -> [String] {
    disk.walk(folder).map(\.path).filter { !$0.contains("/") }
  }
}

@Suite("Restoring while the power goes off", .simulated)
struct RestoreSweepTests: RestoreTesting {
  @Test("A power cut at any call of a request leaves the store, and a complete request or none")
  func requestSweep() throws {
    let (begun, backup, old, now) = try prepared()
    let dry = begun.afterCrash(.everything)
    _ = try Backups(inline(dry)).requestRestore(of: backup.id, by: "test")
    let calls = dry.calls
    #expect(calls > 100)
    for cut in Sweeps.places(0...calls) {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut)), .drawn(.ordered, seed: UInt64(cut))] {
        let disk = begun.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        let requested = try? Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        #expect(try FileStore.open(inline(found)).snapshot.contents == now, comment)
        let pending = try Backups(inline(found)).pendingRestore()
        if requested != nil { #expect(pending == requested, comment) }
        switch PendingRestore.run(inline(found)) {
        case .nothing:
          #expect(pending == nil, comment)
          #expect(try FileStore.open(inline(found)).snapshot.contents == now, comment)
        case .done:
          #expect(pending != nil, comment)
          #expect(try FileStore.open(inline(found)).snapshot.contents == old, comment)
        case let outcome: Issue.record("\(outcome); \(comment)")
        }
      }
    }
  }

  @Test("A power cut at any call of a restore leaves the old store or the restored one, and the next start finishes it")
  func runSweep() throws {
    let (prepared, backup, old, now) = try prepared()
    _ = try Backups(inline(prepared)).requestRestore(of: backup.id, by: "test")
    let begun = prepared.afterCrash(.everything)
    let dry = begun.afterCrash(.everything)
    #expect(PendingRestore.run(inline(dry)) != .nothing)
    let calls = dry.calls
    #expect(calls > 200)
    var (olds, news) = (0, 0)
    let cuts = Sweeps.places(0...calls)
    for cut in cuts {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut)), .drawn(.minimal, seed: UInt64(cut))] {
        let disk = begun.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        _ = PendingRestore.run(inline(disk))
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        // Opened as by a program without restores.
        let between = try FileStore.open(inline(found))
        let contents = try between.snapshot.contents
        #expect(contents == now || contents == old, comment)
        #expect(!between.recoveryReport.isLossPossible, "\(between.recoveryReport.findings); \(comment)")
        if contents == old { news += 1 } else { olds += 1 }
        between.close()
        switch PendingRestore.run(inline(found)) {
        case .done, .nothing: break
        case let outcome: Issue.record("\(outcome); \(comment)")
        }
        let store = try FileStore.open(inline(found))
        #expect(try store.snapshot.contents == old, comment)
        #expect(!store.recoveryReport.isLossPossible, "\(store.recoveryReport.findings); \(comment)")
        let saved = try Backups(inline(found)).list().filter { $0.reason == .beforeRestore }
        #expect(saved.contains { $0.records == now.count }, comment)
        #expect(store.commitAndWait(transaction(70, [put(70)])), comment)
        try store.checkpoint()
        #expect(try FileStore.open(inline(found)).snapshot.contents == old.merging([70: "{}"]) { $1 }, comment)
        guard names(found).contains(where: { RestoreRequest.isStaging($0) }) else { continue }
        _ = try Backups(inline(found)).create(.daily)
        #expect(!names(found).contains { RestoreRequest.isStaging($0) }, comment)
      }
    }
    #expect(olds > cuts.count / 2 && news > 0)
  }
}
