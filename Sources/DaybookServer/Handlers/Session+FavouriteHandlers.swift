import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension Session {
  func foodsSetFavourite(
    _ params: FoodsSetFavouriteParams, _ call: inout Call
  ) throws(RPCError) -> FoodsSetFavouriteResult {
    let id = DerivedID.favourite(FoodName.folded(params.name))
    let record = try snapshot().record(id, in: Favourite.collection)
    let old = try record.map { record throws(RPCError) in try decode(Favourite.self, record) }
    guard params.isFavourite ?? true else {
      guard let old else { return FoodsSetFavouriteResult(changed: false, revision: try revision()) }
      let (_, revision) = try delete(Favourite.self, old.id, basedOn: nil, &call)
      return FoodsSetFavouriteResult(changed: true, revision: revision)
    }
    guard let record, let old else {
      let favourite = try made(params, id)
      let (stored, isNew, revision) = try create(favourite, isNewID: false, pointer: "/name", &call) { $0 == favourite }
      return FoodsSetFavouriteResult(favourite: stored, changed: isNew, revision: revision)
    }
    var new = old
    new.name = params.name
    new.calories = params.calories ?? old.calories
    new.protein = params.protein.applied(to: old.protein)
    new.carbs = params.carbs.applied(to: old.carbs)
    new.fat = params.fat.applied(to: old.fat)
    new.mealType = params.mealType.applied(to: old.mealType)
    let (favourite, revision) = try update(record, from: old, to: new, basedOn: nil, &call)
    return FoodsSetFavouriteResult(favourite: favourite, changed: new != old, revision: revision)
  }

  private func made(_ params: FoodsSetFavouriteParams, _ id: EntityID) throws(RPCError) -> Favourite {
    guard let calories = params.calories else {
      throw RPCError(
        .invalidParams, "a new favourite needs its energy", pointer: "/calories", allowed: "an integer from 0 to 20000",
        hint: "“foods/search” has what was logged of it")
    }
    let now = now()
    return Favourite(
      id: id, name: params.name, calories: calories, protein: params.protein.value, carbs: params.carbs.value,
      fat: params.fat.value, mealType: params.mealType.value, createdAt: now, updatedAt: now)
  }

  func foodsFavourites(_ params: FoodsFavouritesParams) throws(RPCError) -> FoodsFavouritesResult {
    let page = try page(of: Favourite.self, PageRequest(limit: params.limit, cursor: params.cursor))
    return FoodsFavouritesResult(favourites: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }
}
