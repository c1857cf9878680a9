import DaybookProtocol
import DomainKit
import FileStore
import JSON
import Premium
import SettingsDocument

/// The lock of a data folder for code that works on it without a session, as commands of the command line do. It cannot be unlocked there.
package enum FolderLock {
  /// Whether what is stored is out of reach: as for a connection on which nobody was authenticated.
  ///
  /// Previews `premium.json` and the settings, and writes nothing. Settings that cannot be read count as in a session: with premium
  /// the lock counts as wanted. A store that cannot be opened is not judged: the next to open it is told why.
  package static func isShut(_ options: ServiceOptions) -> Bool {
    let standing = standing(options)
    // Without a look at the store: nothing it says could shut the lock.
    guard standing != .notEntitled else { return false }
    return LockRules.isLocked(
      isEnabled: isEnabled(options, standing), standing: standing, isAuthenticated: false)
  }

  private static func standing(_ options: ServiceOptions) -> LockRules.Standing {
    var cached = CachedPremium.damaged
    switch SmallFile(.premium, in: options.dataFolder).read() {
    case .missing: cached = .missing
    case .damaged: break
    case .value(let object):
      if let record = try? PremiumRecord(object) { cached = .record(record) }
    }
    return PremiumState(cached: cached, clockMark: nil, toastFlag: false, now: options.now()).access.lockStanding
  }

  private static func isEnabled(_ options: ServiceOptions, _ standing: LockRules.Standing) -> Bool {
    guard let store = try? FileStore.open(options.readerConfiguration) else { return false }
    defer { store.close() }
    do throws(StoreError) {
      guard let record = try store.preview(Settings.singleID, in: Settings.collection) else {
        return SettingsRules.defaults.lockEnabled
      }
      let body = options.migrations.body(of: record, in: Settings.collection)
      let settings = body.withUnsafeBytes { try? RecordMigrations.read(Settings.self, $0) }
      return settings?.lockEnabled ?? (standing == .entitled)
    } catch {
      return standing == .entitled
    }
  }
}
