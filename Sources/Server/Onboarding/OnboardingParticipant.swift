import DomainKit
import Platform

/// Records the completion of the onboarding in the store again where only this device knows of it: after an undo, a
/// repair, or the restore of an older backup. It becomes part of the next change, so that other devices and later
/// backups know it too.
final class OnboardingParticipant: CommitParticipant {
  let ownCollections: Set<CollectionName> = []

  private let folder: String
  private let migrations: RecordMigrations
  /// Waits until `flags.json` has what this process has written.
  private let settle: @Sendable () -> Void
  /// The mark of the last `flags.json` that does not say completed.
  private let incomplete = Guarded<FileMark?>(nil)

  init(folder: String, migrations: RecordMigrations, settle: @escaping @Sendable () -> Void = {}) {
    self.folder = folder
    self.migrations = migrations
    self.settle = settle
  }

  func additions(to change: PendingChange) -> [Operation] {
    let (id, collection) = (OnboardingRecord.singleID, OnboardingRecord.collection)
    let stored = change.snapshot.record(id, in: collection)
    var record = OnboardingRecord(completed: true, choices: OnboardingChoices())
    if let stored {
      // A record that cannot be read, such as a later version's, is not overwritten.
      guard let known = try? migrations.decode(OnboardingRecord.self, stored), !known.completed else { return [] }
      record = known
      record.completed = true
    }
    guard isCompletedHere, !change.touches(collection), let body = try? migrations.body(record, keeping: stored) else {
      return []
    }
    return [
      .put(
        collection, id: id, day: nil, schema: migrations.schema(of: collection),
        createdAt: stored?.createdAt ?? change.at, updatedAt: change.at, body: body)
    ]
  }

  /// Whether `flags.json` says completed. Another process may have reset it, so it is read unless it is unchanged.
  private var isCompletedHere: Bool {
    settle()
    let flags = SmallFile(.flags, in: folder)
    guard let mark = FileMark(path: flags.path), incomplete.withLock({ $0 }) != mark else { return false }
    if OnboardingMirror.saysCompleted(flags) { return true }
    incomplete.withLock { $0 = mark }
    return false
  }
}
