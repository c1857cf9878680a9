import CrashLabKit
import FileStore
import FileStoreTesting
import Pacing
import Testing

/// The classes of failure caused by other processes on the same folder.
@Suite(.simulated)
struct FailureClassSharingTests {
  private let lab = FailureClassLab()

  @Test("Failure class 11: the lock file is stale, missing, damaged, or cannot be opened for writing")
  func lockFile() throws {
    let path = lab.folder + "/lock"
    for text in ["", "pid 999999, since 1970", "\0\0\0\0", String(repeating: "x", count: 5000)] {
      let (disk, model) = try lab.prepare(2)
      disk.setContents(path, Array(text.utf8))
      lab.recover(disk, model)
    }
    let (missing, model) = try lab.prepare(2)
    missing.remove(path)
    lab.recover(missing, model)
    let (readable, readableModel) = try lab.prepare(2)
    readable.setFaults {
      $0.rules = [DiskFault(.fails(.permissionDenied), calls: [.open], isForEver: true, name: "lock")]
    }
    let reader = try lab.opened(readable)
    guard case .refused = reader.commit(LabTransaction(number: 9, changes: [])) else {
      Issue.record("a store whose lock cannot be taken was written")
      return
    }
    reader.close()
    readable.setFaults { $0.rules = [] }
    lab.recover(readable, readableModel)
  }

  @Test("Failure class 11: the lock file is removed while somebody holds it, and both writers' transactions are kept")
  func lockRemoved() throws {
    var (disk, model) = try lab.prepare(2)
    let (first, second) = (try lab.opened(disk, as: 1), try lab.opened(disk, as: 2))
    #expect(first.enter() == .entered)
    disk.remove(lab.folder + "/lock")
    let (one, two) = (lab.begin(&model, 10), lab.begin(&model, 11))
    var answered: [Int] = []
    if case .acknowledged = second.commit(two) { answered.append(two.number) }
    if case .acknowledged = first.commit(one) { answered.append(one.number) }
    #expect(!answered.isEmpty)
    first.leave()
    // From now on they share one lock again.
    let three = lab.begin(&model, 12)
    #expect(first.enter() == .entered)
    guard case .busy = second.commit(three) else {
      Issue.record("there are still two locks")
      return
    }
    first.leave()
    first.close()
    second.close()
    let store = try lab.opened(disk, as: 3)
    for number in answered { #expect(store.revision(of: number) != nil, "transaction \(number) is there") }
    if answered.count == 2 { #expect(store.findings.map(\.kind).contains("sequenceFork"), "\(store.findings)") }
    store.close()
  }

  @Test(
    "Failure class 11: the checkpoints' lock is stale, missing, damaged or something else: at most no checkpoint is made",
    arguments: ["", "x", "directory", "symlink", "missing"])
  func checkpointLock(_ what: String) throws {
    let (disk, model) = try lab.prepareSegments()
    let path = lab.folder + "/checkpoint.lock"
    switch what {
    case "directory": disk.replace(path, with: .directory)
    case "symlink": disk.replace(path, with: .symbolicLink)
    case "missing": disk.remove(path)
    default: disk.setContents(path, Array(what.utf8))
    }
    let store = try lab.opened(disk)
    let isObstacle = what == "directory" || what == "symlink"
    #expect((store.perform(.checkpoint) != nil) == isObstacle)
    store.close()
    if isObstacle { disk.remove(path) }
    lab.recover(disk, model)
  }

  @Test("Failure class 12: two to eight processes write, make checkpoints and die", arguments: 2...8)
  func writers(_ processes: Int) {
    let profile = CrashProfile.allCases[processes % 4]
    for (kind, seeds) in [(LabKind.processes, 1), (.run, 4)] {
      for seed in 0..<UInt64(seeds) {
        var trial = LabCase(kind, profile, seed: seed * 2 + UInt64(processes) * 100)
        trial.processes = processes
        trial.draws = 1
        let outcome = trial.run(lab.driver)
        #expect(outcome.violation == nil, "\(kind) \(trial.seed) with \(processes) processes")
        #expect(outcome.points > 0)
      }
    }
  }

  @Test(
    "Failure class 13: a writer stops while it holds the lock; the others get errors, lose nothing, and continue after it"
  )
  func paused() throws {
    var (disk, model) = try lab.prepareSegments()
    let (stopped, other) = (try lab.opened(disk, as: 1), try lab.opened(disk, as: 2))
    func settle(_ transaction: LabTransaction, _ answer: LabAnswer) {
      if case .acknowledged(let revision) = answer { model.set(transaction.number, .acknowledged(revision)) }
      if case .busy = answer { model.set(transaction.number, .absent) }
    }
    #expect(stopped.enter() == .entered)
    let refused = lab.begin(&model, 20)
    guard case .busy(let reason) = other.commit(refused) else {
      Issue.record("it was not told that the lock is taken")
      return
    }
    #expect(reason.hasPrefix("storeBusy") && reason.contains("pid 1"), "\(reason)")
    settle(refused, .busy(reason))
    #expect(other.perform(.checkpoint) == nil, "a checkpoint waits for its turn")
    #expect(other.perform(.poll) == nil)
    let written = lab.begin(&model, 21)
    settle(written, stopped.commit(written))
    #expect(other.perform(.follow) == nil)
    #expect(other.revision(of: written.number) != nil, "writes are seen even while another holds the lock")
    stopped.leave()
    let late = lab.begin(&model, 22)
    let answer = other.commit(late)
    #expect(answer == .acknowledged(stopped.revision + 1))
    settle(late, answer)
    stopped.close()
    other.close()
    lab.recover(disk.afterCrash(.nothing), model)
  }

  @Test("Failure class 13: a writer stops while it has the lock, and the power goes off", arguments: [false, true])
  func pausedSweep(_ isKilled: Bool) {
    var history = LabHistory(
      steps: [
        LabStep(0, lab.put(1)), LabStep(1, .open), LabStep(0, .enter), LabStep(1, lab.put(2)), LabStep(0, lab.put(3)),
        LabStep(1, .perform(.checkpoint)), LabStep(1, lab.put(4)), LabStep(0, .leave), LabStep(1, lab.put(5)),
        LabStep(1, .close),
      ])
    if isKilled { history.steps[4].interruption = .kill(afterCalls: 1) }
    lab.sweep(history)
  }

  @Test("Failure class 13: a process stopped during a checkpoint blocks nobody", arguments: 1...6)
  func pausedCheckpoint(_ steps: Int) {
    var history = LabHistory(steps: [LabStep(0, lab.put(1)), LabStep(0, lab.put(2, day: 20_040))])
    for _ in 0..<steps { history.steps.append(LabStep(0, .perform(.checkpointStep))) }
    history.steps += [
      LabStep(1, lab.put(3)), LabStep(1, .perform(.checkpoint)), LabStep(1, lab.put(1, 9)),
      LabStep(0, .perform(.checkpointStep)), LabStep(1, .perform(.poll)), LabStep(1, lab.put(5)),
      LabStep(0, .close), LabStep(1, .perform(.checkpoint)), LabStep(1, .close),
    ]
    lab.sweep(history, draws: 1)
  }
}
