import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Nutrition
import Values

extension HiddenFood: PlainEntity {
  package static func made(
    from params: HiddenFoodsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> HiddenFood {
    HiddenFood(
      id: DerivedID.hiddenFood(FoodName.folded(params.name)), name: params.name, createdAt: context.now,
      updatedAt: context.now)
  }

  /// However it was spelled when it was hidden.
  package func matches(_ params: HiddenFoodsAddParams) -> Bool { FoodName.folded(params.name) == FoodName.folded(name) }

  /// One whose id does not follow from its name: there would be two of one food.
  package var problem: Refusal? {
    let own = DerivedID.hiddenFood(FoodName.folded(name))
    return id == own ? nil : Refusal("/id", "a food is hidden once, this one as \(own)")
  }
}

extension Snapshot {
  /// The folded names of the foods that are hidden.
  func hiddenFoods(_ migrations: RecordMigrations) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    forEachRecord(in: HiddenFood.collection) { record in
      if let food = try? migrations.decode(HiddenFood.self, record) { names.insert(FoodName.folded(food.name)) }
      return true
    }
    return names
  }
}
