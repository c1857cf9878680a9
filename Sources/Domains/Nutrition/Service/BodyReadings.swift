import DomainKit
import EntryWords
import JSON
import Nutrition
import SettingsDocument

/// Lines of text as weights, water and exercise.
extension NutritionService {
  func weightReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    var parts = line.parts
    let isForced = line.kind == EntryKind.weight.rawValue
    let isNamed = isForced || parts.last?.keyword == EntryKind.weight.rawValue
    if isNamed, !isForced { parts.removeLast() }
    func candidate(_ typed: TypedWeight?) throws(RPCError) -> [EntryCandidate] {
      let words = typed.map {
        "\($0.value.normalized) \($0.unit.rawValue)" + ($0.pounds.map { " \($0.normalized) lb" } ?? "")
      }
      return [
        EntryCandidate(
          .weight, .form, "Weight: \(words ?? "without a value")", .weightsAdd,
          [
            ("value", typed.map { JSONValue($0.value) }), ("unit", typed.map { .string($0.unit.rawValue) }),
            ("pounds", typed?.pounds.map { JSONValue($0) }), ("at", line.timeParam), ("day", day.param),
          ], needs: typed == nil ? .value : nil,
          doubt: try typed.flatMap { typed throws(RPCError) in try doubt(typed, day, context) })
      ]
    }
    if parts.isEmpty { return isNamed ? try candidate(nil) : [] }
    if parts.count == 2, case .quantity(let stones, .st) = parts[0], case .quantity(let pounds, .lb) = parts[1] {
      return try candidate(TypedWeight(value: stones.value, unit: .st, pounds: pounds.value))
    }
    let (number, unit): (EntryNumber, WeightUnit)
    switch parts.first {
    case .quantity(let typed, .kg) where parts.count == 1: (number, unit) = (typed, .kg)
    case .quantity(let typed, .lb) where parts.count == 1: (number, unit) = (typed, .lb)
    case .quantity(let typed, .st) where parts.count == 1: (number, unit) = (typed, .st)
    case .number(let typed) where parts.count == 1 && isNamed:
      (number, unit) = (typed, try context.settings().unitSystem == .imperial ? .lb : .kg)
    default: return []
    }
    let possible = [number.value, number.grouped].compactMap { $0 }.filter {
      (try? WeightUnits.kilograms(TypedWeight(value: $0, unit: unit))) != nil
    }
    if let grouped = number.grouped, possible.count != 1 {
      throw RPCError(EntryProblem("the weight is \(number.value) or \(grouped)", number: number))
    }
    // A weight that nobody has is refused by the request, if it is asked for.
    guard let value = possible.first ?? (isForced ? number.value : nil) else { return [] }
    return try candidate(TypedWeight(value: value, unit: unit))
  }

  /// Why a weight needs its kind: it differs by more than a tenth from the last one on or before the day.
  private func doubt(_ typed: TypedWeight, _ day: CivilDay, _ context: Context) throws(RPCError) -> String? {
    guard let weight = try? WeightUnits.kilograms(typed), let last = try lastWeight(on: day, context)?.weight,
      let difference = weight.subtracting(last), let tenfold = difference.multiplied(by: 10)
    else { return nil }
    guard tenfold > last || (tenfold.negated ?? .zero) > last else { return nil }
    return "\(weight) kg differs by more than a tenth from the last weight, \(last) kg"
  }

  /// The last weight on or before a day.
  func lastWeight(on day: CivilDay, _ context: Context) throws(RPCError) -> WeightEntry? {
    var last: WeightEntry?
    try context.snapshot().forEachRecord(in: WeightEntry.collection, days: CivilDay.allowed.lowerBound...day) {
      record in
      last = context.readable(WeightEntry.self, record)
      return last == nil
    }
    return last
  }

  func waterReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    var parts = line.parts
    let isForced = line.kind == EntryKind.water.rawValue
    let isNamed = isForced || parts.last?.keyword == EntryKind.water.rawValue
    if isNamed, !isForced { parts.removeLast() }
    guard parts.count <= 1 else { return [] }
    var volume: (number: EntryNumber, value: Decimal?, unit: VolumeUnit)?
    switch parts.first {
    case .quantity(let typed, .ml): volume = (typed, typed.value, .ml)
    case .quantity(let typed, .cl): volume = (typed, typed.value.multiplied(by: 10), .ml)
    case .quantity(let typed, .dl): volume = (typed, typed.value.multiplied(by: 100), .ml)
    case .quantity(let typed, .l): volume = (typed, typed.value, .l)
    case .quantity(let typed, .cup): volume = (typed, typed.value, .cup)
    case .quantity(let typed, .floz): volume = (typed, typed.value, .floz)
    case .quantity(let typed, .oz) where isNamed: volume = (typed, typed.value, .floz)
    case .number(let typed) where isNamed && typed.value >= Decimal(10): volume = (typed, typed.value, .ml)
    case .number where isNamed, nil where isNamed: break
    default: return []
    }
    try RPCError.reading { () throws(EntryProblem) in try volume?.number.check() }
    return [
      EntryCandidate(
        .water, .form,
        volume.map { "Water: \($0.number.value.normalized) \($0.unit == .ml ? unitText(parts) : $0.unit.rawValue)" }
          ?? "Water without a volume",
        .waterAdd,
        [
          ("value", volume?.value.map { JSONValue($0) }), ("unit", volume.map { .string($0.unit.rawValue) }),
          ("at", line.timeParam), ("day", day.param),
        ], needs: volume?.value == nil ? .value : nil)
    ]
  }

  /// The unit as typed.
  private func unitText(_ parts: [EntryLine.Part]) -> String {
    if case .quantity(_, let unit) = parts.first { unit.rawValue } else { EntryUnit.ml.rawValue }
  }

  func exerciseReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    var parts = line.parts
    let isForced = line.kind == EntryKind.exercise.rawValue
    guard isForced || parts.last?.keyword == EntryKind.exercise.rawValue else { return [] }
    if parts.last?.keyword == EntryKind.exercise.rawValue { parts.removeLast() }
    let name = parts.prefix { $0.text != nil }.compactMap(\.text).joined(separator: " ")
    var (energy, minutes): (Int?, Int?)
    for part in parts.drop(while: { $0.text != nil }) {
      let (number, unit): (EntryNumber, EntryUnit)
      switch part {
      case .number(let typed): (number, unit) = (typed, .kcal)
      case .quantity(let typed, let its) where [.kcal, .kj, .min].contains(its): (number, unit) = (typed, its)
      default: return []
      }
      try RPCError.reading { () throws(EntryProblem) in try number.check() }
      let isTime = unit == .min
      guard (isTime ? minutes : energy) == nil, let whole = isTime ? number.integer : number.kilocalories(unit) else {
        return []
      }
      if isTime { minutes = whole } else { energy = whole }
    }
    guard !name.isEmpty else { return [] }
    let values = [energy.map { "\($0) kcal" }, minutes.map { "\($0) min" }].compactMap { $0 }.joined(separator: ", ")
    return [
      EntryCandidate(
        .exercise, .form, "Exercise “\(name)”: \(values.isEmpty ? "without its energy" : values)", .exercisesAdd,
        [
          ("name", .string(name)), ("calories", energy.map { .number(JSONNumber($0)) }),
          ("minutes", minutes.map { .number(JSONNumber($0)) }), ("at", line.timeParam), ("day", day.param),
        ], needs: energy == nil ? .calories : nil, doubt: NutritionService.doubt(energy: energy))
    ]
  }
}
