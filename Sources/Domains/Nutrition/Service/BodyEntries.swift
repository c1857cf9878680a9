import DomainKit
import Nutrition
import SettingsDocument

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
    // Pounds belong to the stones that they were typed with.
    let isTyped = params.value != nil || params.unit != nil
    typed = TypedWeight(
      value: params.value ?? before.value, unit: params.unit ?? before.unit,
      pounds: params.pounds.applied(to: isTyped ? nil : before.pounds))
    if typed != before { weight = try WeightEntry.kilograms(typed) }
  }

  private static func kilograms(_ typed: TypedWeight) throws(RPCError) -> Decimal {
    do throws(Refusal) { return try WeightUnits.kilograms(typed) } catch { throw RPCError(error) }
  }

  /// Refuses kilograms that do not follow from the typed weight.
  package var problem: Refusal? {
    if case .unknown = typed.unit { return nil }
    return (try? WeightUnits.kilograms(typed)) == weight
      ? nil : Refusal("/body/weight", "it does not follow from the typed weight")
  }
}

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

  /// Refuses a volume that does not follow from the typed one.
  package var problem: Refusal? {
    guard VolumeUnit.known.contains(typed.unit) else { return nil }
    return (try? VolumeUnits.millilitres(typed)) == volume
      ? nil : Refusal("/body/volume", "it does not follow from the typed volume")
  }
}

extension Exercise: UpdatableEntity {
  package static func made(
    from params: ExercisesAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Exercise {
    Exercise(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, at: params.at, name: params.name,
      calories: params.calories, minutes: params.minutes, source: params.source ?? ExerciseSource(kind: .manual),
      note: params.note, createdAt: context.now, updatedAt: context.now)
  }

  /// Refuses a contradictory source, and an id that would count a training session twice.
  package var problem: Refusal? {
    if let problem = ExerciseRules.problem(source) { return problem.inside("/body/source") }
    guard let session = ExerciseRules.identity(source), session != id else { return nil }
    return Refusal(
      "/body/source/id", "the exercise of a training session has the session's id, \(session)")
  }
}

extension NutritionService {
  func exercisesAdd(_ params: ExercisesAddParams, _ context: inout Context) throws(RPCError) -> ExercisesAddResult {
    let source = params.source ?? ExerciseSource(kind: .manual)
    if let problem = ExerciseRules.problem(source) { throw RPCError(problem.inside("/source")) }
    let session = ExerciseRules.identity(source)
    let exercise = try Exercise.made(from: params, session ?? params.id ?? context.newID(), &context)
    if let session { try check(params.id, isOf: session, exercise, context) }
    let added = try context.create(
      exercise, isNewID: params.id == nil && session == nil, pointer: session == nil ? "/id" : "/source"
    ) { $0.matches(params) }
    return ExercisesAddResult(exercise: added.entity, created: added.isNew, revision: added.revision)
  }

  /// Refuses an id other than the training session's, which would count the session twice.
  private func check(
    _ id: EntityID?, isOf session: EntityID, _ yours: Exercise, _ context: Context
  ) throws(RPCError) {
    guard let id, id != session else { return }
    guard let record = try context.snapshot().record(session, in: Exercise.collection) else {
      throw RPCError(
        .invalidParams, "the exercise of a training session has the session's id", pointer: "/id",
        allowed: "\(session), or nothing", hint: "leave “id” out")
    }
    var yours = yours
    yours.id = id
    throw RPCError(
      .conflict, "this training session is already logged", pointer: "/source",
      hint: "leave “id” out, or use “exercises/update”",
      conflict: ConflictVersions(
        current: jsonValue(try context.decode(Exercise.self, record)), yours: jsonValue(yours)))
  }
}

extension Measurement: DerivedEntity, UpdatableEntity {}

extension NutritionService {
  func measurementsList(
    _ params: MeasurementsListParams, _ context: inout Context
  ) throws(RPCError) -> MeasurementsListResult {
    let request = PageRequest(
      day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor)
    let key = params.kind.map { MeasurementRules.key($0) }
    let page = try context.page(of: Measurement.self, request) { view throws(RPCError) in
      guard let key else { return true }
      return MeasurementRules.key(try context.decode(Measurement.self, view.record).kind) == key
    }
    return MeasurementsListResult(
      measurements: page.texts.map { JSONFragment(unchecked: $0) }, nextCursor: page.nextCursor, revision: page.revision
    )
  }

  func measurementsKinds(_ params: NoParams, _ context: inout Context) throws(RPCError) -> MeasurementsKindsResult {
    var all: [Measurement] = []
    for record in try context.snapshot().records(in: Measurement.collection) {
      all.append(try context.decode(Measurement.self, record))
    }
    return MeasurementsKindsResult(kinds: MeasurementRules.kinds(all), revision: try context.storeRevision())
  }
}
