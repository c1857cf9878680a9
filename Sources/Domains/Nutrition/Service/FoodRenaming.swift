import DomainKit
import Nutrition
import TextFolding

extension NutritionService {
  func foodsRename(_ params: FoodsRenameParams, _ context: inout Context) throws(RPCError) -> Planned<FoodsRenameResult>
  {
    let snapshot = try context.snapshot()
    let renaming = FoodRenaming(params, snapshot, at: context.now, context.folder.migrations)
    guard !snapshot.hasMore(than: FoodRenaming.fewMeals, in: Meal.collection) else {
      return .later(
        PlannedChange { present, monitor throws(RPCError) in
          let changes = try renaming.changes(in: present, monitor)
          return PlannedChange.Outcome(changes.operations) { changes.result(revision: $0).encode(to: &$1) }
        })
    }
    let changes = try renaming.changes(in: snapshot, WorkMonitor())
    return .now(changes.result(revision: try context.commit(changes.operations)))
  }

  func foodsFind(
    _ params: FoodsFindParams, _ context: inout Context
  ) throws(RPCError) -> Deferred<FoodsFindResult> {
    let (snapshot, migrations, barcode) = (try context.snapshot(), context.folder.migrations, params.barcode)
    return Deferred { work throws(RPCError) in
      try await work.result {
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
    }
  }
}

/// The changes that rename a food, computed off the session when there are many meals.
private struct FoodRenaming: Sendable {
  struct Changes: Sendable {
    var operations: [Operation] = []
    /// The number of renamed meals.
    var meals = 0

    func result(revision: Int) -> FoodsRenameResult {
      FoodsRenameResult(meals: meals, changed: !operations.isEmpty, revision: revision)
    }
  }

  /// Up to this many meals are renamed on the session: that takes less than a millisecond.
  static let fewMeals = 200

  private let name: String
  private let old: [UInt8]
  private let now: Instant
  private let migrations: RecordMigrations
  /// The store when the request arrived: meals logged later keep their names.
  private let arrival: Snapshot

  init(_ params: FoodsRenameParams, _ arrival: Snapshot, at now: Instant, _ migrations: RecordMigrations) {
    name = params.to
    old = FoldedName.folded(params.name)
    self.arrival = arrival
    self.now = now
    self.migrations = migrations
  }

  /// The changes to the present store. When cancelled, returns early with a part of them.
  ///
  /// - Throws: `notFound` when there was no such food at arrival.
  func changes(in present: Snapshot, _ monitor: WorkMonitor) throws(RPCError) -> Changes {
    // Only the food's own meals are decoded as a whole.
    var ids: [EntityID] = []
    arrival.forEachRecord(in: Meal.collection) { record in
      if isOfFood(record) { ids.append(record.id) }
      return !monitor.isCancelled()
    }
    let favourite = DerivedID.favourite(old)
    guard !ids.isEmpty || arrival.record(favourite, in: Favourite.collection) != nil || monitor.isCancelled() else {
      throw RPCError(
        .notFound, "there is no food of this name", pointer: "/name", hint: "“foods/search” has the names")
    }
    var changes = Changes()
    for id in ids where !monitor.isCancelled() {
      // It may have changed since.
      guard let record = present.record(id, in: Meal.collection), isOfFood(record) else { continue }
      let old = try migrations.decode(Meal.self, record)
      guard old.name != name else { continue }
      var meal = old
      meal.name = name
      changes.operations.append(try migrations.put(&meal, keeping: record, readAs: old, at: now))
    }
    changes.meals = changes.operations.count
    if arrival.record(favourite, in: Favourite.collection) != nil,
      let record = present.record(favourite, in: Favourite.collection)
    {
      changes.operations += try renaming(record, in: present)
    }
    return changes
  }

  private func isOfFood(_ record: borrowing Record) -> Bool {
    StoredMeal.food(record, migrations).map { FoldedName.folded($0.1.name) == old } ?? false
  }

  /// Renames a favourite, or deletes it when the new name has a favourite already.
  private func renaming(_ record: Record, in present: Snapshot) throws(RPCError) -> [Operation] {
    var favourite = try migrations.decode(Favourite.self, record)
    guard favourite.name != name else { return [] }
    favourite.name = name
    let new = FoldedName.folded(name)
    guard old != new else { return [try migrations.put(&favourite, keeping: record, at: now)] }
    let gone = Operation.delete(Favourite.collection, id: favourite.id)
    favourite.id = DerivedID.favourite(new)
    guard present.record(favourite.id, in: Favourite.collection) == nil else { return [gone] }
    return [gone, try migrations.put(&favourite, keeping: nil, at: now)]
  }
}
