import DaybookProtocol
import FileStore
import JSON
import SettingsDocument

/// An entity that is stored as the body of a collection's records.
protocol StoredEntity: JSONDecodable, JSONEncodable {
  static var collection: CollectionName { get }
  /// The names of its members; others are a later version's and are kept.
  static var memberNames: [String] { get }
}

extension Meal: StoredEntity {
  static var collection: CollectionName { SessionConstants.meals }
}

extension WeightEntry: StoredEntity {
  static var collection: CollectionName { SessionConstants.weights }
}

extension Exercise: StoredEntity {
  static var collection: CollectionName { SessionConstants.exercises }
}

extension WaterEntry: StoredEntity {
  static var collection: CollectionName { SessionConstants.water }
}

extension Measurement: StoredEntity {
  static var collection: CollectionName { SessionConstants.measurements }
}

extension DayEntry: StoredEntity {
  static var collection: CollectionName { SessionConstants.days }
}

extension Settings: StoredEntity {
  static var collection: CollectionName { SessionConstants.settings }
}

extension ExchangeRates: StoredEntity {
  static var collection: CollectionName { SessionConstants.rates }
}

extension OnboardingRecord: StoredEntity {
  static var collection: CollectionName { SessionConstants.onboarding }
}

extension RecordMigrations {
  /// The steps that Daybook's stored forms have taken. Each has a golden file; none is ever changed or removed.
  package static let daybook = RecordMigrations([
    SessionConstants.settings: [
      RecordMigration("settings-of-all-domains") { SettingsMigration.toAllDomains($0) }
    ]
  ])
}
