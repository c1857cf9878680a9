import DaybookProtocol
import DomainKit
import JSONRPC
import Nutrition
import Values

extension WeightEntry: UpdatableEntity {
  package static func made(
    from params: WeightsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> WeightEntry {
    let typed = TypedWeight(value: params.value, unit: params.unit ?? .kg, pounds: params.pounds)
    return WeightEntry(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, at: params.at,
      weight: try kilograms(typed), typed: typed, note: params.note, createdAt: context.now, updatedAt: context.now)
  }

  package func matches(_ params: WeightsAddParams) -> Bool {
    hasMembers(of: params)
      && typed == TypedWeight(value: params.value, unit: params.unit ?? typed.unit, pounds: params.pounds)
  }

  package mutating func apply(_ params: WeightsUpdateParams) throws(RPCError) {
    let before = typed
    patch(params)
    // Pounds belong to the stones they were typed with.
    let isTyped = params.value != nil || params.unit != nil
    typed = TypedWeight(
      value: params.value ?? before.value, unit: params.unit ?? before.unit,
      pounds: params.pounds.applied(to: isTyped ? nil : before.pounds))
    if typed != before { weight = try WeightEntry.kilograms(typed) }
  }

  private static func kilograms(_ typed: TypedWeight) throws(RPCError) -> Decimal {
    do throws(Refusal) { return try WeightUnits.kilograms(typed) } catch { throw RPCError(error) }
  }

  /// A weight whose kilograms are not what was typed.
  package var problem: Refusal? {
    if case .unknown = typed.unit { return nil }
    return (try? WeightUnits.kilograms(typed)) == weight
      ? nil : Refusal("/body/weight", "it is not what was typed")
  }
}
