import FileStore
import FileStoreTesting

/// Opens a store one of whose files was changed: everything still readable has to be there, and the rest reported.
package struct DamageCheck {
  private let driver: any StoreDriver
  private let model: LabModel
  private let recovery: RecoveryCheck
  private let whole: DiskMoment
  /// Which transactions each file has lines of.
  private let lines: [String: Set<Int>]

  /// `whole` is the disk before the change, with nothing running on it.
  package init(_ driver: any StoreDriver, settings: LabSettings, model: LabModel, whole: SimulatedDisk) {
    self.driver = driver
    self.model = model
    recovery = RecoveryCheck(driver, settings: settings, profile: nil)
    self.whole = whole.moments()[0]
    var lines: [String: Set<Int>] = [:]
    for file in whole.walk(driver.folder) where file.kind == .file {
      lines[file.path] = DamageCheck.transactions(whole.contents(driver.folder + "/" + file.path) ?? [], driver)
    }
    self.lines = lines
  }

  /// The transactions that have a line of their own in these bytes.
  private static func transactions(_ bytes: [UInt8], _ driver: any StoreDriver) -> Set<Int> {
    Set(wholeLines(bytes).compactMap { driver.transaction(inLine: $0) })
  }

  /// The lines that have their newline: without it a line was never answered.
  private static func wholeLines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let newline = UInt8(ascii: "\n")
    let end = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
    return bytes[..<end].split(separator: newline)
  }

  /// Checks one change of one file.
  package func callAsFunction(
    _ file: String, _ original: [UInt8], _ mutation: FileMutator.Mutation, goesOn: Bool
  ) throws(Violation) {
    let disk = whole.afterCrash(.nothing)
    disk.setContents(driver.folder + "/" + file, mutation.bytes)
    let intact = intactTransactions(file, original, mutation.bytes)
    let first = try recovery.open(disk, as: 100) { store throws(Violation) in
      try look(store, intact, isReordered: mutation.isReordered)
      try checkReport(store.findings, file, original, mutation)
      return (StoreView(store, model), store.findings)
    }
    let second = try recovery.open(disk, as: 101) { store in (StoreView(store, model), store.findings) }
    if first != second { throw Violation("I9", "recovering twice shows something else than recovering once") }
    if goesOn { try goOn(disk, first.0, file, mutation.bytes) }
  }

  /// The transactions that still have a whole line somewhere.
  private func intactTransactions(_ file: String, _ original: [UInt8], _ changed: [UInt8]) -> Set<Int> {
    var intact: Set<Int> = []
    for (path, numbers) in lines where path != file { intact.formUnion(numbers) }
    let before = Set(DamageCheck.wholeLines(original))
    for line in DamageCheck.wholeLines(changed) where before.contains(line) {
      if let number = driver.transaction(inLine: line) { intact.insert(number) }
    }
    return intact
  }

  private func look(_ store: any LabStore, _ intact: Set<Int>, isReordered: Bool) throws(Violation) {
    let view = StoreView(store, model)
    for number in intact where view.revisions[number] == nil {
      throw Violation("I1", "transaction \(number), whose line is whole, is gone")
    }
    // Lines in another order leave the records of one of the two.
    if !isReordered { try model.checkRecords(store, view) }
  }

  /// I5: what was changed is reported where it is.
  private func checkReport(
    _ findings: [LabFinding], _ file: String, _ original: [UInt8], _ mutation: FileMutator.Mutation
  ) throws(Violation) {
    guard mutation.bytes != original, driver.mustReport(file, mutation.range) else { return }
    // Of a file that ends in a whole line nobody can tell that there was more, and empty lines are nothing.
    if mutation.bytes.count < original.count, original.starts(with: mutation.bytes),
      mutation.bytes.isEmpty || mutation.bytes.last == UInt8(ascii: "\n")
    {
      return
    }
    let newline = UInt8(ascii: "\n")
    if mutation.bytes.split(separator: newline) == original.split(separator: newline) { return }
    // What is gone without a trace shows as a gap, wherever the next line is; a line more that holds nothing is harmless.
    let isShorter = mutation.bytes.count < original.count
    if isShorter, findings.contains(where: \.isLossPossible) { return }
    if isRepetition(mutation.bytes, of: original) { return }
    let hit = (mutation.range.lowerBound - 1)...(mutation.range.upperBound + 1)
    let isReported = findings.contains {
      $0.file == file && hit.overlaps($0.range.lowerBound...max($0.range.upperBound, $0.range.lowerBound))
    }
    if !isReported { throw Violation("I5", "\(mutation.range) is not reported; findings: \(findings)") }
  }

  /// Whether all lines are still there, those with transactions in their order and once.
  private func isRepetition(_ changed: [UInt8], of original: [UInt8]) -> Bool {
    let (before, after) = (DamageCheck.wholeLines(original), DamageCheck.wholeLines(changed))
    func transactions(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
      lines.filter { driver.transaction(inLine: $0) != nil }
    }
    return transactions(before) == transactions(after) && Set(before) == Set(after) && changed.last == original.last
  }

  /// I6 and the rest: work goes on, nothing readable is lost by it, and the damaged bytes stay where they are.
  private func goOn(_ disk: SimulatedDisk, _ before: StoreView, _ file: String, _ bytes: [UInt8]) throws(Violation) {
    var model = model
    model.settle(before.revisions)
    let change = LabChange(key: LabKey(collection: 0, record: 77), day: 20_000, padding: 1)
    let transaction = model.begin([change])
    let process = disk.process(102)
    guard case .opened(let store) = driver.open(process, recovery.settings) else {
      throw Violation("I4", "opening again fails")
    }
    let answer = store.commit(transaction)
    store.close()
    guard case .acknowledged = answer else { throw Violation("I4", "nothing can be written any more: \(answer)") }
    let now = disk.contents(driver.folder + "/" + file) ?? []
    if driver.mustReport(file, 0..<bytes.count), !now.starts(with: bytes) {
      throw Violation("I6", "bytes that were there before are gone")
    }
    let after = disk.afterCrash(.nothing)
    let view = try recovery.open(after, as: 103) { store in StoreView(store, model) }
    for number in model.transactions.indices where number != transaction.number {
      if before.revisions[number] != nil, view.revisions[number] == nil {
        throw Violation("I9", "transaction \(number) is lost by going on")
      }
    }
    if view.revisions[transaction.number] == nil { throw Violation("I1", "what was written after the damage is gone") }
  }
}
