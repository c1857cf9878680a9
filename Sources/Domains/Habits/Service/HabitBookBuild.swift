import FileStore
import Platform

/// A book being built outside the session.
final class HabitBookBuild: Sendable {
  private let snapshot: Snapshot
  private let epoch: Int
  private let migrations: RecordMigrations
  private let warn: @Sendable (String) -> Void
  /// Held while building; never by the session.
  private let turn = Guarded(())
  private let made = Guarded<HabitBook?>(nil)

  init(
    _ snapshot: Snapshot, _ epoch: Int, _ migrations: RecordMigrations, _ warn: @escaping @Sendable (String) -> Void
  ) {
    (self.snapshot, self.epoch, self.migrations, self.warn) = (snapshot, epoch, migrations, warn)
  }

  func isOf(_ other: Snapshot, in epoch: Int) -> Bool { snapshot.revision == other.revision && self.epoch == epoch }

  /// Builds the book, or waits for another thread doing so. An unreadable store gives none.
  func make() {
    turn.withLock { _ in
      guard made.withLock({ $0 == nil }) else { return }
      let digests = snapshot.digests(HistoryBuilder.digest(migrations))
      guard let book = try? HabitBook(snapshot, digests, migrations, warn) else { return }
      made.withLock { $0 = book }
    }
  }

  /// The finished book; nil when the caches were invalidated since.
  func take(in epoch: Int) -> HabitBook? { epoch == self.epoch ? made.withLock { $0 } : nil }
}
