import CivilTime
import DaybookProtocol
import Values

/// What a logged meal says of the food it is of.
package struct LoggedFood: Sendable, Equatable {
  /// The name as it was written.
  package let name: String
  package let mealType: MealType
  package let nutrients: Nutrients

  package init(name: String, mealType: MealType, nutrients: Nutrients) {
    self.name = name
    self.mealType = mealType
    self.nutrients = nutrients
  }
}

/// Where a meal stands in the list of all: by day, then by when it was logged, then by id.
package struct MealPlace: Sendable, Hashable, Comparable {
  package let day: CivilDay
  package let createdAt: Instant
  package let id: EntityID

  package init(day: CivilDay, createdAt: Instant, id: EntityID) {
    self.day = day
    self.createdAt = createdAt
    self.id = id
  }

  /// Oldest first.
  package static func < (left: MealPlace, right: MealPlace) -> Bool {
    if left.day != right.day { return left.day < right.day }
    if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
    return left.id < right.id
  }
}
