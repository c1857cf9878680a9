import DomainKit
import Nutrition
import TextFolding

extension NutritionService {
  func foodsSetFavourite(
    _ params: FoodsSetFavouriteParams, _ context: inout Context
  ) throws(RPCError) -> FoodsSetFavouriteResult {
    let id = DerivedID.favourite(FoldedName.folded(params.name))
    let record = try context.snapshot().record(id, in: Favourite.collection)
    let old = try record.map { record throws(RPCError) in try context.decode(Favourite.self, record) }
    guard params.favourite ?? true else {
      guard let old else { return FoodsSetFavouriteResult(changed: false, revision: try context.storeRevision()) }
      let (_, revision) = try context.delete(Favourite.self, old.id, basedOn: nil)
      return FoodsSetFavouriteResult(changed: true, revision: revision)
    }
    guard let record, let old else {
      let favourite = try made(params, id, context.now)
      let (stored, isNew, revision) = try context.create(favourite, isNewID: false, pointer: "/name") {
        $0 == favourite
      }
      return FoodsSetFavouriteResult(favourite: stored, changed: isNew, revision: revision)
    }
    var new = old
    new.name = params.name
    new.calories = params.calories ?? old.calories
    new.protein = params.protein.applied(to: old.protein)
    new.carbs = params.carbs.applied(to: old.carbs)
    new.fat = params.fat.applied(to: old.fat)
    new.nutrients = params.nutrients.applied(to: old.nutrients)
    new.barcode = params.barcode.applied(to: old.barcode)
    new.mealType = params.mealType.applied(to: old.mealType)
    let (favourite, revision) = try context.update(record, from: old, to: new, basedOn: nil)
    return FoodsSetFavouriteResult(favourite: favourite, changed: new != old, revision: revision)
  }

  private func made(_ params: FoodsSetFavouriteParams, _ id: EntityID, _ now: Instant) throws(RPCError) -> Favourite {
    guard let calories = params.calories else {
      throw RPCError(
        .invalidParams, "a new favourite needs calories", pointer: "/calories", allowed: "an integer from 0 to 20000",
        hint: "“foods/search” has the logged amounts")
    }
    return Favourite(
      id: id, name: params.name, calories: calories, protein: params.protein.value, carbs: params.carbs.value,
      fat: params.fat.value, nutrients: params.nutrients.value, barcode: params.barcode.value,
      mealType: params.mealType.value, createdAt: now, updatedAt: now)
  }

  func foodsFavourites(_ params: FoodsFavouritesParams, _ context: inout Context) throws(RPCError)
    -> FoodsFavouritesResult
  {
    let page = try context.page(of: Favourite.self, PageRequest(limit: params.limit, cursor: params.cursor))
    return FoodsFavouritesResult(
      favourites: page.texts.map { JSONFragment(unchecked: $0) }, nextCursor: page.nextCursor, revision: page.revision)
  }
}

extension Favourite: CheckedEntity {
  /// Refuses an id that is not derived from the name: a food could have two favourites.
  package var problem: Refusal? {
    let own = DerivedID.favourite(FoldedName.folded(name))
    return id == own ? nil : Refusal("/id", "a food is a favourite once, this one as \(own)")
  }
}

extension HiddenFood: PlainEntity {
  package static func made(
    from params: HiddenFoodsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> HiddenFood {
    HiddenFood(
      id: DerivedID.hiddenFood(FoldedName.folded(params.name)), name: params.name, createdAt: context.now,
      updatedAt: context.now)
  }

  /// The spelling does not matter.
  package func matches(_ params: HiddenFoodsAddParams) -> Bool {
    FoldedName.folded(params.name) == FoldedName.folded(name)
  }

  /// Refuses an id that is not derived from the name: a food could be hidden twice.
  package var problem: Refusal? {
    let own = DerivedID.hiddenFood(FoldedName.folded(name))
    return id == own ? nil : Refusal("/id", "a food is hidden once, this one as \(own)")
  }
}

extension Snapshot {
  /// The folded names of hidden foods.
  func hiddenFoods(_ migrations: RecordMigrations) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    forEachRecord(in: HiddenFood.collection) { record in
      if let food = try? migrations.decode(HiddenFood.self, record) { names.insert(FoldedName.folded(food.name)) }
      return true
    }
    return names
  }
}

extension DerivedID {
  /// The id of a favourite, by its folded name.
  package static func favourite(_ name: [UInt8]) -> EntityID { id("favourite\n", name) }

  /// The id of a hidden food, by its folded name.
  static func hiddenFood(_ name: [UInt8]) -> EntityID { id("hiddenFood\n", name) }

  /// The first half of the ids of all copies made with a `copyId`.
  static func copiesHigh(_ copy: EntityID) -> UInt64 { id("copies\n", Array("\(copy)".utf8)).high }

  /// The second half of the id of a meal's copy.
  static func copyLow(_ copy: EntityID, of meal: EntityID) -> UInt64 {
    // The first half of the hash, not the second: stored ids depend on it.
    id((high: 0, low: hash("copy\n", Array("\(copy)\(meal)".utf8)).high)).low
  }
}
