import DomainKit
import SettingsDocument
import SyncEngine

extension ServiceOptions {
  /// How to open the data folder independently of a session.
  package var folderConfiguration: FileStore.Configuration {
    var configuration = FileStore.Configuration(
      folder: dataFolder, newID: newID, now: now, onDurable: { _ in }, onCommitFailure: { _ in })
    if !avoidsDigests { configuration.digests = { [migrations] in Services.types.flatMap { $0.digests(migrations) } } }
    configuration.adopting = [(Settings.collection, { @Sendable in LockKeeping.body(of: $0, keeping: $1) })]
    configuration.participants = ServiceOptions.participants(
      OnboardingParticipant(folder: dataFolder, migrations: migrations))
    return configuration
  }

  /// What takes part in every commit: sync last, as it keeps account of what the others add.
  static func participants(_ onboarding: OnboardingParticipant) -> [any CommitParticipant] {
    [onboarding, SyncParticipant { SyncCollections.all($0) }]
  }

  /// The same, read-only.
  package var readerConfiguration: FileStore.Configuration {
    var configuration = folderConfiguration
    configuration.isReader = true
    return configuration
  }
}

/// Settings from an import or a backup never switch the lock on: only the user does.
private enum LockKeeping {
  static func body(of foreign: borrowing Record, keeping present: Record?) -> [UInt8]? {
    guard !isLockEnabled(present), case .object(var members)? = json(foreign), members[name] == .bool(true) else {
      return nil
    }
    members[name] = .bool(false)
    return JSONValue.object(members).json
  }

  private static func isLockEnabled(_ record: Record?) -> Bool {
    guard let record, case .object(let members)? = json(record) else { return false }
    return members[name] == .bool(true)
  }

  private static func json(_ record: borrowing Record) -> JSONValue? {
    record.body.withUnsafeBytes { try? JSONValue(json: $0) }
  }

  private static let name = "lockEnabled"
}
