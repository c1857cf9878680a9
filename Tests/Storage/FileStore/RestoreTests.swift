import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Restoring", .simulated)
struct RestoreTests: RestoreTesting {
  @Test("A requested restore is carried out before the next open, and the previous state becomes a backup")
  func restores() throws {
    let (disk, backup, old, now) = try prepared()
    let before = try FileStore.open(inline(disk))
    let (identity, revision) = (before.identity, try before.revision)
    let request = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    #expect(try Backups(inline(disk)).pendingRestore() == request)
    #expect(try before.snapshot.contents == now, "nothing happens yet")
    before.close()
    #expect(PendingRestore.run(inline(disk)) == .done(backup.id, revision: revision + 1))
    #expect(PendingRestore.run(inline(disk)) == .nothing)
    let store = try FileStore.open(inline(disk))
    #expect(try store.snapshot.contents == old)
    #expect(store.recoveryReport.findings.isEmpty)
    #expect(try store.revision == revision + 1)
    #expect(store.identity?.store == identity?.store && store.identity?.replica != identity?.replica)
    do throws(StoreError) {
      _ = try store.changes(since: revision)
      Issue.record("nobody can tell what a restore changed")
    } catch { #expect(error.code == .revisionTooOld) }
    #expect(try store.undoEntry(author: "test").plan(in: store.snapshot).isNothing, "there is no history")
    let saved = try #require(try Backups(inline(disk)).list().first { $0.reason == .beforeRestore })
    #expect(try FileStore.open(inline(disk, folder: folder + "/backups/\(saved.id)")).snapshot.contents == now)
    #expect(names(disk).filter { $0.contains("restore-") }.allSatisfy { $0.hasPrefix("done-restore-") })
    // The store continues normally.
    #expect(store.commitAndWait(transaction(50, [put(50)])))
    try store.checkpoint()
    #expect(try FileStore.open(inline(disk)).snapshot.contents == old.merging([50: "{}"]) { _, new in new })
    #expect(disk.isPrivate(folder))
    // And back again.
    store.close()
    _ = try Backups(inline(disk)).requestRestore(of: saved.id, by: "test")
    guard case .done = PendingRestore.run(inline(disk)) else {
      Issue.record("the second restore was not done")
      return
    }
    #expect(try FileStore.open(inline(disk)).snapshot.contents == now)
  }

  @Test("The restored store shares no file with a backup")
  func sharesNothing() throws {
    let (disk, backup, _, _) = try prepared()
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    _ = PendingRestore.run(inline(disk))
    var seen: [UInt64: String] = [:]
    for found in disk.walk(folder) where found.kind == .file {
      let inode = try disk.status(path: folder + "/" + found.path).inode
      if let other = seen[inode] {
        #expect(found.path.hasPrefix("backups/") == other.hasPrefix("backups/"), "\(found.path) and \(other)")
      }
      seen[inode] = found.path
    }
  }

  @Test("It waits while another process has the store open")
  func waits() throws {
    let (disk, backup, old, now) = try prepared()
    let other = try FileStore.open(inline(disk.process(7)))
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    for _ in 0..<5 { #expect(PendingRestore.run(inline(disk)) == .waiting(backup.id)) }
    let mine = try FileStore.open(inline(disk))
    #expect(try mine.snapshot.contents == now)
    mine.close()
    other.close()
    guard case .done = PendingRestore.run(inline(disk)) else {
      Issue.record("waiting is no failure")
      return
    }
    #expect(try FileStore.open(inline(disk)).snapshot.contents == old)
  }

  @Test("A process that opened the store unnoticed meanwhile sees the restore, and reads everything again")
  func unseen() throws {
    let (disk, backup, old, now) = try prepared()
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    let other = try FileStore.open(inline(disk.process(7)))
    #expect(try other.snapshot.contents == now)
    disk.setFaults { $0.rules = [DiskFault(.fails(.other), calls: [.lock], isForEver: true, process: 7)] }
    // As where locks do not work: it cannot be noticed.
    other.folder.presence.map { disk.process(7).unlock($0) }
    let held = try #require(other.folder.presence)
    other.configuration.fileSystem.unlock(held)
    guard case .done = PendingRestore.run(inline(disk)) else {
      Issue.record("it was seen")
      return
    }
    disk.setFaults { $0.rules = [] }
    try other.poll()
    #expect(other.replacements == 1)
    #expect(try other.snapshot.contents == old)
  }

  @Test("A damaged backup is refused, and one whose copy is damaged later is set aside; the store stays")
  func damaged() throws {
    let (disk, backup, _, now) = try prepared()
    let backups = Backups(inline(disk))
    let path = folder + "/backups/\(backup.id)/store.json"
    let whole = try #require(disk.contents(path))
    disk.setContents(path, whole + [0x20])
    do throws(StoreError) {
      _ = try backups.requestRestore(of: backup.id, by: "test")
      Issue.record("it is damaged")
    } catch { #expect(error.code == .backupDamaged) }
    #expect(try backups.pendingRestore() == nil)
    disk.setContents(path, whole)
    let request = try backups.requestRestore(of: backup.id, by: "test")
    let staged = try #require(disk.walk(folder + "/" + request.staging).first { $0.path.hasSuffix(".1.jsonl") }).path
    var bytes = try #require(disk.contents("\(folder)/\(request.staging)/\(staged)"))
    bytes[bytes.count / 3] ^= 4
    disk.setContents("\(folder)/\(request.staging)/\(staged)", bytes)
    guard case .failed(let reason) = PendingRestore.run(inline(disk)) else {
      Issue.record("it is damaged")
      return
    }
    #expect(reason.contains(staged))
    #expect(PendingRestore.run(inline(disk)) == .nothing)
    #expect(names(disk).contains { $0.hasPrefix("failed-restore-") })
    #expect(!names(disk).contains(request.staging))
    #expect(try FileStore.open(inline(disk)).snapshot.contents == now)
  }

  @Test("A request that cannot be read is set aside", arguments: ["", "{}\n", "nonsense"])
  func unreadable(_ text: String) throws {
    let (disk, _, _, now) = try prepared()
    disk.setContents(folder + "/pending-restore.json", Array(text.utf8))
    guard case .failed = PendingRestore.run(inline(disk)) else {
      Issue.record("it cannot be read")
      return
    }
    #expect(PendingRestore.run(inline(disk)) == .nothing)
    #expect(try FileStore.open(inline(disk)).snapshot.contents == now)
  }

  @Test("After three failures it is given up, and no start is stopped")
  func givesUp() throws {
    let (disk, backup, _, now) = try prepared()
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    for attempt in 1...3 {
      disk.setFaults {
        $0.rules = [DiskFault(.fails(.inputOutput), calls: [.create], isForEver: true, name: ".2.jsonl")]
      }
      guard case .postponed = PendingRestore.run(inline(disk)) else {
        Issue.record("attempt \(attempt) did not fail")
        return
      }
      disk.setFaults { $0.rules = [] }
      #expect(try FileStore.open(inline(disk)).snapshot.contents == now)
    }
    guard case .failed(let reason) = PendingRestore.run(inline(disk)) else {
      Issue.record("it was not given up")
      return
    }
    #expect(reason.contains("3 times"))
    #expect(
      try Backups(inline(disk)).list().count { $0.reason == .beforeRestore } == 1, "one is enough for all attempts")
  }

  @Test("A later request replaces an earlier one")
  func requests() throws {
    let (disk, backup, old, _) = try prepared()
    let backups = Backups(inline(disk))
    let later = try backups.create(.manual)
    _ = try backups.requestRestore(of: backup.id, by: "test")
    let second = try backups.requestRestore(of: later.id, by: "test")
    #expect(names(disk).filter(RestoreRequest.isStaging) == [second.staging])
    _ = try backups.requestRestore(of: backup.id, by: "test")
    guard case .done = PendingRestore.run(inline(disk)) else {
      Issue.record("not done")
      return
    }
    #expect(try FileStore.open(inline(disk)).snapshot.contents == old)
  }

  @Test("A restore into a folder with only backups, and one over a damaged store")
  func intoNothing() throws {
    for keepsJournal in [false, true] {
      let (disk, backup, old, _) = try prepared()
      _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
      for name in ["store.json", "manifest.json", "segments", "lock", "checkpoint.lock"] {
        disk.remove("\(folder)/\(name)")
      }
      if !keepsJournal { disk.remove(folder + "/journal") }
      guard case .done = PendingRestore.run(inline(disk)) else {
        Issue.record("not done")
        return
      }
      let store = try FileStore.open(inline(disk))
      #expect(try store.snapshot.contents == old)
      #expect(store.commitAndWait(transaction(60, [put(60)])))
      let again = try FileStore.open(inline(disk))
      #expect(try again.snapshot.contents.count == old.count + 1)
      #expect(!again.recoveryReport.isLossPossible)
    }
  }
}

extension UndoPlan {
  fileprivate var isNothing: Bool {
    if case .nothing = self { true } else { false }
  }
}
