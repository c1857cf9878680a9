import CrashLabKit
import FileStore
import FileStoreTesting
import Foundation
import Pacing
import Testing

/// The crash lab with a small budget, and proof that it notices a broken store or disk.
@Suite(.simulated)
struct CrashLabTests {
  /// The kinds that the store supports.
  static let kinds = LabKind.allCases.filter { $0.verbs.allSatisfy(FileStoreDriver().verbs.contains) }

  @Test("After any power cut and with any damaged byte, the store keeps its guarantees")
  func lab() {
    let budget = ProcessInfo.processInfo.environment["CRASH_POINTS"].flatMap { Int($0) } ?? 5_000
    let summary = CrashLab(FileStoreDriver(), budget: budget).run()
    #expect(summary.failures.isEmpty, "\(summary)")
    #expect(summary.points >= budget)
  }

  /// The first violation that some seeds of a kind show.
  private func violation(_ driver: any StoreDriver, _ kind: LabKind, _ profile: CrashProfile) -> Violation? {
    for seed in 0..<12 as Range<UInt64> {
      var trial = LabCase(kind, profile, seed: seed)
      trial.draws = 2
      if let violation = trial.run(driver).violation { return violation }
    }
    return nil
  }

  @Test(
    "Syncs that do nothing are noticed", arguments: [LabKind.append, .faults, .run],
    [CrashProfile.ordered, .xfsLike, .minimal])
  func forgetfulDisk(_ kind: LabKind, _ profile: CrashProfile) {
    let driver = AlteredDriver(FileStoreDriver(), disk: { $0.setFaults { $0.ignoresSyncs = true } })
    #expect(violation(driver, kind, profile)?.invariant == "I1")
  }

  @Test(
    "A store that answers before a write is durable is noticed", arguments: [CrashProfile.ordered, .xfsLike, .minimal])
  func eagerStore(_ profile: CrashProfile) {
    let driver = AlteredDriver(FileStoreDriver(), store: { EagerStore($0) })
    #expect(violation(driver, .append, profile)?.invariant == "I1")
  }

  @Test(
    "A store that treats others' writes as durable is noticed",
    arguments: [CrashProfile.ordered, .xfsLike, .minimal])
  func trustingStore(_ profile: CrashProfile) {
    let driver = AlteredDriver(FileStoreDriver(), store: { TrustingStore($0) })
    #expect(["I1", "I5"].contains(violation(driver, .proof, profile)?.invariant))
  }

  @Test("A store that forgets a transaction is noticed", arguments: CrashLabTests.kinds)
  func forgetfulStore(_ kind: LabKind) {
    let driver = AlteredDriver(FileStoreDriver(), store: { ForgetfulStore($0) })
    // Whether a transaction or its result is missed first depends on the order.
    #expect(["I1", "I2", "I3", "I10"].contains(violation(driver, kind, .ordered)?.invariant))
  }

  @Test("A store that does not follow others' writes is noticed", arguments: [LabKind.processes, .run])
  func deafStore(_ kind: LabKind) {
    let driver = AlteredDriver(FileStoreDriver(), store: { DeafStore($0) })
    #expect(["I1", "I3", "I7"].contains(violation(driver, kind, .ordered)?.invariant))
  }

  @Test(
    "A disk that forgets names although they were synchronized is noticed", arguments: [LabKind.append, .checkpoint])
  func forgottenNames(_ kind: LabKind) {
    let rule = DiskFault(.isForgotten, calls: [.create], isForEver: true, name: ".jsonl")
    let driver = AlteredDriver(FileStoreDriver(), disk: { $0.setFaults { $0.rules = [rule] } })
    #expect(["I1", "I5"].contains(violation(driver, kind, .ordered)?.invariant))
  }

  @Test("A store that does not report damage is noticed")
  func silentStore() {
    let driver = AlteredDriver(FileStoreDriver(), store: { SilentStore($0) })
    #expect(violation(driver, .mutation, .ordered)?.invariant == "I5")
  }

  @Test("A store that writes when it is opened is noticed", arguments: CrashLabTests.kinds)
  func writingStore(_ kind: LabKind) {
    #expect(violation(WritingDriver(), kind, .ordered)?.invariant == "I4")
  }

  @Test("A store that leaves files open is noticed")
  func openFiles() {
    let driver = AlteredDriver(FileStoreDriver(), disk: { $0.setMode("/d/store.json", 0o644) })
    #expect(violation(driver, .append, .ordered)?.invariant == "I8")
  }

  @Test("A case is the same every time", arguments: CrashLabTests.kinds)
  func repeatable(_ kind: LabKind) {
    func calls() -> [String] {
      let trial = LabCase(kind, .minimal, seed: 4)
      let disk = SimulatedDisk()
      let world = LabWorld(FileStoreDriver(), trial.history(FileStoreDriver()), profile: .minimal, disk: disk)
      do throws(Violation) { try world.play() } catch { return [error.description] }
      return disk.trace + ["\(world.points)"] + world.disk.walk("/").map { "\($0)" }
    }
    #expect(calls() == calls())
  }

  @Test("A violation comes with the shortest history that shows it, and with how to reproduce it")
  func shrinking() throws {
    let driver = AlteredDriver(FileStoreDriver(), store: { EagerStore($0) })
    let summary = CrashLab(driver, budget: 10_000, kinds: [.append], workers: 1).run()
    let failure = try #require(summary.failures.first)
    #expect(failure.history.steps.count <= 2)
    #expect(summary.description.contains("crash-lab --kind append --profile \(failure.trial.profile)"))
    var told: [String] = []
    #expect(!LabReplay(driver, failure.trial).run { told.append($0) })
    #expect(told.contains { $0.contains("fdatasync") })
  }
}

/// Passes everything on.
private class PassingStore: LabStore {
  let base: any LabStore
  init(_ base: any LabStore) { self.base = base }
  var findings: [LabFinding] { base.findings }
  var revision: Int { base.revision }
  var isCheckpointing: Bool { base.isCheckpointing }
  func revision(of number: Int) -> Int? { base.revision(of: number) }
  func refresh() -> String? { base.refresh() }
  func hold() -> (any LabContent)? { base.hold() }
  func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void) {
    base.forEachRecord(in: collection, body)
  }
  func commit(_ transactions: [LabTransaction]) -> [LabAnswer] { base.commit(transactions) }
  var isSettled: Bool { base.isSettled }
  func enter() -> LabEntrance { base.enter() }
  func leave() { base.leave() }
  func planUndo(of revision: Int) -> LabUndo { base.planUndo(of: revision) }
  func changes(since revision: Int) -> LabFeed { base.changes(since: revision) }
  func perform(_ verb: LabVerb) -> String? { base.perform(verb) }
  func close() { base.close() }
}

/// Answers each transaction once the previous one is durable.
private final class EagerStore: PassingStore {
  private var waiting: LabTransaction?
  private func flush() {
    if let waiting { _ = base.commit(waiting) }
    waiting = nil
  }
  override var revision: Int { base.revision + (waiting == nil ? 0 : 1) }
  override func commit(_ transactions: [LabTransaction]) -> [LabAnswer] {
    flush()
    waiting = transactions.last
    return base.commit(transactions.dropLast()) + [.acknowledged(revision)]
  }
  override func revision(of number: Int) -> Int? {
    waiting?.number == number ? revision : base.revision(of: number)
  }
  override func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void) {
    flush()
    base.forEachRecord(in: collection, body)
  }
  override func close() {
    flush()
    base.close()
  }
}

/// Answers a retry with success because it has read the change, although its sync fails.
private final class TrustingStore: PassingStore {
  override func commit(_ transactions: [LabTransaction]) -> [LabAnswer] {
    let known = transactions.map { base.revision(of: $0.number) }
    return zip(known, base.commit(transactions)).map { known, answer in known.map { .acknowledged($0) } ?? answer }
  }
}

/// Does not know the first transaction when it is opened with it.
private final class ForgetfulStore: PassingStore {
  private let isKnown: Bool
  override init(_ base: any LabStore) {
    var isKnown = false
    base.forEachRecord(in: LabKey.witnesses) { record, _, _, _ in isKnown = isKnown || record == 0 }
    self.isKnown = isKnown
    super.init(base)
  }
  override func revision(of number: Int) -> Int? { number == 0 && isKnown ? nil : base.revision(of: number) }
  override func forEachRecord(in collection: Int, _ body: (Int, Int32?, Int, UnsafeRawBufferPointer) -> Void) {
    base.forEachRecord(in: collection) { record, day, revision, text in
      if !isKnown || collection != LabKey.witnesses || record != 0 { body(record, day, revision, text) }
    }
  }
}

/// Reports nothing.
private final class SilentStore: PassingStore {
  override var findings: [LabFinding] { [] }
}

/// Follows nobody.
private final class DeafStore: PassingStore {
  override func perform(_ verb: LabVerb) -> String? {
    verb == .follow || verb == .poll ? nil : base.perform(verb)
  }
}

/// Creates a folder before it opens the store.
private struct WritingDriver: StoreDriver {
  private let base = FileStoreDriver()
  var folder: String { base.folder }
  var verbs: [LabVerb] { base.verbs }
  func open(_ fileSystem: any FileSystem, _ settings: LabSettings) -> LabOpening {
    try? fileSystem.makeDirectory(path: "/d")
    return base.open(fileSystem, settings)
  }
  func transaction(inLine line: ArraySlice<UInt8>) -> Int? { base.transaction(inLine: line) }
  func record(inLine line: ArraySlice<UInt8>, of file: String) -> LabKey? { base.record(inLine: line, of: file) }
  func isEquivalent(_ changed: [UInt8], to original: [UInt8], in file: String) -> Bool {
    base.isEquivalent(changed, to: original, in: file)
  }
  func role(of file: String, among files: [String: [UInt8]]) -> LabFileRole { base.role(of: file, among: files) }
}
