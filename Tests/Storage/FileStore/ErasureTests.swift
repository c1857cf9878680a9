import FileStoreTesting
import JSON
import Pacing
import Testing

@testable import FileStore

@Suite("Deleting everything", .simulated)
struct ErasureTests {
  private let everything: Erasure.Parts = [
    .backups, .quarantine, .logs, .secrets, .flags, .premium, .reminders, .estimator,
  ]

  /// A disk with everything that a data folder can have, and some foreign files.
  private func prepared() throws -> SimulatedDisk {
    let disk = try diskWithStore()
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(20, [put(20, day: nil)])))
    try store.checkpoint()
    #expect(store.commitAndWait(transaction(21, [put(21)])))
    store.close()
    let backup = try Backups(inline(disk)).create(.manual, folds: false)
    _ = try Backups(inline(disk)).requestRestore(of: backup.id, by: "test")
    for name in SmallFile.Name.allCases {
      try SmallFile(name, in: folder, disk).replace(with: JSONObject([("name", .string(name.rawValue))]))
    }
    for name in ["logs", "quarantine"] { try disk.makeDirectory(path: folder + "/" + name) }
    for name in ["logs/daybook.log", "logs/daybook.1.log", "quarantine/list.jsonl", "notes.txt", "logs/mine.txt"] {
      disk.setContents(folder + "/" + name, Array("{}\n".utf8))
    }
    return disk.afterCrash(.everything)
  }

  private func files(_ disk: SimulatedDisk) -> [String] {
    disk.walk(folder).filter { $0.kind == .file }.map(\.path).sorted()
  }

  /// What remains: locks, and foreign files.
  private let kept = ["backups/lock", "checkpoint.lock", "lock", "logs/mine.txt", "notes.txt"]

  @Test("Everything stored is removed, and nothing else; the next change creates another store")
  func everythingGoes() throws {
    let disk = try prepared()
    let store = try FileStore.open(inline(disk))
    let old = try #require(store.identity)
    let counts = try store.erase(everything)
    #expect(files(disk) == kept)
    #expect(counts.journals > 0 && counts.segments > 0 && counts.manifests > 0)
    #expect(counts.backups == 1 && counts.quarantined == 1 && counts.logs == 2 && counts.others > 4)
    #expect(try store.revision == 0)
    #expect(try store.snapshot.contents.isEmpty)
    #expect(PendingRestore.run(inline(disk)) == .nothing)
    #expect(store.commitAndWait(transaction(0, [put(1)])))
    #expect(store.identity?.store != old.store && store.identity?.replica != old.replica)
    let found = try FileStore.opened(inline(disk.afterCrash(.nothing)))
    #expect(try found.snapshot.contents == [1: "{}"])
    #expect(found.recoveryReport.findings.isEmpty, "\(found.recoveryReport.findings)")
    #expect(try FileStore.open(inline(SimulatedDisk())).erase(everything) == Erasure.Counts(), "of nothing")
  }

  @Test("Parts that are not named stay", arguments: 0..<8)
  func parts(_ number: Int) throws {
    let disk = try prepared()
    let store = try FileStore.open(inline(disk))
    _ = try store.erase(everything.subtracting([Erasure.Part.allCases[number]]))
    let signs = [
      "backups/2", "quarantine/list.jsonl", "logs/daybook.log", "secrets.json", "flags.json", "premium.json",
      "reminders.json", "estimator.json",
    ]
    for (index, sign) in signs.enumerated() {
      #expect(files(disk).contains { $0.hasPrefix(sign) } == (index == number), "\(sign)")
    }
    #expect(try FileStore.open(inline(disk)).snapshot.contents.isEmpty)
  }

  @Test("A power cut at any call leaves everything unchanged, or the next start finds nothing")
  func sweep() throws {
    let begun = try prepared()
    let whole = files(begun)
    let contents = try FileStore.open(inline(begun)).snapshot.contents
    let dry = begun.afterCrash(.everything)
    _ = try FileStore.open(inline(dry)).erase(everything)
    #expect(dry.calls > 100)
    var (befores, afters) = (0, 0)
    for cut in 0...dry.calls {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut)), .drawn(.minimal, seed: UInt64(cut))] {
        let disk = begun.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        let isDone = (try? FileStore.open(inline(disk)).erase(everything)) != nil
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        let flags = SmallFile(.flags, in: folder, found).read()
        let store = try FileStore.open(inline(found))
        if try store.snapshot.contents == contents {
          #expect(!isDone, comment)
          #expect(flags == .value(JSONObject([("name", .string("flags.json"))])), comment)
          #expect(Set(whole).isSubset(of: files(found)), comment)
          befores += 1
        } else {
          #expect(flags == .missing, comment)
          #expect(files(found).filter { !$0.hasPrefix("erasing.json.") } == kept, comment)
          #expect(try store.revision == 0, comment)
          #expect(store.recoveryReport.findings.isEmpty, "\(store.recoveryReport.findings); \(comment)")
          afters += 1
        }
        #expect(store.commitAndWait(transaction(50, [put(50)])), comment)
      }
    }
    #expect(befores > 20 && afters > 50)
  }

  @Test("Whatever another process does meanwhile, it notices the erasure and writes nothing back")
  func others() throws {
    let begun = try prepared()
    let dry = begun.afterCrash(.everything)
    _ = try FileStore.open(inline(dry)).erase(everything)
    for call in stride(from: 0, to: dry.calls, by: 3) {
      let disk = begun.afterCrash(.everything)
      let (mine, other) = (disk.process(50), disk.process(51))
      let loaded = try FileStore.opened(inline(other))
      let unread = try FileStore.open(inline(other))
      let store = try FileStore.open(inline(mine))
      let old = try #require(store.identity)
      disk.interrupt(mine, afterCalls: call) {
        guard let third = try? FileStore.open(inline(other)) else { return }
        _ = third.commitAndWait(transaction(90, [put(90)]))
        try? third.checkpoint()
        _ = try? SmallFile(.flags, in: folder, other, patience: 0).update { $0 == .missing ? nil : JSONObject() }
        third.close()
      }
      let isDone = (try? store.erase(everything)) != nil
      _ = disk.endInterruption()
      let comment: Comment = "interrupted at \(call)"
      #expect(isDone, comment)
      try loaded.poll()
      for reader in [loaded, unread, store] {
        #expect(try reader.preview(id(20), in: meals) == nil, comment)
        #expect(try reader.snapshot.contents.keys.allSatisfy { $0 == 90 }, comment)
        #expect(!reader.recoveryReport.isLossPossible, "\(reader.recoveryReport.findings); \(comment)")
      }
      #expect(loaded.replacements > 0 && unread.replacements > 0, comment)
      #expect(loaded.commitAndWait(transaction(91, [put(91)])), comment)
      try loaded.checkpoint()
      let new = try FileStore.opened(inline(disk))
      #expect(new.identity?.store != old.store, comment)
      #expect(try new.snapshot.contents.keys.allSatisfy { $0 >= 90 }, comment)
      #expect(!new.recoveryReport.isLossPossible, "\(new.recoveryReport.findings); \(comment)")
      #expect(disk.misuses == 0)
    }
  }

  @Test("During another process's checkpoint or backup nothing is deleted; another store's marker deletes nothing")
  func refusals() throws {
    let disk = try prepared()
    let store = try FileStore.open(inline(disk))
    var opened = try StoreFolder(rootOf: folder, disk)
    defer { opened.close() }
    let root = try #require(opened.root)
    let lock = try #require(try Checkpoint.tryLock(in: opened))
    let before = files(disk)
    #expect { try store.erase(everything) } throws: { ($0 as? StoreError)?.code == .storeBusy }
    disk.close(lock)
    #expect(files(disk) == before)
    for store in [id(5), nil] {
      let marker = ErasureMarker(store: store, parts: [])
      try marker.put(in: opened, root)
      var text = try #require(disk.contents(folder + "/erasing.json"))
      text[store == nil ? 4 : 0] ^= store == nil ? 1 : 0
      disk.setContents(folder + "/erasing.json", text)
      #expect(try FileStore.open(inline(disk)).snapshot.contents.count > 4)
    }
  }
}
