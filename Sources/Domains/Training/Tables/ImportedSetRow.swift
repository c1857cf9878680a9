import DaybookProtocol
import Tables
import Training

/// A row of another program's table: a set, or a note on an exercise.
package struct ImportedSetRow: Sendable, Equatable {
  /// The line that it begins on.
  let line: Int
  /// The first day of the session, and the time at which it started, if known.
  let start: CellDay
  /// The length of the session in seconds, if known.
  var length: Int?
  var workout: String?
  var workoutNote: String?
  var exercise: String
  /// The folded exercise name.
  let name: String
  var note: String?
  /// The set number in the other program.
  var order: Int?
  var superset: String?
  var kind: SetKind?
  /// The values of the set; nil for a note.
  var values: SetValues?
  /// Whether the weight assists: the name of the exercise says so, or a weight below zero.
  var isAssisted: Bool

  /// The greatest length of a session, in seconds.
  private static let longest = 10_000_000

  /// Reads a row; nil for rows without a set, such as rest timers, and for rows with a problem.
  static func read(
    _ reader: inout RowReader, _ known: KnownTrainingTable, _ options: TrainingTableOptions
  ) -> ImportedSetRow? {
    if reader.isTotal("exercise") || reader.isTotal("start") {
      reader.ignore(.total)
      return nil
    }
    let mark = reader.raw("order")?.lowercased()
    if known.format == .strong, mark == "rest timer" { return nil }
    let isNote = known.format == .strong && mark == "note"
    let (kind, note) = (kind(&reader, known, mark), reader.text("note", longest: 1000))
    let lifted = isNote ? nil : lifted(&reader, options)
    let values = lifted?.values
    guard reader.problems.isEmpty, values != nil || (isNote && note != nil) else { return nil }
    guard let start = reader.moment("start"), let exercise = reader.text("exercise", longest: 200, isRequired: true)
    else {
      return nil
    }
    if start.day > options.today {
      reader.refuse(.outOfRange, "start", "the day is in the future", allowed: "\(options.today) or earlier")
    }
    var row = ImportedSetRow(
      line: reader.line, start: start, exercise: exercise, name: ExerciseNames.fold(exercise), note: note,
      order: mark.flatMap { Int($0) },
      kind: kind, isAssisted: ExerciseNames.saysAssisted(exercise))
    row.workout = reader.text("workout", longest: 200)
    row.workoutNote = reader.text("workoutNote", longest: 10000)
    row.superset = reader.raw("superset")
    row.length = length(&reader, row, options)
    row.values = values
    if lifted?.isNegative == true {
      let known = options.finder.exercise(exercise, made: options.identity("exercise\u{1F}" + row.name))
      if known.map({ $0.traits.bodyweight != true }) ?? false, let field = weightField(reader) {
        reader.refuse(
          .outOfRange, field, "a weight below zero is assistance, which the exercise does not have",
          allowed: "0 or more")
      }
      row.isAssisted = true
    }
    return row
  }

  /// The kind of the set; nil for a working set.
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
        .unknownValue, field, "it is not a kind of set", allowed: "a number, normal, warmup, dropset, failure, W, D, F")
      return nil
    }
  }

  /// The column with the weight of the row.
  private static func weightField(_ reader: RowReader) -> String? {
    MeasureColumn<WeightUnit>.weights.first { reader.raw($0.field) != nil }?.field
  }

  /// The values of the set, with the weight also in kilograms, and whether that was written below zero; nil for none.
  /// Programs write zeros for missing values.
  private static func lifted(
    _ reader: inout RowReader, _ options: TrainingTableOptions
  ) -> (values: SetValues, isNegative: Bool)? {
    var isNegative = false
    var values = SetValues()
    if let (weight, column, isBelow) = reader.measure(
      MeasureColumn<WeightUnit>.weights, most: 4410, isSigned: true)
    {
      let stated = unit("weightUnit", options.weightUnit, MeasureColumn<WeightUnit>.unit, "kg, lbs", &reader)
      let unit = column ?? stated
      (values.weight, values.weightUnit) = (weight, unit == .kg ? nil : unit)
      isNegative = isBelow
    }
    if let (distance, column, _) = reader.measure(MeasureColumn<DistanceUnit>.distances, most: 1_000_000) {
      let stated = unit(
        "distanceUnit", options.distanceUnit, MeasureColumn<DistanceUnit>.unit, "m, km, mi, yd", &reader)
      (values.distance, values.distanceUnit) = (distance, column ?? stated)
    }
    values.reps = reader.count("reps", most: 10000)
    values.seconds = reader.length("seconds", most: 360_000)
    guard values.hasResult else { return nil }
    let least = Decimal(0)
    let rpe = reader.number("rpe", in: least...Decimal(10), allowed: "a number from 1 to 10") { number in
      number == least || number >= Decimal(1)
        ? number.scale <= 1 ? number : number.rounded(toScale: 1)?.normalized : nil
    }
    values.rpe = rpe == least ? nil : rpe
    do throws(Refusal) { return (try values.normalized(), isNegative) } catch {
      reader.note(error, fields: weightField(reader).map { ["weight": $0] } ?? [:])
      return nil
    }
  }

  /// The unit in the cell beside a value, else `fallback`.
  private static func unit<Unit>(
    _ field: String, _ fallback: Unit, _ read: (String) -> Unit?, _ allowed: String, _ reader: inout RowReader
  ) -> Unit {
    guard let text = reader.raw(field) else { return fallback }
    guard let unit = read(text) else {
      reader.refuse(.unknownValue, field, "it is not a unit of sets", allowed: allowed)
      return fallback
    }
    return unit
  }

  /// The length of the session, from its end or its duration.
  private static func length(
    _ reader: inout RowReader, _ row: ImportedSetRow, _ options: TrainingTableOptions
  ) -> Int? {
    if reader.raw("end") != nil, let start = options.instant(row.start), let endDay = reader.moment("end"),
      let end = options.instant(endDay)
    {
      let length = (end.milliseconds - start.milliseconds) / 1000
      guard (0...Int64(longest)).contains(length) else {
        reader.refuse(.contradiction, "end", "it ends before it begins", allowed: "a time after the start")
        return nil
      }
      return Int(length)
    }
    return reader.length("duration", most: longest)
  }
}

/// Reads cells of other programs' tables.
extension RowReader {
  /// A length in seconds, written as `1h 15m`, `45 min`, `1:30`, `0:01:30` or a number of seconds; nil when it is
  /// empty, zero or refused.
  mutating func length(_ field: String, most: Int) -> Int? {
    guard let text = raw(field) else { return nil }
    guard let seconds = LengthText.seconds(text, mark: style.mark), (0...most).contains(seconds) else {
      refuse(
        .malformed, field, "it is not a length of time",
        allowed: "such as 1h 15m, 0:45:30 or a number of seconds, \(most) s at most")
      return nil
    }
    return seconds == 0 ? nil : seconds
  }

  /// A whole number; nil when it is empty, zero or refused.
  mutating func count(_ field: String, most: Int64) -> Int? {
    number(field, in: .zero...Decimal(most), allowed: "a whole number from 0 to \(most)") { number in
      number.normalized.scale == 0 ? number : nil
    }.flatMap { number in number == .zero ? nil : number.units(ofScale: 0).map { Int($0) } }
  }

  /// The first number other than zero in some columns, without its sign, with the unit of its column, and whether it is
  /// below zero, which only `isSigned` allows; nil without one.
  mutating func measure<Unit>(
    _ columns: [MeasureColumn<Unit>], most: Int64, isSigned: Bool = false
  ) -> (value: Decimal, unit: Unit?, isBelow: Bool)? {
    for column in columns {
      let value = number(
        column.field, in: (isSigned ? Decimal(-most) : .zero)...Decimal(most), allowed: "a number from 0 to \(most)"
      ) { $0.scale <= 3 ? $0 : $0.rounded(toScale: 3)?.normalized }
      if let value, value != .zero, let size = value < .zero ? Decimal.zero.subtracting(value) : value {
        return (size, column.unit, value < .zero)
      }
    }
    return nil
  }
}

/// A length of time as text.
enum LengthText {
  /// The length in seconds; nil when the text is not a length.
  static func seconds(_ text: String, mark: TableDecimalMark?) -> Int? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    if case .value(let number) = NumberText.reading(text, mark: mark) { return whole(number) }
    var (total, digits, unit) = (0, "", "")
    var (seen, isGap) = (false, false)
    func add() -> Bool {
      guard let number = Int(digits), number < 1_000_000 else { return digits.isEmpty && unit.isEmpty }
      switch unit.first {
      case "h": total += number * 3600
      case "m": total += number * 60
      case "s": total += number
      default: return false
      }
      seen = true
      (digits, unit) = ("", "")
      return true
    }
    for scalar in text.lowercased().unicodeScalars {
      if ("0"..."9").contains(scalar) {
        guard unit.isEmpty ? !isGap : add() else { return nil }
        digits.unicodeScalars.append(scalar)
      } else if scalar.properties.isAlphabetic {
        unit.unicodeScalars.append(scalar)
      } else if scalar.properties.isWhitespace {
        guard unit.isEmpty || add() else { return nil }
      } else {
        return nil
      }
      isGap = !digits.isEmpty && scalar.properties.isWhitespace
    }
    return add() && seen ? total : nil
  }

  /// `m:ss` or `h:mm:ss`.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.count <= 4 ? Int(part) : nil }.filter { $0 >= 0 }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else {
      return nil
    }
    return numbers.reduce(0) { $0 * 60 + $1 }
  }

  private static func whole(_ number: Decimal) -> Int? {
    number.rounded(toScale: 0)?.units(ofScale: 0).map { Int($0) }
  }
}
