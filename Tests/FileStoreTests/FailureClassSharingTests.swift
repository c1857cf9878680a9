import CrashLabKit
import FileStore
import FileStoreTesting
import Testing

/// The classes of failure that come of others at the same folder: processes, versions, people.
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
    // From now on they have one lock again.
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

  @Test("Failure class 12: two to eight processes write, checkpoint and die", arguments: 2...8)
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

  @Test("Failure class 13: a writer stops while it has the lock; the others are told, lose nothing, and go on after it")
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
    #expect(other.perform(.lookAround) == nil)
    let written = lab.begin(&model, 21)
    settle(written, stopped.commit(written))
    #expect(other.perform(.follow) == nil)
    #expect(other.revision(of: written.number) != nil, "what is written is seen, whoever has the lock")
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

  @Test("Failure class 13: who stops in the middle of a checkpoint is in nobody's way", arguments: 1...6)
  func pausedCheckpoint(_ steps: Int) {
    var history = LabHistory(steps: [LabStep(0, lab.put(1)), LabStep(0, lab.put(2, day: 20_040))])
    for _ in 0..<steps { history.steps.append(LabStep(0, .perform(.checkpointStep))) }
    history.steps += [
      LabStep(1, lab.put(3)), LabStep(1, .perform(.checkpoint)), LabStep(1, lab.put(1, 9)),
      LabStep(0, .perform(.checkpointStep)), LabStep(1, .perform(.lookAround)), LabStep(1, lab.put(5)),
      LabStep(0, .close), LabStep(1, .perform(.checkpoint)), LabStep(1, .close),
    ]
    lab.sweep(history, draws: 1)
  }

  @Test("Failure class 15: the folder is read-only, and becomes writable again")
  func readOnly() throws {
    var (disk, model) = try lab.prepare(2)
    disk.setFaults { $0.isReadOnly = true }
    let change = LabChange(key: LabKey(collection: 0, record: 9), padding: 1)
    let transaction = model.begin([change])
    let store = try lab.opened(disk)
    #expect((0..<2).allSatisfy { store.revision(of: $0) != nil })
    if case .acknowledged = store.commit(transaction) { Issue.record("a commit was answered that cannot be stored") }
    store.close()
    disk.setFaults { $0.isReadOnly = false }
    lab.recover(disk, model)
  }

  @Test("Failure class 15: the folder is gone while a store is open: nothing is acknowledged into nothing")
  func vanished() throws {
    var (disk, model) = try lab.prepareSegments()
    let store = try lab.opened(disk)
    let before = store.revision
    disk.move(lab.folder, to: "/elsewhere")
    let transaction = lab.begin(&model, 9)
    guard case .refused = store.commit(transaction) else {
      Issue.record("a commit into a folder that is gone was answered")
      return
    }
    model.set(transaction.number, .absent)
    #expect(store.refresh() == nil && store.revision == before, "what was read can still be read")
    #expect(disk.contents(lab.folder + "/store.json") == nil, "and nothing is made in its place")
    disk.move("/elsewhere", to: lab.folder)
    let later = lab.begin(&model, 9)
    #expect(store.commit(later) == .acknowledged(before + 1), "when it is back, work goes on")
    model.set(later.number, .acknowledged(before + 1))
    store.close()
    lab.recover(disk.afterCrash(.nothing), model)
  }

  @Test(
    "Failure class 15: another folder is put in the place of an open one: what is answered is where the name points",
    arguments: [false, true])
  func exchanged(_ isEmpty: Bool) throws {
    let (disk, model) = try lab.prepareSegments()
    var otherModel = LabModel()
    let store = try lab.opened(disk)
    disk.move(lab.folder, to: "/elsewhere")
    disk.replace(lab.folder, with: .directory)
    if !isEmpty {
      let other = try lab.opened(disk, as: 5)
      let first = lab.begin(&otherModel, 1)
      #expect(other.commit(first) == .acknowledged(1))
      otherModel.set(first.number, .acknowledged(1))
      other.close()
    }
    let old = disk.walk("/elsewhere")
    let transaction = lab.begin(&otherModel, 9)
    if case .acknowledged(let revision) = store.commit(transaction) {
      otherModel.set(transaction.number, .acknowledged(revision))
    }
    store.close()
    #expect(disk.walk("/elsewhere").map(\.size) == old.map(\.size), "nothing is written to where the old one went")
    lab.recover(disk.afterCrash(.nothing), otherModel)
    disk.remove(lab.folder)
    disk.move("/elsewhere", to: lab.folder)
    lab.recover(disk.afterCrash(.nothing), model)
  }

  @Test("Failure class 16: what others may write is used, and closed to them by the next write and checkpoint")
  func openToOthers() throws {
    let (whole, _) = try lab.prepareSegments()
    for name in [""] + whole.walk(lab.folder).map({ "/" + $0.path }) {
      let (disk, model) = try lab.prepareSegments()
      disk.setMode(lab.folder + name, 0o777)
      let store = try lab.opened(disk)
      #expect((0..<3).allSatisfy { store.has($0) }, "\(name)")
      store.close()
      let writer = try lab.opened(disk)
      var copy = model
      guard case .acknowledged(let revision) = writer.commit(lab.begin(&copy, 9)) else {
        Issue.record("\(name): nothing can be written")
        continue
      }
      copy.set(copy.transactions.count - 1, .acknowledged(revision))
      #expect(writer.perform(.checkpoint) == nil, "\(name)")
      writer.close()
      #expect(disk.isPrivate(lab.folder), "\(name)")
    }
  }

  @Test("Failure class 16: a file or folder of somebody else is not used, and not written")
  func foreign() throws {
    let (whole, _) = try lab.prepareSegments()
    for name in [""] + whole.walk(lab.folder).map({ "/" + $0.path }) where !name.hasPrefix("/manifest-") {
      let (disk, _) = try lab.prepareSegments()
      disk.setOwner(lab.folder + name, 4711)
      let before = disk.contents(lab.folder + name)
      if case .opened(let store) = lab.open(disk) {
        // What is read only when it is needed is missed then, and said to be.
        let isRead = (0..<6).contains { !store.has($0) }
        #expect(!isRead || store.findings.contains(where: \.isLossPossible), "\(name): \(store.findings)")
        _ = store.commit(LabTransaction(number: 99, changes: []))
        _ = store.perform(.checkpoint)
        store.close()
      }
      // Of an older generation a checkpoint may take the name away.
      let after = disk.contents(lab.folder + name)
      #expect(after == nil || after == before, "\(name) was written")
    }
  }

  @Test("Failure class 16: a second name of a file changes nothing")
  func secondNames() throws {
    let (whole, _) = try lab.prepareSegments()
    for file in whole.walk(lab.folder) where file.kind == .file {
      let (disk, model) = try lab.prepareSegments()
      disk.link(lab.folder + "/" + file.path, to: "/copy")
      lab.recover(disk, model, profile: nil, "\(file.path)")
    }
  }

  @Test("Failure class 18: a newer version's folder is read and not written, and its unknown lines are kept")
  func newer() throws {
    let (disk, model) = try lab.prepare(3)
    let identity = String(decoding: try #require(disk.contents(lab.folder + "/store.json")), as: UTF8.self)
    let newer = identity.replacing("\"format\":1", with: "\"format\":2").dropLast(19)
    disk.setContents(lab.folder + "/store.json", closed(String(newer)))
    let before = disk.walk(lab.folder)
    let changes = disk.changes
    let store = try lab.opened(disk)
    #expect((0..<3).allSatisfy { store.revision(of: $0) != nil })
    var copy = model
    guard case .refused = store.commit(copy.begin([])) else {
      Issue.record("a newer version's folder was written")
      return
    }
    store.close()
    #expect(disk.changes == changes)
    #expect(disk.walk(lab.folder) == before)
  }

  @Test(
    "Failure class 18: while a store is open a newer version begins to use the folder: it is only read from then on",
    arguments: ["writer", "compatible", "incompatible"], [false, true])
  func becomesNewer(_ how: String, _ isFresh: Bool) throws {
    let (disk, model) = try lab.prepareSegments()
    let store = try lab.opened(disk)
    let before = store.revision
    try becomeNewer(disk, how)
    let journals = disk.walk(lab.folder)
    var copy = model
    if !isFresh { _ = store.perform(.lookAround) }
    guard case .refused(let reason) = store.commit(lab.begin(&copy, 9)) else {
      Issue.record("a newer version's folder was written")
      return
    }
    #expect(reason.hasPrefix("storeReadOnly") || reason.hasPrefix("storeUnavailable"), "\(reason)")
    #expect(store.refresh() == nil && store.revision == before, "what was read can still be read")
    #expect(store.perform(.checkpoint) != nil || disk.walk(lab.folder) == journals, "no checkpoint is made either")
    store.close()
    func data(_ found: [SimulatedDisk.Found]) -> [SimulatedDisk.Found] { found.filter { !$0.path.hasSuffix("lock") } }
    #expect(data(disk.walk(lab.folder)) == data(journals))
    switch lab.open(disk) {
    case .opened(let store):
      #expect(how != "incompatible", "what this version does not understand was read")
      #expect(store.revision == before)
      store.close()
    case .failed(let reason): #expect(how == "incompatible", "\(reason)")
    }
  }

  /// Does to the manifest what a newer version would do.
  private func becomeNewer(_ disk: SimulatedDisk, _ how: String) throws {
    let path = lab.folder + "/manifest.json"
    let bytes = try #require(disk.contents(path))
    var text = String(decoding: bytes.dropLast(19), as: UTF8.self)
    let changes = [
      "writer": ("\"minWriter\":1", "\"minWriter\":2"), "compatible": ("\"compatible\":[]", "\"compatible\":[\"x\"]"),
      "incompatible": ("\"incompatible\":[]", "\"incompatible\":[\"x\"]"),
    ]
    let (old, new) = try #require(changes[how])
    for (old, new) in [(old, new), ("\"generation\":3", "\"generation\":4")] {
      let range = try #require(text.firstRange(of: old))
      text.replaceSubrange(range, with: new)
    }
    disk.move(path, to: lab.folder + "/manifest-3.json")
    disk.setContents(path, closed(text))
  }

  /// A text with its checksum.
  private func closed(_ text: String) -> [UInt8] {
    let sum = String(Array(text.utf8).withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
    return Array(text.utf8) + Array(",\"crc\":\"\(String(repeating: "0", count: 8 - sum.count))\(sum)\"}\n".utf8)
  }
}

extension LabStore {
  /// Whether the record that proves a transaction is there.
  fileprivate func has(_ number: Int) -> Bool {
    var isThere = false
    forEachRecord(in: LabKey.witnesses) { record, _, _, _ in isThere = isThere || record == number }
    return isThere
  }
}
