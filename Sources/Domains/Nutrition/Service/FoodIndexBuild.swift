import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Nutrition
import Platform

/// The foods of the store as it is at one revision: made away from the session, once, for the first request that asks, since reading the meals of
/// ten years takes long where there are no digests of them.
final class FoodIndexBuild: Sendable {
  private enum State {
    case waiting
    case made(FoodIndex)
    /// The session has it.
    case taken
  }

  /// What it is made of.
  let snapshot: Snapshot
  private let migrations: RecordMigrations
  /// Held while it is made; never by the session.
  private let turn = Guarded(())
  private let state = Guarded(State.waiting)

  init(_ snapshot: Snapshot, _ migrations: RecordMigrations) {
    self.snapshot = snapshot
    self.migrations = migrations
  }

  /// Asks the index, which is made first if need be. Others that ask meanwhile wait.
  func answer<Value: Sendable>(_ body: (FoodIndex) -> Value) -> Value {
    turn.withLock { _ in
      if case .made(let index) = state.withLock({ $0 }) { return body(index) }
      let index = FoodIndexBuild.make(snapshot, migrations)
      // Once the session has one, this is for a straggler alone.
      state.withLock { state in if case .waiting = state { state = .made(index) } }
      return body(index)
    }
  }

  /// The index, for the session to keep; once, and nil while it is not made.
  func take() -> FoodIndex? {
    state.withLock { state in
      guard case .made(let index) = state else { return nil }
      state = .taken
      return index
    }
  }

  private static func make(_ snapshot: Snapshot, _ migrations: RecordMigrations) -> FoodIndex {
    guard let span = snapshot.span(of: Meal.collection) else { return FoodIndex() }
    var meals: [(MealPlace, LoggedFood)] = []
    var months: [FoodMonth] = []
    snapshot.digests(NutritionService.foodDigest(migrations)).visit(
      Meal.collection, span,
      digest: { month, bytes in
        guard let month = bytes.withUnsafeBytes({ FoodMonth(month.lowerBound, $0) }) else { return false }
        months.append(month)
        return true
      }, rest: { days in meals += snapshot.foodMeals(days, migrations) })
    return FoodIndex(meals, months, pause: Threads.yieldIfDue)
  }
}
