import CrashLabKit
import FileStore
import FileStoreTesting
import Pacing
import Testing

/// One test for each class of failure that a simulated disk can show; the lab checks the guarantees after each. Here:
/// failing calls, and calls that never return.
@Suite(.simulated)
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

  @Test("Failure class 1: a retry of a killed process's write is answered only once it is durable", arguments: 0..<6)
  func killedThenRetried(_ calls: Int) {
    var script = lab.history([lab.put(1), lab.put(2), .retry, .look, .close], journal: 16 << 20)
    script.steps[1].interruption = .kill(afterCalls: calls)
    lab.sweep(script, lab.driver, "killed before call \(calls)")
  }

  @Test("Failure class 2: a power cut, and another in the recovery from it", arguments: CrashProfile.allCases)
  func powerCut(_ profile: CrashProfile) {
    for kind in [LabKind.append, .recovery, .checkpoint] {
      // With some seeds the histories are short; at least one must not be.
      var longest = 0
      var seeds = UInt64(0)..<12
      while longest <= 100, let seed = seeds.popFirst() {
        let outcome = LabCase(kind, profile, seed: seed).run(lab.driver)
        #expect(outcome.violation == nil)
        longest = max(longest, outcome.points)
      }
      #expect(longest > 100, "\(kind)")
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
    // Cut at every byte, or zero from every sector or page on, with the length kept or rounded up to the next
    // boundary.
    for cut in Sweeps.places(stride(from: synced, through: full.count, by: piece == 1 ? 1 : piece / 4)) {
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
    // One byte at a time means many calls.
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
    "Failure class 5: no space for a write, a sync, a new file or a new name",
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
    "Failure class 6: a read, an open or a listing fails",
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
          // Unreadable data must be reported, except for the lock's text.
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

  @Test("Failure class 6: a write fails", arguments: [DiskCall.append, .create, .rename, .setMode])
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

  @Test("Failure class 8: a rename or removal fails, or happens although an error is returned")
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

  @Test("Failure class 8: a rename that succeeded and was synced is lost anyway")
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
}
