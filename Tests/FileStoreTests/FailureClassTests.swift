import CrashLabKit
import FileStore
import FileStoreTesting
import Testing

/// One test for each class of failure that a simulated disk can show; what must hold after each is checked by the lab.
struct FailureClassTests {
  private let lab = FailureClassLab()

  @Test("Failure class 1: a process is killed before any of its calls", arguments: [16 << 20, 400])
  func killed(_ limit: Int) throws {
    for calls in 0..<60 {
      var script = lab.history(
        [lab.put(1), lab.put(2), lab.put(3), .open, .look, .retry, lab.put(4), .close], journal: limit)
      script.steps[calls % 3].interruption = .kill(afterCalls: calls / 3)
      let world = LabWorld(lab.driver, script, profile: .ordered)
      #expect(throws: Never.self, "step \(calls % 3) killed before call \(calls / 3)") { try world.play() }
      lab.recover(world.disk, world.model, "step \(calls % 3) killed before call \(calls / 3)")
    }
  }

  @Test("Failure class 1: what a killed process wrote is answered to a retry only when it is safe", arguments: 0..<6)
  func killedThenRetried(_ calls: Int) {
    var script = lab.history([lab.put(1), lab.put(2), .retry, .look, .close], journal: 16 << 20)
    script.steps[1].interruption = .kill(afterCalls: calls)
    lab.sweep(script, lab.driver, "killed before call \(calls)")
  }

  @Test("Failure class 2: a power cut, and another in the recovery from it", arguments: CrashProfile.allCases)
  func powerCut(_ profile: CrashProfile) {
    for kind in [LabKind.append, .recovery, .checkpoint] {
      var points = 0
      var seeds = UInt64(0)..<12
      while points < 100, let seed = seeds.popFirst() {
        var trial = LabCase(kind, profile, seed: seed)
        trial.draws = 2
        let outcome = trial.run(lab.driver)
        #expect(outcome.violation == nil)
        points += outcome.points
      }
      #expect(points >= 100, "\(kind)")
    }
  }

  @Test("Failure class 3: a torn or zero-filled append", arguments: [1, 512, 4096])
  func tornAppend(_ piece: Int) throws {
    var (disk, model) = try lab.prepare(2)
    let path = lab.folder + "/journal/000001.jsonl"
    let synced = try #require(disk.contents(path)).count
    let change = LabChange(key: LabKey(collection: 0, record: 9), day: 20_000, padding: piece == 1 ? 20 : 9000)
    let store = try lab.opened(disk)
    #expect(store.commit(model.begin([change])) == .acknowledged(3))
    store.close()
    let full = try #require(disk.contents(path))
    // Cut at every byte, or zero from every sector or page on, with the length kept or up to the next boundary.
    for cut in stride(from: synced, through: full.count, by: piece == 1 ? 1 : piece / 4) {
      for size in Set([cut, min(full.count, (cut / piece + 1) * piece), full.count]) where size >= cut {
        let torn = disk.afterCrash(.nothing)
        torn.setContents(path, Array(full[..<cut]) + [UInt8](repeating: 0, count: size - cut))
        lab.recover(torn, model, folds: cut % 8 == 0, "content up to \(cut), length \(size) of \(full.count)")
      }
    }
  }

  @Test("Failure class 4: a short write", arguments: [1, 7, 100, 511])
  func shortWrite(_ length: Int) {
    let short = lab.faults("short") { $0.longestAppend = length }
    // One byte at a time is many calls.
    let puts = length == 1 ? [lab.put(2)] : [lab.put(1), lab.put(2, 300), .close, lab.put(3)]
    lab.sweep(lab.history([short] + puts + [.close]), draws: 1)
    for call in 0..<4 {
      let rules = [
        DiskFault(.isShort(length), calls: [.append], after: call), DiskFault(.fails(.noSpace), calls: [.append]),
      ]
      lab.sweep(
        lab.history([
          lab.faults("short, then full") { $0.rules = rules }, lab.put(1), lab.put(2), .faults(.none), lab.put(3),
          .close,
        ]), draws: 1)
    }
  }

  @Test(
    "Failure class 5: no room for a write, a sync, a new file or a new name",
    arguments: [DiskCall.append, .synchronizeFile, .create, .makeDirectory, .rename, .synchronizeDirectory],
    [false, true])
  func noRoom(_ call: DiskCall, _ isForEver: Bool) {
    for after in 0..<4 {
      let rule = DiskFault(.fails(.noSpace), calls: [call], after: after, isForEver: isForEver)
      let script = [
        lab.faults("full") { $0.rules = [rule] }, lab.put(1), lab.put(2), .look, lab.put(3), .faults(.none), .close,
        lab.put(4), .retry,
        .close,
      ]
      lab.sweep(lab.history(script, journal: 400), lab.driver, "\(call) \(after)")
    }
  }

  @Test("Failure class 5: the disk is full at any byte", arguments: [0, 1, 60, 330, 331, 332, 500, 900])
  func full(_ free: Int) {
    lab.sweep(
      lab.history([
        lab.put(1), lab.faults("full") { $0.freeBytes = free }, lab.put(2), lab.put(3), .look, .faults(.none),
        lab.put(4), .close,
      ]))
  }

  @Test(
    "Failure class 6: the medium refuses a read, an opening, a listing",
    arguments: [DiskCall.read, .open, .list, .status, .lock])
  func unreadable(_ call: DiskCall) throws {
    for after in 0..<12 {
      for isForEver in [false, true] {
        let (disk, model) = try lab.prepare(3, journal: 400)
        let changes = disk.changes
        disk.setFaults {
          $0.rules = [DiskFault(.fails(.inputOutput), calls: [call], after: after, isForEver: isForEver)]
        }
        let hadRule = disk.faults.rules.count
        if case .opened(let store) = lab.open(disk) {
          let struck = isForEver ? disk.faults.rules[0].after == 0 : disk.faults.rules.count < hadRule
          // What could not be read has to be said, but for the lock's text.
          let isComplete = (0..<3).allSatisfy { store.revision(of: $0) != nil }
          #expect(isComplete || (struck && !store.findings.isEmpty), "\(call) \(after)")
          store.close()
        }
        #expect(disk.changes == changes, "opening wrote")
        disk.setFaults { $0.rules = [] }
        lab.recover(disk, model, "\(call) \(after)")
      }
    }
  }

  @Test("Failure class 6: the medium refuses a write", arguments: [DiskCall.append, .create, .rename, .setMode])
  func unwritable(_ call: DiskCall) {
    for after in 0..<4 {
      let rule = DiskFault(.fails(.inputOutput), calls: [call], after: after)
      lab.sweep(
        lab.history([
          lab.faults("broken") { $0.rules = [rule] }, lab.put(1), lab.put(2), lab.put(3), .close, lab.put(4), .close,
        ]))
    }
  }

  @Test("Failure class 7: a sync fails, and the next one succeeds without the data", arguments: [1, 2, 3], [0, 1, 2])
  func failedSync(_ count: Int, _ before: Int) {
    let first = (0..<before).map { lab.put($0) }
    let failing = lab.faults("failing syncs") { $0.failingSyncs = count }
    let script = first + [failing, lab.put(5), lab.put(6), .close, .faults(.none), lab.put(7), .close]
    for limit in [16 << 20, 400] {
      lab.sweep(lab.history(script, journal: limit))
    }
  }

  @Test("Failure class 8: a rename or removal fails, or happens though an error is returned")
  func strangeNames() {
    let effects: [DiskFault.Effect] = [.fails(.inputOutput), .happensYetFails(.inputOutput)]
    for effect in effects {
      for call in [DiskCall.rename, .unlink, .create, .makeDirectory] {
        for after in 0..<2 {
          let rule = DiskFault(effect, calls: [call], after: after)
          let script = [lab.faults("names") { $0.rules = [rule] }, lab.put(1), lab.put(2), .close, lab.put(3), .close]
          lab.sweep(lab.history(script, journal: 300), lab.driver, "\(call) \(after) \(effect)")
        }
      }
    }
  }

  @Test("Failure class 8: a rename that was answered and synchronized is lost all the same")
  func lostRename() throws {
    let rule = DiskFault(.isForgotten, calls: [.rename])
    let world = LabWorld(
      lab.driver, lab.history([lab.faults("forgotten") { $0.rules = [rule] }, lab.put(1), lab.put(2), .close]),
      profile: .ordered)
    try world.play()
    let disk = world.disk.afterCrash(.nothing)
    #expect(disk.contents(lab.folder + "/store.json") == nil)
    let store = try lab.opened(disk)
    #expect(store.findings.map(\.kind) == ["identityLost"])
    store.close()
    lab.recover(disk, world.model)
  }

  @Test("Failure class 9: bits, bytes and lines of any file are changed", arguments: 0..<17 as Range<UInt64>)
  func damage(_ way: UInt64) {
    let deletion = LabAction.commit([LabChange(key: LabKey(collection: 0, record: 1), padding: nil)])
    let checkpoint = LabAction.perform(.checkpoint)
    let script = lab.history([lab.put(1), deletion, checkpoint, lab.put(2), checkpoint, lab.put(3)], journal: 450)
    var trial = LabCase(.mutation, .ordered, seed: way)
    trial.part = (Int(way % 32), 32)
    let outcome = trial.run(lab.driver, script)
    #expect(outcome.violation == nil)
    #expect(outcome.points > 0)
  }

  @Test(
    "Failure class 10: a file is missing, and what it had is missed",
    arguments: ["store.json", "lock", "journal/000001.jsonl", "journal/000002.jsonl", "journal/000003.jsonl"])
  func missing(_ name: String) throws {
    var (disk, model) = try lab.prepare(6, journal: 500)
    let lost = try #require(disk.contents(lab.folder + "/" + name))
    #expect(disk.contents(lab.folder + "/journal/000003.jsonl") != nil)
    disk.remove(lab.folder + "/" + name)
    let changes = disk.changes
    let store = try lab.opened(disk)
    let gone = Set(lost.split(separator: UInt8(ascii: "\n")).compactMap { lab.driver.transaction(inLine: $0) })
    for number in 0..<6 { #expect((store.revision(of: number) != nil) == !gone.contains(number), "\(number)") }
    #expect(store.findings.contains(where: \.isLossPossible) == !gone.isEmpty, "\(store.findings)")
    #expect(disk.changes == changes)
    let revisions = (0..<6).map { store.revision(of: $0) }
    store.close()
    model.settle(revisions)
    var check = RecoveryCheck(lab.driver, profile: .minimal)
    check.hasLossOnRecord = true
    #expect(try check(disk, model) == revisions)
  }

  @Test(
    "Failure class 10: something else stands in a file's place, and is left alone",
    arguments: [FileStatus.Kind.directory, .other, .symbolicLink])
  func replaced(_ kind: FileStatus.Kind) throws {
    for name in ["store.json", "lock", "journal", "journal/000001.jsonl"] where name != "journal" || kind != .directory
    {
      let (disk, _) = try lab.prepare(2)
      disk.replace(lab.folder + "/" + name, with: kind)
      let before = disk.walk(lab.folder)
      switch lab.open(disk) {
      case .failed(let reason): #expect(reason.hasPrefix("storeUntrusted"))
      case .opened(let store):
        // The lock is nobody's business before somebody writes.
        guard name == "lock", case .refused(let reason) = store.commit(LabTransaction(number: 9, changes: [])) else {
          Issue.record("\(name) as \(kind) was used")
          continue
        }
        #expect(reason.hasPrefix("storeUntrusted") || kind == .directory && reason.hasPrefix("storeUnavailable"))
        store.close()
      }
      #expect(disk.walk(lab.folder) == before)
      #expect(disk.openDescriptors(of: disk.process(9)).isEmpty)
    }
  }

  @Test(
    "Failure class 14: the clock goes back, far forward, or stands still",
    arguments: [-31_536_000_000, 3_153_600_000_000, 0])
  func clock(_ jump: Int64) {
    let driver = AlteredDriver(
      lab.driver,
      settings: { settings, disk in
        // Each transaction is that much later than the one before.
        settings.now = { 1_767_614_400_000 + jump * Int64(disk.changes % 3) }
      })
    lab.sweep(lab.history([lab.put(1), lab.put(1), .close, lab.put(2), lab.put(1), .close], journal: 400), driver)
  }

  @Test("Failure class 17: descriptors or memory run out, at any call", arguments: [false, true])
  func exhausted(_ isForEver: Bool) throws {
    for after in 0..<40 {
      // Reading an open file takes neither.
      let calls = Set(DiskCall.allCases).subtracting([.read])
      let rule = DiskFault(.fails(.other), calls: calls, after: after, isForEver: isForEver)
      let script = [
        lab.put(1), .close, lab.faults("exhausted") { $0.rules = [rule] }, lab.put(2), lab.put(3), .faults(.none),
        .close, lab.put(4),
        .close,
      ]
      var trial = LabCase(.faults, .ordered, seed: 1)
      trial.draws = 2
      let outcome = trial.run(lab.driver, lab.history(script, journal: 400))
      #expect(outcome.violation == nil, "call \(after)")
    }
  }

  @Test("Failure class 18: a line whose checksum fits but which nobody understands is reported and left")
  func unknownLine() throws {
    let (disk, model) = try lab.prepare(3)
    let path = lab.folder + "/journal/000001.jsonl"
    let journal = try #require(disk.contents(path))
    let start = Array("{\"seq\":4,\"weather\":\"new\"".utf8)
    let checksum = String(start.withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
    let line = start + Array(",\"crc\":\"\(String(repeating: "0", count: 8 - checksum.count))\(checksum)\"}\n".utf8)
    let check = try DamageCheck(lab.driver, settings: LabSettings(), model: model, whole: disk)
    let mutation = FileMutator.Mutation(
      bytes: journal + line, range: journal.count..<journal.count, text: "a line of another version")
    try check("journal/000001.jsonl", mutation, goesOn: true)
  }

  @Test("Failure class 19: good bytes are written to the wrong place")
  func misdirected() throws {
    let (disk, model) = try lab.prepare(6, journal: 500)
    let check = try DamageCheck(lab.driver, settings: LabSettings(), model: model, whole: disk)
    let names = ["journal/000001.jsonl", "journal/000002.jsonl", "store.json"]
    for source in names {
      let bytes = try #require(disk.contents(lab.folder + "/" + source))
      for name in names.prefix(2) {
        let original = try #require(disk.contents(lab.folder + "/" + name))
        let line = bytes.prefix((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1)
        for offset in stride(from: 0, through: original.count, by: 7) {
          var changed = original
          let range = offset..<min(original.count, offset + line.count)
          changed.replaceSubrange(range, with: line)
          let mutation = FileMutator.Mutation(
            bytes: changed, range: range, isReordered: true, text: "\(source)'s first line at \(offset)")
          #expect(throws: Never.self, "\(name): \(mutation.text)") {
            try check(name, mutation, goesOn: offset % 5 == 0)
          }
        }
      }
    }
  }

  @Test("Failure class 20: each sync takes seconds")
  func slow() {
    let driver = AlteredDriver(
      lab.driver, disk: { $0.setFaults { $0.syncMilliseconds = 7000 } },
      settings: { settings, disk in settings.now = { 1_767_614_400_000 + disk.milliseconds } })
    lab.sweep(lab.history([lab.put(1), lab.put(2), .close, lab.put(3), .close], journal: 400), driver)
  }

  @Test("Failure class 21: a sync tool leaves copies, partial files and its own among the store's")
  func strangers() throws {
    let (disk, model) = try lab.prepare(4, journal: 500)
    let journal = try #require(disk.contents(lab.folder + "/journal/000001.jsonl"))
    let strangers = [
      "desktop.ini", ".DS_Store", "store (conflicted copy).json", "journal/000001 (conflicted copy).jsonl",
      "journal/.syncthing.000002.jsonl.tmp", "journal/000009.jsonl.icloud", "journal/1.jsonl", "journal/000001.jsonl~",
    ]
    for name in strangers { disk.setContents(lab.folder + "/" + name, Array(journal.dropLast(5))) }
    lab.recover(disk, model)
    for name in strangers { #expect(disk.contents(lab.folder + "/" + name) == Array(journal.dropLast(5))) }
  }
}
