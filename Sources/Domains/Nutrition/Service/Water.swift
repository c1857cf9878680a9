import DaybookProtocol
import DomainKit
import JSONRPC
import Nutrition
import Values

extension WaterEntry: UpdatableEntity {
  package static func made(
    from params: WaterAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> WaterEntry {
    let typed = TypedVolume(value: params.value, unit: params.unit ?? .ml)
    return WaterEntry(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, at: params.at,
      volume: try millilitres(typed), typed: typed, note: params.note, createdAt: context.now, updatedAt: context.now)
  }

  package func matches(_ params: WaterAddParams) -> Bool {
    hasMembers(of: params) && typed == TypedVolume(value: params.value, unit: params.unit ?? typed.unit)
  }

  package mutating func apply(_ params: WaterUpdateParams) throws(RPCError) {
    let before = typed
    patch(params)
    typed = TypedVolume(value: params.value ?? before.value, unit: params.unit ?? before.unit)
    if typed != before { volume = try WaterEntry.millilitres(typed) }
  }

  private static func millilitres(_ typed: TypedVolume) throws(RPCError) -> Decimal {
    do throws(Refusal) { return try VolumeUnits.millilitres(typed) } catch { throw RPCError(error) }
  }

  /// A volume that is not what was typed.
  package var problem: Refusal? {
    guard VolumeUnit.known.contains(typed.unit) else { return nil }
    return (try? VolumeUnits.millilitres(typed)) == volume
      ? nil : Refusal("/body/volume", "it is not what was typed")
  }
}
