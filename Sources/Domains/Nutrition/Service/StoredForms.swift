import DomainKit

extension NutritionService {
  package static let migrations = [
    RecordMigrations.Steps(
      Meal.collection, RecordMigration("quick-as-an-adjective", renaming: "isQuick", to: "quick"))
  ]
}
