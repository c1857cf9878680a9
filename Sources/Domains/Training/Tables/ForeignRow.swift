import CivilTime
import DaybookProtocol
import Tables
import Training
import Values

/// A row of a table of another program: a set, or a note on an exercise.
package struct ForeignRow: Sendable, Equatable {
  /// The line that it begins on.
  let line: Int
  /// The day on which the session began, and the second of it, where the table says.
  var day: CivilDay
  var second: Int?
  /// How long the session was, seconds; nil where the table does not say.
  var length: Int?
  var workout: String?
  var workoutNote: String?
  var exercise: String
  /// What spellings of the exercise have in common.
  let name: String
  var note: String?
  /// The number of the set as the program counts.
  var order: Int?
  var superset: String?
  var kind: SetKind?
  /// What was done; nil of a note.
  var values: SetValues?

  /// The longest session: that is what one can be.
  private static let longest = 10_000_000

  /// What a row says; nil for one that is no set, as those of rests are, or in which something is wrong.
  static func read(
    _ reader: inout RowReader, _ known: KnownTrainingTable, _ options: TrainingTableOptions
  ) -> ForeignRow? {
    let mark = reader.raw("order")?.lowercased()
    if known.format == .strong, mark == "rest timer" { return nil }
    let isNote = known.format == .strong && mark == "note"
    let (kind, note) = (kind(&reader, known, mark), reader.text("note", longest: 1000))
    let values = isNote ? nil : values(&reader, options)
    guard reader.problems.isEmpty, values != nil || (isNote && note != nil) else { return nil }
    guard let day = reader.day("start"), let exercise = reader.text("exercise", longest: 200, isRequired: true) else {
      return nil
    }
    if day > options.today {
      reader.refuse(.outOfRange, "start", "it has not come yet", allowed: "\(options.today) or a day before")
    }
    var row = ForeignRow(
      line: reader.line, day: day, exercise: exercise, name: ExerciseNames.fold(exercise), note: note,
      order: mark.flatMap { Int($0) },
      kind: kind)
    row.second = reader.secondOfDay("start")
    row.workout = reader.text("workout", longest: 200)
    row.workoutNote = reader.text("workoutNote", longest: 10000)
    row.superset = reader.raw("superset")
    row.length = length(&reader, row, options)
    row.values = values
    return row
  }

  /// What the set was for; nil for a working set.
  private static func kind(_ reader: inout RowReader, _ known: KnownTrainingTable, _ mark: String?) -> SetKind? {
    let field = reader.raw("kind") == nil ? "order" : "kind"
    switch reader.raw("kind")?.lowercased() ?? mark {
    case "w", "warmup", "warm-up", "warm up", "warm_up": return .warmup
    case "d", "drop", "dropset", "drop set", "drop_set": return .drop
    case "f", "failure": return .failure
    case "myo", "myorep", "myo reps": return .myo
    case "partial": return .partial
    case nil, "normal", "working", "note", "rest timer": return nil
    case let mark? where Int(mark) != nil: return nil
    default:
      reader.refuse(
        .unknownValue, field, "it is no kind of set", allowed: "a number, normal, warmup, dropset, failure, W, D, F")
      return nil
    }
  }

  /// What was done, with its weight in kilograms; nil when nothing was. Zeros are what programs write where nothing is.
  private static func values(_ reader: inout RowReader, _ options: TrainingTableOptions) -> SetValues? {
    var values = SetValues()
    let (weightUnit, distanceUnit) = (
      unit("weightUnit", options.weightUnit, MeasureColumn<WeightUnit>.unit, "kg, lbs", &reader),
      unit("distanceUnit", options.distanceUnit, MeasureColumn<DistanceUnit>.unit, "m, km, mi, yd", &reader)
    )
    if let (weight, unit) = reader.measure(MeasureColumn<WeightUnit>.weights, most: 4410, unit: weightUnit) {
      (values.weight, values.weightUnit) = (weight, unit == .kg ? nil : unit)
    }
    if let (distance, unit) = reader.measure(MeasureColumn<DistanceUnit>.distances, most: 1_000_000, unit: distanceUnit)
    {
      (values.distance, values.distanceUnit) = (distance, unit)
    }
    values.reps = reader.count("reps", most: 10000)
    values.seconds = reader.length("seconds", most: 360_000)
    guard values.saysWhat else { return nil }
    let least = Decimal(0)
    let rpe = reader.number("rpe", in: least...Decimal(10), allowed: "a number from 1 to 10") { number in
      number == least || number >= Decimal(1)
        ? number.scale <= 1 ? number : number.rounded(toScale: 1)?.normalized : nil
    }
    values.rpe = rpe == least ? nil : rpe
    do throws(Refusal) { return try values.normalized() } catch {
      let weight = MeasureColumn<WeightUnit>.weights.first { reader.raw($0.field) != nil }?.field
      reader.note(error, fields: weight.map { ["weight": $0] } ?? [:])
      return nil
    }
  }

  /// The unit that a cell states; what is usual where there is none.
  private static func unit<Unit>(
    _ field: String, _ usual: Unit, _ read: (String) -> Unit?, _ allowed: String, _ reader: inout RowReader
  ) -> Unit {
    guard let text = reader.raw(field) else { return usual }
    guard let unit = read(text) else {
      reader.refuse(.unknownValue, field, "it is no unit of sets", allowed: allowed)
      return usual
    }
    return unit
  }

  /// How long the session was, by its end or its length.
  private static func length(
    _ reader: inout RowReader, _ row: ForeignRow, _ options: TrainingTableOptions
  ) -> Int? {
    if reader.raw("end") != nil, let second = row.second, let endDay = reader.day("end"),
      let end = reader.secondOfDay("end")
    {
      let length =
        (options.moment(endDay, end).instant.milliseconds - options.moment(row.day, second).instant.milliseconds) / 1000
      guard (0...Int64(longest)).contains(length) else {
        reader.refuse(.contradiction, "end", "it ends before it begins", allowed: "a time behind the start")
        return nil
      }
      return Int(length)
    }
    return reader.length("duration", most: longest)
  }
}
