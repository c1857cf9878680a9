import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

/// A reader without a lock reads while others write: between any two of its calls another process may have written,
/// started, folded and removed journals.
@Suite("What another process does between any two calls of this one", .simulated)
struct InterleavingTests {
  /// The interrupted action.
  enum Action: CaseIterable {
    case load, follow, poll, commit, history, checkpoint, backup, export, smallImport, largeImport, scrub, repair
  }

  /// What happens meanwhile.
  enum Interlude: CaseIterable {
    case commit, newJournals, checkpoint, checkpoints, largeImport
  }

  /// The folder's properties: short journals, and whether its files can be mapped.
  enum Setting: CaseIterable {
    case shortJournals, shortUnmapped, long, longUnmapped

    func folder() throws -> SharedFolder {
      try SharedFolder(
        journal: self == .shortJournals || self == .shortUnmapped ? 400 : 16 << 20,
        mapsFiles: self == .shortJournals || self == .long)
    }
  }

  @Test(
    "Nothing is missed, and no revision is given twice", arguments: Action.allCases, Setting.allCases)
  func interleaved(_ action: Action, _ setting: Setting) throws {
    try sweep { interlude, calls in try isInterrupted(action, setting, afterCalls: calls, by: interlude) }
  }

  /// Tries every interlude before every call, within the budget.
  private func sweep(_ isInterrupted: (Interlude, Int) throws -> Bool) rethrows {
    for interlude in Interlude.allCases {
      var calls = 0
      while try isInterrupted(interlude, calls) { calls += Sweeps.step }
      #expect(calls > 1, "\(interlude): it was hardly interrupted")
    }
  }

  /// Whether the action makes enough calls to be interrupted.
  private func isInterrupted(
    _ action: Action, _ setting: Setting, afterCalls calls: Int, by interlude: Interlude
  ) throws -> Bool {
    let what: Comment = "\(interlude) before call \(calls)"
    let world = try setting.folder()
    let process = world.disk.process(7)
    let store = try world.open(by: process)
    if action != .load { _ = try store.revision }
    if action == .follow || action == .poll {
      try store.follow()
      world.play(.newJournals)
    }
    let before = world.revision
    world.disk.interrupt(process, afterCalls: calls) { world.play(interlude) }
    switch action {
    case .load: _ = try store.revision
    case .follow: try store.follow()
    case .poll: try store.poll()
    case .commit: world.write(store)
    case .history: _ = try store.known(transactionID(0))
    case .checkpoint: try store.checkpoint()
    case .export:
      var lines = 0
      let summary = try StoreExport(world.configuration(of: process)).run { lines += $0.count { $0 == 10 } }
      // The header and the footer depend on the export itself.
      #expect(lines == summary.records + 2 && summary.records == world.contents(at: summary.revision).count, what)
      #expect(summary.revision >= before, what)
    case .smallImport, .largeImport: world.importMeal(by: process, inJournal: action == .smallImport)
    case .scrub:
      var scrub = try Scrub(world.configuration(of: process))
      while try scrub.step() {}
      #expect(scrub.report.findings.isEmpty, what)
    case .repair: _ = try Doctor(world.configuration(of: process)).repair()
    case .backup:
      let backups = Backups(world.configuration(of: process))
      let backup = try backups.create(.manual)
      #expect(try backups.verify(backup.id).isEmpty, what)
      #expect(backup.records == world.contents(at: backup.revision).count && backup.revision >= before, what)
    }
    let wasInterrupted = !world.disk.endInterruption()
    if [.load, .poll, .commit].contains(action) { #expect(try store.revision >= before, what) }
    #expect(try store.snapshot.contents.keys.sorted() == world.contents(at: try store.revision), what)
    // Writes before a request are seen by it without a full follow.
    try store.follow()
    #expect(try store.revision == world.revision, what)
    world.write(store)
    let fresh = try world.open(by: world.disk.process(9))
    #expect(try fresh.revision == world.revision, what)
    for one in [store, fresh] {
      #expect(try one.snapshot.contents.keys.sorted() == world.contents(at: world.revision), what)
      #expect(one.recoveryReport.findings.isEmpty, "\(what): \(one.recoveryReport.findings)")
    }
    #expect(store.replacements == 0 || interlude == .largeImport || action == .largeImport, what)
    return wasInterrupted
  }

  @Test(
    "Another process writes, and then a read fails: what is acknowledged is there", arguments: Action.allCases,
    [0, 1, 2])
  func unreadable(_ action: Action, _ reads: Int) throws {
    var calls = 0
    var isInterrupted = true
    while isInterrupted {
      let what: Comment = "before call \(calls)"
      let world = try SharedFolder(journal: 16 << 20)
      let process = world.disk.process(7)
      let store = try world.open(by: process)
      if action != .load { _ = try store.revision }
      world.isLocked = false
      let (disk, id) = (world.disk, process.processID)
      disk.interrupt(process, afterCalls: calls) {
        world.play(.commit)
        disk.setFaults {
          $0.rules = [DiskFault(.fails(.inputOutput), calls: [.read], after: reads, process: id)]
        }
      }
      // Whether it can be done does not matter here.
      switch action {
      case .load: _ = try? store.revision
      case .follow: _ = try? store.follow()
      case .poll: _ = try? store.poll()
      case .commit: world.write(store)
      case .history: _ = try? store.known(transactionID(0))
      case .checkpoint: try? store.checkpoint()
      case .export: _ = try? StoreExport(world.configuration(of: process)).run { _ in }
      case .smallImport, .largeImport: world.importMeal(by: process, inJournal: action == .smallImport)
      case .scrub:
        guard var scrub = try? Scrub(world.configuration(of: process)) else { break }
        while (try? scrub.step()) == true {}
      case .repair: _ = try? Doctor(world.configuration(of: process)).repair()
      case .backup: _ = try? Backups(world.configuration(of: process)).create(.manual)
      }
      isInterrupted = !disk.endInterruption()
      disk.setFaults { $0.rules = [] }
      world.write(store)
      let fresh = try world.open(by: disk.process(9))
      let missing = Set(world.contents(at: .max)).subtracting(try fresh.snapshot.contents.keys)
      #expect(missing.isEmpty, what)
      calls += 1
    }
    #expect(calls > 1)
  }

  @Test(
    "The lock file is removed between any two calls, and others write: acknowledged writes are there",
    arguments: [Action.commit, .checkpoint, .poll], [400, 16 << 20])
  func withoutLock(_ action: Action, _ journal: Int) throws {
    try sweep { interlude, calls in try loses(action, journal, afterCalls: calls, to: interlude) }
  }

  private func loses(
    _ action: Action, _ journal: Int, afterCalls calls: Int, to interlude: Interlude
  ) throws -> Bool {
    let what: Comment = "\(interlude) before call \(calls)"
    let world = try SharedFolder(journal: journal)
    let process = world.disk.process(7)
    let store = try world.open(by: process)
    world.write(store)
    world.isLocked = false
    world.disk.interrupt(process, afterCalls: calls) {
      world.disk.remove(folder + "/lock")
      world.play(interlude)
    }
    switch action {
    case .checkpoint: try? store.checkpoint()
    case .poll: try store.poll()
    default: world.write(store)
    }
    let wasInterrupted = !world.disk.endInterruption()
    for process in [world.disk.process(9), process] {
      let next = try world.open(by: process)
      world.write(next)
      let missing = Set(world.contents(at: .max)).subtracting(try next.snapshot.contents.keys)
      #expect(missing.isEmpty, what)
      next.close()
    }
    try store.poll()
    let unseen = Set(world.contents(at: .max)).subtracting(try store.snapshot.contents.keys)
    #expect(unseen.isEmpty, what)
    return wasInterrupted
  }
}
