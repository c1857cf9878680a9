import DomainKit
import FileStore
import JSONRPC
import Platform

/// The book of a snapshot while it is made away from the session.
final class HabitBookBuild: Sendable {
  private let snapshot: Snapshot
  private let epoch: Int
  private let migrations: RecordMigrations
  private let warn: @Sendable (String) -> Void
  /// Held while it is made; never by the session.
  private let turn = Guarded(())
  private let made = Guarded<HabitBook?>(nil)

  init(
    _ snapshot: Snapshot, _ epoch: Int, _ migrations: RecordMigrations, _ warn: @escaping @Sendable (String) -> Void
  ) {
    (self.snapshot, self.epoch, self.migrations, self.warn) = (snapshot, epoch, migrations, warn)
  }

  /// Whether it is of that snapshot.
  func isOf(_ other: Snapshot, in epoch: Int) -> Bool { snapshot.revision == other.revision && self.epoch == epoch }

  /// Makes it, unless another has; one that asks meanwhile waits. Of a store that cannot be read there is none.
  func make() {
    turn.withLock { _ in
      guard made.withLock({ $0 == nil }) else { return }
      let digests = snapshot.digests(HistoryBuilder.digest(migrations))
      guard let book = try? HabitBook(snapshot, digests, migrations, warn) else { return }
      made.withLock { $0 = book }
    }
  }

  /// The book, once it is made; nil when everything was exchanged since.
  func take(in epoch: Int) -> HabitBook? { epoch == self.epoch ? made.withLock { $0 } : nil }
}
