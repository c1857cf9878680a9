import CivilTime
import DaybookProtocol
import DomainKit
import Nutrition
import NutritionTables
import Tables
import Values

/// Something that rows of a table become.
protocol TableEntity: StoredEntity, Sendable {
  var id: EntityID { get }
  var day: CivilDay { get }
  var createdAt: Instant { get }
  var updatedAt: Instant { get set }
  /// The members that say something else than a row, of those that the table speaks of.
  func differences(from row: RowContent, _ covered: CoveredMembers) -> [String]
  /// This as a row has it; what the table does not speak of stays. Nil when the row is of another kind.
  func applying(_ row: RowContent, _ covered: CoveredMembers) -> Self?
  /// A new one as a row has it; nil when the row is of another kind.
  static func made(of row: RowContent, id: EntityID, zone: TimeZoneName, at instant: Instant) -> Self?
}

extension Meal: TableEntity {
  func differences(from row: RowContent, _ covered: CoveredMembers) -> [String] {
    guard case .meal(let meal) = row else { return [] }
    return meal.differences(from: self, covered)
  }

  func applying(_ row: RowContent, _ covered: CoveredMembers) -> Meal? {
    guard case .meal(let meal) = row else { return nil }
    return meal.applied(to: self, covered)
  }

  static func made(of row: RowContent, id: EntityID, zone: TimeZoneName, at instant: Instant) -> Meal? {
    guard case .meal(let meal) = row else { return nil }
    return Meal(
      id: id, day: meal.day, zone: zone, name: meal.name, calories: meal.calories, mealType: meal.mealType,
      protein: meal.protein, carbs: meal.carbs, fat: meal.fat, note: meal.note, createdAt: instant, updatedAt: instant)
  }
}

extension WeightEntry: TableEntity {
  func differences(from row: RowContent, _ covered: CoveredMembers) -> [String] {
    guard case .weight(let weight) = row else { return [] }
    return weight.differences(from: self, covered)
  }

  func applying(_ row: RowContent, _ covered: CoveredMembers) -> WeightEntry? {
    guard case .weight(let weight) = row, let kilograms = try? WeightUnits.kilograms(weight.typed) else { return nil }
    var entry = self
    entry.day = weight.day
    entry.typed = weight.typed
    entry.weight = kilograms
    if covered.contains(.at) { entry.at = weight.at }
    if covered.contains(.note) { entry.note = weight.note }
    return entry
  }

  static func made(of row: RowContent, id: EntityID, zone: TimeZoneName, at instant: Instant) -> WeightEntry? {
    guard case .weight(let weight) = row, let kilograms = try? WeightUnits.kilograms(weight.typed) else { return nil }
    return WeightEntry(
      id: id, day: weight.day, zone: zone, at: weight.at, weight: kilograms,
      typed: weight.typed, note: weight.note, createdAt: instant, updatedAt: instant)
  }
}

extension DayEntry: TableEntity {
  func differences(from row: RowContent, _ covered: CoveredMembers) -> [String] {
    guard case .day(let entry) = row else { return [] }
    return entry.differences(from: self, covered)
  }

  func applying(_ row: RowContent, _ covered: CoveredMembers) -> DayEntry? {
    guard case .day(let row) = row else { return nil }
    var entry = self
    entry.fasted = row.fasted
    if covered.contains(.note) { entry.note = row.note }
    return entry
  }

  static func made(of row: RowContent, id: EntityID, zone: TimeZoneName, at instant: Instant) -> DayEntry? {
    guard case .day(let row) = row else { return nil }
    return DayEntry(
      id: id, day: row.day, zone: zone, fasted: row.fasted, note: row.note, createdAt: instant, updatedAt: instant)
  }
}
