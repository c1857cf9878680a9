import DomainKit
import Training

extension TrainingService {
  func equipmentAdd(_ params: EquipmentAddParams, _ context: inout Context) throws(RPCError) -> EquipmentAddResult {
    var params = params
    params.plates = params.plates.map(Plate.sorted)
    let equipment = Equipment(
      params, id: params.id ?? context.newID(), today: context.today, zone: context.zoneName, now: context.now)
    let present = try self.equipment(context).first { $0.id == equipment.id }
    if let present, present.hasMembers(of: params) {
      return EquipmentAddResult(equipment: present, created: false, revision: try context.storeRevision())
    }
    if let present {
      throw RPCError(
        .conflict, "there is a piece of equipment with this id and other content", pointer: "/id",
        hint: "leave the id out, or use “equipment/update”",
        conflict: ConflictVersions(current: jsonValue(present), yours: jsonValue(equipment)))
    }
    try check(equipment, since: nil, context)
    let revision = try context.commit([try context.put(new: equipment)])
    return EquipmentAddResult(equipment: equipment, created: true, revision: revision)
  }

  func equipmentUpdate(
    _ params: EquipmentUpdateParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentUpdateResult {
    let old = try piece(params.id, context, pointer: "/id")
    var new = old
    new.patch(params)
    new.plates = new.plates.map(Plate.sorted)
    try check(new, since: old, context)
    if let record = try context.snapshot().record(params.id, in: Equipment.collection) {
      let (equipment, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
      return EquipmentUpdateResult(equipment: equipment, revision: revision)
    }
    guard new != old else { return EquipmentUpdateResult(equipment: old, revision: try context.storeRevision()) }
    let revision = try context.commit([try context.put(new: new)])
    return EquipmentUpdateResult(equipment: new, revision: revision)
  }

  func equipmentDelete(
    _ params: EquipmentDeleteParams, _ context: inout Context
  ) throws(RPCError) -> EquipmentDeleteResult {
    let (equipment, revision) = try context.delete(Equipment.self, params.id, basedOn: params.revision)
    return EquipmentDeleteResult(equipment: equipment, revision: revision)
  }

  func equipmentList(_ params: NoParams, _ context: inout Context) throws(RPCError) -> EquipmentListResult {
    EquipmentListResult(pieces: try equipment(context), revision: try context.storeRevision())
  }

  private func check(_ equipment: Equipment, since old: Equipment?, _ context: Context) throws(RPCError) {
    if let refusal = equipment.refusal { throw RPCError(refusal) }
    let name = equipment.name.lowercased()
    guard name != old?.name.lowercased(),
      try self.equipment(context).contains(where: { $0.id != equipment.id && $0.name.lowercased() == name })
    else { return }
    throw RPCError(
      .exerciseNameTaken, "there is already a piece of equipment “\(equipment.name)”", pointer: "/name",
      hint: "give it another name")
  }

  // MARK: settings

  func trainingSettingsGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> TrainingSettingsGetResult {
    TrainingSettingsGetResult(
      trainingSettings: try trainingSettings(context), revision: try context.storeRevision())
  }

  func trainingSettingsUpdate(
    _ params: TrainingSettingsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> TrainingSettingsUpdateResult {
    let old = try trainingSettings(context)
    var new = old
    if let unit = params.weightUnit, unit != old.weightUnit {
      (new.bar, new.plates) = (TrainingSettings.defaultBar(unit), TrainingSettings.defaultPlates(unit))
    }
    new.patch(params)
    new.plates = Plate.sorted(new.plates)
    if let refusal = new.refusal { throw RPCError(refusal) }
    let revision = try context.commit(new == old ? [] : [try context.put(new)])
    return TrainingSettingsUpdateResult(trainingSettings: new, revision: revision)
  }

  // MARK: calculators

  func calculatorOneRepMax(
    _ params: CalculatorOneRepMaxParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorOneRepMaxResult {
    let formula = if let given = params.formula { given } else { try trainingSettings(context).oneRepMax }
    try RPCError.check(
      OneRepMaxFormula.known.contains(formula), "this version does not know the formula", pointer: "/formula",
      allowed: OneRepMaxFormula.known.map(\.rawValue).joined(separator: ", "))
    let best = formula.oneRepMax(params.weight.double, reps: params.reps)
    var table: [RepMax] = []
    if let best {
      for reps in 1...12 {
        guard let factor = formula.factor(reps: reps), let percent = Decimal(rounding: 100 / factor, toScale: 2),
          let weight = Decimal(rounding: best / factor, toScale: 2)
        else { continue }
        table.append(RepMax(reps: reps, percent: percent, weight: weight))
      }
    }
    return CalculatorOneRepMaxResult(
      oneRepMax: best.flatMap { Decimal(rounding: $0, toScale: 2) }, table: table,
      revision: try context.storeRevision())
  }

  func calculatorPlates(
    _ params: CalculatorPlatesParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorPlatesResult {
    let bar = try bar(params.equipmentId, context)
    guard let load = PlateLoad(params.weight, bar: bar.weight, plates: bar.plates),
      let missing = params.weight.subtracting(load.reached)
    else {
      throw RPCError(
        .invalidParams, "the bar alone weighs more", pointer: "/weight", allowed: "\(bar.weight.normalized) or more")
    }
    return CalculatorPlatesResult(
      unit: bar.unit, bar: bar.weight, perSide: load.perSide, reached: load.reached, missing: missing.normalized,
      revision: try context.storeRevision())
  }

  func calculatorWarmups(
    _ params: CalculatorWarmupsParams, _ context: inout Context
  ) throws(RPCError) -> CalculatorWarmupsResult {
    let bar = try bar(params.equipmentId, context)
    try RPCError.check(
      Loads.kilograms(params.weight, bar.unit).map { $0 <= Loads.most } ?? false,
      "no set is that heavy: \(params.weight) \(bar.unit.rawValue)", pointer: "/weight",
      allowed: "at most 2000 kg, which is 4409.24 lb")
    let sets = WarmupRules.sets(params.weight, bar: bar.weight, plates: bar.plates).map { set in
      SetValues(
        weight: set.weight, weightUnit: bar.unit == .kg ? nil : bar.unit, kg: Loads.kilograms(set.weight, bar.unit),
        reps: set.reps)
    }
    return CalculatorWarmupsResult(sets: sets, revision: try context.storeRevision())
  }

  /// The bar and its plates: those of a piece of equipment, else of the settings, which also fill in what a piece with
  /// their unit omits.
  private func bar(
    _ id: EntityID?, _ context: Context
  ) throws(RPCError) -> (unit: WeightUnit, weight: Decimal, plates: [Plate]) {
    let settings = try trainingSettings(context)
    guard let id else { return (settings.weightUnit, settings.bar, settings.plates) }
    let piece = try piece(id, context, pointer: "/equipmentId")
    let unit = piece.unit ?? .kg
    let isSame = unit == settings.weightUnit
    return (
      unit, piece.weight ?? (isSame ? settings.bar : TrainingSettings.defaultBar(unit)),
      piece.plates ?? (isSame ? settings.plates : TrainingSettings.defaultPlates(unit))
    )
  }
}
