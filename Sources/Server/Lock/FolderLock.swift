import DomainKit
import Premium
import SettingsDocument

/// The lock of a data folder for code without a session, such as commands of the command line. They cannot unlock it.
package enum FolderLock {
  /// Whether the data is locked, as for a connection without authentication.
  ///
  /// Previews `premium.json` and the settings, and writes nothing. Settings that cannot be read count as in a session:
  /// with premium, the lock counts as enabled. A store that cannot be opened counts as unlocked: the next attempt to
  /// open it reports the error.
  package static func isShut(_ options: ServiceOptions) -> Bool {
    let standing = standing(options)
    // Without entitlement nothing in the store can enable the lock.
    guard standing != .notEntitled else { return false }
    return LockRules.isLocked(
      isEnabled: isEnabled(options, standing), standing: standing, isAuthenticated: false)
  }

  private static func standing(_ options: ServiceOptions) -> LockRules.Standing {
    let cached = CachedPremium(SmallFile(.premium, in: options.dataFolder)) { _ in }
    return PremiumState(cached: cached, clockMark: nil, toastFlag: false, now: options.now()).access.lockStanding
  }

  private static func isEnabled(_ options: ServiceOptions, _ standing: LockRules.Standing) -> Bool {
    guard let store = try? FileStore.open(options.readerConfiguration) else { return false }
    defer { store.close() }
    do throws(StoreError) {
      guard let record = try store.preview(Settings.singleID, in: Settings.collection) else {
        return SettingsRules.defaults.lockEnabled
      }
      let settings = try? options.migrations.decode(Settings.self, record)
      return settings?.lockEnabled ?? (standing == .entitled)
    } catch {
      return standing == .entitled
    }
  }
}
