import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension NutritionService {
  func foodsRename(_ params: FoodsRenameParams, _ context: inout Context) throws(RPCError) -> FoodsRenameResult {
    let (old, new) = (FoodName.folded(params.name), FoodName.folded(params.to))
    let (snapshot, migrations) = (try context.snapshot(), context.folder.migrations)
    var operations: [Operation] = []
    var isKnown = false
    // Only what is of the food is read as a whole.
    var ids: [EntityID] = []
    snapshot.forEachRecord(in: Meal.collection) { record in
      if let (_, food) = MealFood.read(record, migrations), FoodName.folded(food.name) == old { ids.append(record.id) }
      return true
    }
    for id in ids {
      guard let record = snapshot.record(id, in: Meal.collection) else { continue }
      isKnown = true
      var meal = try context.decode(Meal.self, record)
      guard meal.name != params.to else { continue }
      meal.name = params.to
      meal.updatedAt = max(context.now, meal.updatedAt.advanced(by: 1))
      operations.append(try context.put(meal, keeping: record))
    }
    let meals = operations.count
    if let record = snapshot.record(DerivedID.favourite(old), in: Favourite.collection) {
      isKnown = true
      operations += try renaming(record, to: params.to, isOther: old != new, context)
    }
    guard isKnown else {
      throw RPCError(
        .notFound, "there is no food of this name", pointer: "/name", hint: "“foods/search” has the names")
    }
    let revision = operations.isEmpty ? try context.storeRevision() : try context.commit(operations)
    return FoodsRenameResult(meals: meals, changed: !operations.isEmpty, revision: revision)
  }

  /// What becomes of a favourite when its food is called something else: that which the other name has stays.
  private func renaming(
    _ record: Record, to name: String, isOther: Bool, _ context: Context
  ) throws(RPCError) -> [Operation] {
    var favourite = try context.decode(Favourite.self, record)
    guard favourite.name != name else { return [] }
    favourite.name = name
    favourite.updatedAt = max(context.now, favourite.updatedAt.advanced(by: 1))
    guard isOther else { return [try context.put(favourite, keeping: record)] }
    let gone = Operation.delete(Favourite.collection, id: favourite.id)
    favourite.id = DerivedID.favourite(FoodName.folded(name))
    guard try context.snapshot().record(favourite.id, in: Favourite.collection) == nil else { return [gone] }
    return [gone, try context.put(favourite, keeping: nil)]
  }

  func foodsFind(
    _ params: FoodsFindParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<FoodsFindResult> {
    let (snapshot, migrations, barcode) = (try context.snapshot(), context.folder.migrations, params.barcode)
    return .work { work throws(RPCError) in
      let result = await work.offSession {
        // Newest first.
        var meal: Meal?
        snapshot.forEachRecord(in: Meal.collection) { record in
          guard let found = try? migrations.decode(Meal.self, record), found.barcode == barcode else { return true }
          meal = found
          return false
        }
        var favourites: [Favourite] = []
        snapshot.forEachRecord(in: Favourite.collection) { record in
          if let found = try? migrations.decode(Favourite.self, record), found.barcode == barcode {
            favourites.append(found)
          }
          return true
        }
        return FoodsFindResult(
          favourite: favourites.min { $0.name < $1.name }, meal: meal, revision: snapshot.revision)
      }
      try work.checkCancellation()
      guard let result else { throw RPCError(.storeUnavailable, "the system gives no thread to work on") }
      return result
    }
  }
}
