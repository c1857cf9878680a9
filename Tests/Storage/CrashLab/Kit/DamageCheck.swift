import FileStore
import FileStoreTesting

/// Opens a store after one of its files was changed: everything still readable must be there, and the rest reported.
package struct DamageCheck {
  let driver: any StoreDriver
  private let model: LabModel
  private let recovery: RecoveryCheck
  private let whole: DiskMoment
  /// The store's content before the change.
  private let revisions: [Int?]
  private let records: LabModel.Records
  /// All files, by their paths within the data folder.
  package let files: [String: [UInt8]]
  private let roles: [String: LabFileRole]
  /// The transactions whose lines each file contains.
  private let transactions: [String: Set<Int>]

  /// `whole` is the disk before the change, with no process running.
  package init(
    _ driver: any StoreDriver, settings: LabSettings, model: LabModel, whole: SimulatedDisk
  ) throws(Violation) {
    self.driver = driver
    self.model = model
    var recovery = RecoveryCheck(driver, settings: settings, profile: nil)
    self.whole = whole.moments()[0]
    var files: [String: [UInt8]] = [:]
    // What is not durable yet is in no file.
    let medium = self.whole.afterCrash(.nothing)
    for file in medium.walk(driver.folder) where file.kind == .file {
      files[file.path] = medium.contents(driver.folder + "/" + file.path) ?? []
    }
    self.files = files
    roles = Dictionary(uniqueKeysWithValues: files.keys.map { ($0, driver.role(of: $0, among: files)) })
    transactions = files.mapValues { bytes in Set(bytes.wholeLines.compactMap { driver.transaction(inLine: $0) }) }
    // The reference must be right itself.
    revisions = try recovery(self.whole.afterCrash(.nothing), model)
    self.recovery = recovery
    records = model.records(revisions)
  }

  /// Whether a file's content does not matter.
  func isExempt(_ file: String) -> Bool { if case .exempt? = roles[file] { true } else { false } }

  /// Checks one change of one file.
  package func callAsFunction(_ file: String, _ mutation: FileMutator.Mutation, shouldContinue: Bool) throws(Violation)
  {
    let disk = whole.afterCrash(.nothing)
    disk.setContents(driver.folder + "/" + file, mutation.bytes)
    let first = try recovery.open(disk, as: 100) { store throws(Violation) in
      let seen = try Seen(store, model)
      try check(store, seen, file, mutation)
      return seen
    }
    guard shouldContinue else { return }
    let second = try recovery.open(disk, as: 101) { store throws(Violation) in try Seen(store, model) }
    if first != second { throw Violation("I9", "recovering twice shows something else than recovering once") }
    try goOn(disk, first, file, mutation)
  }

  /// Everything visible in a store.
  private struct Seen: Equatable {
    var view: StoreView
    var records: [LabKey: LabContents] = [:]
    var findings: [LabFinding] = []

    init(_ store: any LabStore, _ model: LabModel) throws(Violation) {
      view = try StoreView(store, model)
      for collection in 0..<LabKey.collections {
        store.forEachRecord(in: collection) { record, day, _, body in
          records[LabKey(collection: collection, record: record)] = LabContents(day: day, body: Array(body))
        }
      }
      findings = store.findings
    }
  }

  private func check(
    _ store: any LabStore, _ seen: Seen, _ file: String, _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    let role = roles[file] ?? .spare
    switch role {
    case .exempt, .spare, .derived:
      if seen.view.revisions != revisions { throw Violation("I1", "damage to \(file) loses transactions") }
      try model.checkRecords(store, records)
    case .journal, .copies: try checkJournal(store, seen.view, file, mutation)
    case .segment: try checkSegment(store, seen, file, mutation)
    }
    guard mutation.bytes != files[file] else { return }
    switch role {
    case .exempt, .spare: break
    case .copies:
      if isAnyLost(seen.view), !isWithoutTrace(seen.view, file, mutation),
        !seen.findings.contains(where: { $0.file == file || $0.isLossPossible })
      {
        throw Violation("I5", "transactions are missing, and nobody says so; findings: \(seen.findings)")
      }
    case .derived:
      let isEquivalent = driver.isEquivalent(mutation.bytes, to: files[file] ?? [], in: file)
      if !isEquivalent, !seen.findings.contains(where: { $0.file == file }) {
        throw Violation("I5", "\(mutation.range) is not reported; findings: \(seen.findings)")
      }
    case .journal, .segment:
      try DamageReport(driver, findings: seen.findings).check(file, files[file] ?? [], mutation, role)
    }
  }

  /// Whether any transaction is lost.
  private func isAnyLost(_ view: StoreView) -> Bool {
    revisions.indices.contains { revisions[$0] != nil && view.revisions[$0] == nil }
  }

  /// Whether the last copied lines are lost and only whole lines are left: then nobody can tell that there were more.
  private func isWithoutTrace(_ view: StoreView, _ file: String, _ mutation: FileMutator.Mutation) -> Bool {
    let before = Set((files[file] ?? []).wholeLines)
    let left = mutation.bytes.wholeLines
    guard mutation.bytes.last ?? UInt8(ascii: "\n") == UInt8(ascii: "\n"), left.allSatisfy(before.contains) else {
      return false
    }
    let last = left.compactMap { driver.transaction(inLine: $0) }.compactMap { revisions[$0] }.max() ?? 0
    return revisions.indices.allSatisfy { number in
      view.revisions[number] != nil || revisions[number].map { $0 > last } ?? true
    }
  }

  /// Every transaction that still has a whole line is there, and no other except those in segments.
  private func checkJournal(
    _ store: any LabStore, _ view: StoreView, _ file: String, _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    let before = Set((files[file] ?? []).wholeLines)
    let left = mutation.bytes.wholeLines.filter { before.contains($0) }
    let gone = (transactions[file] ?? []).subtracting(left.compactMap { driver.transaction(inLine: $0) })
    for number in revisions.indices where revisions[number] != nil && view.revisions[number] == nil {
      // A line may occur twice.
      let isDeferred = transactions.contains {
        $0.key != file && roles[$0.key] == .journal && $0.value.contains(number)
      }
      if !gone.contains(number) || isDeferred {
        throw Violation("I1", "transaction \(number), whose line is whole, is gone")
      }
    }
    // Reordered lines lose the records of one of the two.
    if !mutation.isReordered { try model.checkRecords(store, view) }
  }

  /// Every record that still has a whole line is unchanged.
  private func checkSegment(
    _ store: any LabStore, _ seen: Seen, _ file: String, _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    let left = Set(mutation.bytes.wholeLines)
    let gone = Set(
      (files[file] ?? []).wholeLines.filter { !left.contains($0) }.compactMap { driver.record(inLine: $0, of: file) })
    try model.checkRecords(store, records, unless: gone)
    var isLost = gone.contains { seen.records[$0] != model.contents(records[$0]) && $0.collection != LabKey.witnesses }
    for number in revisions.indices where seen.view.revisions[number] != revisions[number] {
      if !gone.contains(LabKey(collection: LabKey.witnesses, record: number)) {
        throw Violation("I1", "transaction \(number) is now revision \(seen.view.revisions[number] ?? 0)")
      }
      isLost = true
    }
    if isLost, !seen.findings.contains(where: \.isLossPossible) {
      throw Violation("I5", "records are missing, and nobody says so; findings: \(seen.findings)")
    }
  }

  /// I6 and the rest: work continues until no earlier file is in use; nothing readable is lost by it, and the damaged
  /// bytes are kept somewhere.
  private func goOn(
    _ disk: SimulatedDisk, _ before: Seen, _ file: String, _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    var model = model
    model.settle(before.view.revisions)
    let change = LabChange(key: LabKey(collection: 0, record: 77), day: 20_000, padding: 1)
    let transaction = model.begin([change])
    let process = disk.process(102)
    guard case .opened(let store) = driver.open(process, recovery.settings) else {
      throw Violation("I4", "opening again fails")
    }
    let answer = store.commit(transaction)
    guard case .acknowledged = answer else {
      store.close()
      throw Violation("I4", "nothing can be written any more: \(answer)")
    }
    for _ in 0..<(driver.verbs.contains(.checkpoint) ? 4 : 0) {
      let problem = store.perform(.checkpoint) ?? store.perform(.poll)
      if let problem { throw Violation("I10", "no checkpoint can be made any more: \(problem)") }
      guard case .acknowledged = store.commit(model.begin([change])) else {
        throw Violation("I4", "nothing can be written any more after a checkpoint")
      }
    }
    store.close()
    let after = disk.afterCrash(.nothing)
    let seen = try recovery.open(after, as: 103) { store throws(Violation) in try Seen(store, model) }
    for number in model.transactions.indices where number < transaction.number {
      if before.view.revisions[number] != nil, seen.view.revisions[number] == nil {
        throw Violation("I10", "transaction \(number) is lost by going on")
      }
    }
    for (key, contents) in before.records where seen.records[key] != contents && key != change.key {
      throw Violation("I10", "record \(key.collection)/\(key.record) is lost or changed by going on")
    }
    if seen.view.revisions[transaction.number] == nil {
      throw Violation("I1", "what was written after the damage is gone")
    }
    // Copies of journal lines may be lost, as may the text around copies.
    if case .copies? = roles[file], !isAnyLost(before.view) { return }
    try checkKept(disk, file, mutation)
  }

  /// I6: unreadable bytes are still somewhere in the folder.
  private func checkKept(
    _ disk: SimulatedDisk, _ file: String, _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    guard roles[file] != .exempt, roles[file] != .spare, !mutation.bytes.isEmpty else { return }
    let before = Set((files[file] ?? []).wholeLines)
    let damaged = mutation.bytes.wholeLines.filter { !before.contains($0) }
    if damaged.isEmpty || driver.isEquivalent(mutation.bytes, to: files[file] ?? [], in: file) { return }
    let kept = disk.walk(driver.folder).filter { $0.kind == .file }.flatMap { found in
      (disk.contents(driver.folder + "/" + found.path) ?? []).split(separator: UInt8(ascii: "\n"))
    }
    let all = Set(kept)
    for line in damaged where !all.contains(line) {
      throw Violation("I6", "a damaged line is nowhere any more: \(String(decoding: line.prefix(60), as: UTF8.self))")
    }
  }
}

extension [UInt8] {
  /// The lines that have a newline: without it a line was never answered.
  var wholeLines: [ArraySlice<UInt8>] {
    let newline = UInt8(ascii: "\n")
    let end = lastIndex(of: newline).map { $0 + 1 } ?? 0
    return self[..<end].split(separator: newline)
  }
}
