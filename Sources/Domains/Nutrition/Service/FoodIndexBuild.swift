import DaybookProtocol
import DomainKit
import FileStore
import Nutrition
import Platform

/// The foods of the store as it is at one revision: made away from the session, once, for the first request that asks, since reading the meals of
/// ten years takes long.
final class FoodIndexBuild: Sendable {
  private enum State {
    case waiting
    case made(FoodIndex)
    /// The session has it.
    case taken
  }

  /// What it is made of.
  let snapshot: Snapshot
  private let read: @Sendable (borrowing Record) -> (MealPlace, LoggedFood)?
  private let state = Guarded(State.waiting)

  /// - Parameter read: What a meal says; nil for one that is of no food or cannot be read.
  init(_ snapshot: Snapshot, read: @escaping @Sendable (borrowing Record) -> (MealPlace, LoggedFood)?) {
    self.snapshot = snapshot
    self.read = read
  }

  /// Asks the index, which is made first if need be. Others that ask meanwhile wait.
  func answer<Value: Sendable>(_ body: (FoodIndex) -> Value) -> Value {
    state.withLock { state in
      if case .made(let index) = state { return body(index) }
      let index = make()
      // Once the session has one, this is for a straggler alone.
      if case .waiting = state { state = .made(index) }
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

  private func make() -> FoodIndex {
    var meals: [(MealPlace, LoggedFood)] = []
    meals.reserveCapacity(snapshot.count(in: Meal.collection))
    snapshot.forEachRecord(in: Meal.collection) { record in
      if let meal = read(record) { meals.append(meal) }
      return true
    }
    return FoodIndex(meals)
  }
}
