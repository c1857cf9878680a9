import DaybookProtocol
import Nutrition
import Tables

/// Drafts of exercises, water and measurements.
extension NutritionDrafts {
  func exercise(_ reader: inout RowReader, _ key: inout [String]) -> RowContent<NutritionDraft> {
    if !isOurs, reader.raw("calories") == nil { return .ignored }
    let day = reader.moment("day")
    let at = reader.time("at", behind: day)
    let name = text("name", longest: 200, &reader, isRequired: true)
    let calories = whole("calories", 1...20000, &reader, isRequired: true)
    let minutes = whole("minutes", 1...1440, &reader)
    let session = reader.id("sessionId")
    let note = longText("note", &reader)
    guard let day, let name, let calories else { return .refused }
    key = ["\(day.keyDay)", at.key, name]
    return .draft(
      .exercise(
        TableExercise(
          day: day.day, at: at.time, name: name, calories: calories, minutes: minutes, sessionId: session, note: note)))
  }

  func water(_ reader: inout RowReader, _ key: inout [String]) -> RowContent<NutritionDraft> {
    let day = reader.moment("day")
    let at = reader.time("at", behind: day)
    let value = number("value", Decimal(0)...Decimal(20000), digits: 3, &reader, isRequired: true)
    let note = longText("note", &reader)
    guard let day, let value else { return .refused }
    guard let unit = reader.raw("unit").flatMap({ text in VolumeUnit.known.first { $0.rawValue == text.lowercased() } })
    else {
      reader.refuse(
        .unknownValue, "unit", "it is not a unit of volume",
        allowed: VolumeUnit.known.map(\.rawValue).joined(separator: ", "))
      return .refused
    }
    let typed = TypedVolume(value: value, unit: unit)
    do throws(Refusal) { _ = try VolumeUnits.millilitres(typed) } catch {
      reader.refuse(.outOfRange, "value", error.message, allowed: error.allowed)
      return .refused
    }
    key = ["\(day.keyDay)", at.key]
    return .draft(.water(TableWater(day: day.day, at: at.time, typed: typed, note: note)))
  }

  func measurement(_ reader: inout RowReader, _ key: inout [String]) -> RowContent<NutritionDraft> {
    let day = reader.moment("day")
    let at = reader.time("at", behind: day)
    let kind = text("kind", longest: 200, &reader, isRequired: true)
    let range = Decimal(-1_000_000_000)...Decimal(1_000_000_000)
    let value = number("value", range, digits: 6, &reader, isRequired: true)
    let second = number("secondValue", range, digits: 6, &reader)
    let unit = text("unit", longest: 50, &reader)
    let note = longText("note", &reader)
    guard let day, let kind, let value else { return .refused }
    key = ["\(day.keyDay)", at.key, MeasurementRules.key(kind)]
    return .draft(
      .measurement(
        TableMeasurement(
          day: day.day, at: at.time, kind: kind, value: value, secondValue: second, unit: unit, note: note)))
  }

  /// A short text. Our own tables may have escaped it with an apostrophe (`CellText`).
  func text(_ field: String, longest: Int, _ reader: inout RowReader, isRequired: Bool = false) -> String? {
    guard isOurs else { return reader.text(field, longest: longest, isRequired: isRequired) }
    guard let text = reader.text(field, longest: longest + 1, isRequired: isRequired, isVerbatim: true) else {
      return nil
    }
    let restored = CellText.restored(text).trimmedCell
    if isRequired, !restored.isVisible {
      reader.refuse(.missing, field, "it is empty", allowed: "1 to \(longest) characters")
    } else if restored.unicodeScalars.count > longest {
      reader.refuse(.tooLong, field, "it is too long", allowed: "at most \(longest) characters")
    }
    return restored
  }

  /// A note. Our own tables keep its white space.
  func longText(_ field: String, _ reader: inout RowReader) -> String? {
    isOurs ? ourNote(&reader) : reader.text(field, longest: 10000)
  }

  /// A whole number. Other programs' fractions are rounded, and their negative numbers made positive.
  private func whole(
    _ field: String, _ range: ClosedRange<Int>, _ reader: inout RowReader, isRequired: Bool = false
  ) -> Int? {
    reader.number(
      field, in: Decimal(Int64(range.lowerBound))...Decimal(Int64(range.upperBound)),
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)", isRequired: isRequired
    ) { number in
      if isOurs { return number.normalized.scale == 0 ? number : nil }
      return (number < .zero ? number.multiplied(by: -1) : number)?.rounded(toScale: 0)
    }?.units(ofScale: 0).map { Int($0) }
  }

  func number(
    _ field: String, _ range: ClosedRange<Decimal>, digits: Int, _ reader: inout RowReader, isRequired: Bool = false
  ) -> Decimal? {
    reader.number(
      field, in: range,
      allowed: "a number from \(range.lowerBound) to \(range.upperBound) with at most \(digits) digits after the point",
      isRequired: isRequired
    ) { $0.scale <= digits ? $0 : nil }
  }

  /// The other nutrients of a row; nil without any. Amounts are converted when the header states another unit.
  func nutrients(_ reader: inout RowReader) -> OtherNutrients? {
    var nutrients = OtherNutrients()
    for member in OtherNutrients.members where reader.raw(member.name) != nil {
      let (factor, divisor): (Int64, Int64) =
        switch reader.mapping.header(of: member.name)?.unit {
        case "g" where member.isMilligrams: (1000, 1)
        case "mg" where !member.isMilligrams: (1, 1000)
        default: (1, 1)
        }
      nutrients[keyPath: member.amount] = reader.number(
        member.name, in: .zero...member.most,
        allowed: "0 to \(member.most) \(member.isMilligrams ? "milligrams" : "grams")"
      ) { $0.multiplied(by: factor, over: divisor, roundedTo: 2)?.normalized }
    }
    return nutrients.known
  }
}
