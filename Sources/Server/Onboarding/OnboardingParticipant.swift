import DomainKit
import Platform
import Synchronization

/// Records the completion of the onboarding in the store again where only this device knows of it: after an undo, a
/// repair, or the restore of an older backup. It becomes part of the next change, so that other devices and later
/// backups know it too.
///
/// It decides once for each version of the onboarding record, so that an ordinary change makes no system call, and
/// again when `flags.json` may say something else.
final class OnboardingParticipant: CommitParticipant {
  let ownCollections: Set<CollectionName> = []

  private let folder: String
  private let migrations: RecordMigrations
  /// Waits until `flags.json` has what this process has written.
  private let settle: @Sendable () -> Void
  /// The number of calls of `flagsMayHaveChanged`.
  private let hints = Atomic<Int>(0)
  private let state = Guarded(State())

  private struct State {
    /// When there was last nothing to add.
    var settled: Situation?
    /// The mark of the last `flags.json` that does not say completed.
    var incomplete: FileMark?
  }

  /// What a decision depends on.
  private struct Situation: Equatable {
    /// The revision of the onboarding record; 0 without one.
    let record: Int
    let hints: Int
  }

  init(folder: String, migrations: RecordMigrations, settle: @escaping @Sendable () -> Void = {}) {
    self.folder = folder
    self.migrations = migrations
    self.settle = settle
  }

  /// Has the next change look at `flags.json`: it, or the whole folder, may have changed. Callable from any thread.
  func flagsMayHaveChanged() { hints.add(1, ordering: .acquiringAndReleasing) }

  func additions(to change: PendingChange) -> [Operation] {
    let (id, collection) = (OnboardingRecord.singleID, OnboardingRecord.collection)
    let stored = change.snapshot.record(id, in: collection)
    let situation = Situation(record: stored?.revision ?? 0, hints: hints.load(ordering: .acquiring))
    guard state.withLock({ $0.settled != situation }), !change.touches(collection) else { return [] }
    guard let record = completion(of: stored),
      let completed = try? migrations.put(record, keeping: stored, at: change.at)
    else {
      state.withLock { $0.settled = situation }
      return []
    }
    return [completed]
  }

  /// The completed form of an incomplete record that this device knows to be complete; else nil.
  private func completion(of stored: Record?) -> OnboardingRecord? {
    var record = OnboardingRecord(completed: true, choices: OnboardingChoices())
    if let stored {
      // A record that cannot be read, such as a later version's, is not overwritten.
      guard let known = try? migrations.decode(OnboardingRecord.self, stored), !known.completed else { return nil }
      record = known
      record.completed = true
    }
    return isCompletedHere ? record : nil
  }

  /// Whether `flags.json` says completed. Another process may have reset it, so it is read unless it is unchanged.
  private var isCompletedHere: Bool {
    settle()
    let flags = SmallFile(.flags, in: folder)
    guard let mark = FileMark(path: flags.path), state.withLock({ $0.incomplete != mark }) else { return false }
    if OnboardingMirror.saysCompleted(flags) { return true }
    state.withLock { $0.incomplete = mark }
    return false
  }
}
