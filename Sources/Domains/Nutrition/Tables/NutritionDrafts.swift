import DaybookProtocol
import Nutrition
import SettingsDocument
import Tables

/// Reads the rows of a table as drafts.
struct NutritionDrafts: RowDrafts {
  private let known: KnownNutritionTable
  private let mapping: ColumnMapping
  private let options: TableOptions
  let isOurs: Bool
  private let energyUnit: TableEnergyUnit
  private let columnWeightUnit: WeightUnit?
  private var keys = RowKeys()
  private let totals: NutritionTotals

  init(_ known: KnownNutritionTable, _ scanned: ScannedTable, _ options: TableOptions) {
    mapping = scanned.mapping
    self.known = known
    self.options = options
    isOurs = known.format == .daybook
    let energy = mapping.header(of: "calories")
    let isKilojoules = energy?.unit == "kj" || energy?.base == "kj" || energy?.base == "kilojoules"
    energyUnit = options.energyUnit ?? (isKilojoules ? .kJ : .kcal)
    columnWeightUnit = mapping.header(of: "weight")?.unit.flatMap { NutritionDrafts.weightUnit($0) }
    totals = isOurs ? NutritionTotals() : NutritionTotals(scanned, isMeals: known.kind == .meals)
  }

  mutating func draft(_ reader: inout RowReader) -> ImportedRow<NutritionDraft> {
    known.name == KnownNutritionTable.openScale.name ? measurements(&reader) : entry(&reader)
  }

  /// The weight and the other measurements of a row of openScale.
  private mutating func measurements(_ reader: inout RowReader) -> ImportedRow<NutritionDraft> {
    var entries: [ImportedRow<NutritionDraft>] = []
    let table = [known.format.rawValue, known.name]
    for (field, kind, unit) in [("weight", "", String?.none)] + BodyMeasure.openScale {
      guard let text = reader.raw(field), !isZero(field, reader) else { continue }
      var key: [String] = []
      let content =
        field == "weight" ? weight(&reader, &key) : bodyMeasurement(kind, field, unit: unit, &reader, &key)
      guard case .draft(let draft) = content, reader.problems.isEmpty else { continue }
      entries.append(keys.row(draft, id: nil, key: key, of: table, content: .cell(text), &reader))
    }
    guard reader.problems.isEmpty else { return ImportedRow(number: reader.row, content: .refused) }
    return ImportedRow(number: reader.row, content: entries.isEmpty ? .ignored : .draft(.several(entries)))
  }

  private mutating func entry(_ reader: inout RowReader) -> ImportedRow<NutritionDraft> {
    var id = isOurs ? reader.id("id") : nil
    var key: [String] = []
    if totals.isTotal(reader) {
      reader.ignore(.total)
      return ImportedRow(number: reader.row, content: .ignored)
    }
    let content =
      switch known.kind {
      case .weights: weight(&reader, &key)
      case .days: day(&reader)
      case .exercises: exercise(&reader, &key)
      case .water: water(&reader, &key)
      case .measurements: measurement(&reader, &key)
      default: meal(&reader, &key)
      }
    guard case .draft(let draft) = content, reader.problems.isEmpty else {
      return ImportedRow(number: reader.row, content: content == .ignored ? .ignored : .refused)
    }
    var field = "id"
    // The exercise of a training session has the session's id.
    if case .exercise(let exercise) = draft, let session = exercise.sessionId {
      if let id, id != session {
        reader.refuse(.contradiction, "sessionId", "it is not the row's id", allowed: "\(id), or nothing")
        return ImportedRow(number: reader.row, content: .refused)
      }
      (id, field) = (session, "sessionId")
    }
    // The id of a day's only entry is derived from the day.
    if case .day(let entry) = draft { (id, field) = (DayEntryRules.id(of: entry.day), "day") }
    return keys.row(draft, id: id, field: field, key: key, of: [known.format.rawValue, known.name], &reader)
  }

  // MARK: meals

  private mutating func meal(_ reader: inout RowReader, _ key: inout [String]) -> RowContent<NutritionDraft> {
    let group = reader.raw("mealType")
    if known.format == .loseIt, isDeletedOrBurned(&reader, group) { return .ignored }
    // A supplement, plain water, or a day without entries.
    if !isOurs, isBlank(reader) { return .ignored }
    let day = reader.moment("day")
    let calories = self.calories(&reader)
    let name = self.name(&reader, group)
    let mealType = self.mealType(&reader, group)
    let (protein, carbs, fat) = (grams("protein", &reader), grams("carbs", &reader), grams("fat", &reader))
    let note = self.note(&reader)
    let nutrients = self.nutrients(&reader)
    let eaten = self.eaten(&reader, day)
    let amount = isOurs ? number("quantity", Decimal(0)...Decimal(100_000), digits: 3, &reader) : nil
    let (unit, barcode) =
      isOurs ? (text("unit", longest: 50, &reader), text("barcode", longest: 64, &reader)) : (nil, nil)
    guard let day, let calories, let name, let mealType else { return .refused }
    let time = eaten.time == nil ? reader.raw("time") ?? "" : eaten.key
    key = ["\(day.keyDay)", time, TableHeader.key(group ?? ""), name]
    return .draft(
      .meal(
        TableMeal(
          day: day.day, name: name, calories: calories, mealType: mealType, protein: protein, carbs: carbs, fat: fat,
          note: note, nutrients: nutrients, time: eaten.time, amount: amount, unit: unit, barcode: barcode)))
  }

  /// When a meal was eaten. The column of other programs may have anything else.
  private func eaten(_ reader: inout RowReader, _ day: CellDay?) -> (time: WallTime?, key: String) {
    guard !isOurs else { return reader.time("time", behind: day) }
    var lenient = reader
    return lenient.time("time", behind: day)
  }

  /// Whether a row of Lose It is deleted, or an exercise: by its type, or measured in minutes.
  private func isDeletedOrBurned(_ reader: inout RowReader, _ group: String?) -> Bool {
    reader.flag("deleted") == true || group.map { TableHeader.key($0) } == "exercise"
      || reader.raw("units").map { TableHeader.key($0) } == "minutes"
  }

  /// Whether a row has no energy and no macronutrients; zeros count as none where it names neither food nor meal.
  private func isBlank(_ reader: RowReader) -> Bool {
    let isSummary =
      known.name == KnownNutritionTable.dailySummary.name
      || reader.raw("name") == nil && reader.raw("mealType") == nil
    return ["calories", "protein", "carbs", "fat"].allSatisfy { field in
      guard let text = reader.raw(field) else { return true }
      return isSummary && NumberText.reading(text, mark: reader.style.mark).readings.contains(.zero)
    }
  }

  private func calories(_ reader: inout RowReader) -> Int? {
    let isKilojoules = energyUnit == .kJ
    let allowed = isKilojoules ? "0 to 20000 kcal, which is 0 to 83680 kJ" : "0 to 20000 kcal"
    let value = reader.number("calories", in: Decimal(0)...Decimal(20000), allowed: allowed, isRequired: true) {
      number in
      isKilojoules ? number.multiplied(by: 1000, over: 4184, roundedTo: 0) : number.rounded(toScale: 0)
    }
    return value?.units(ofScale: 0).map { Int($0) }
  }

  private func grams(_ field: String, _ reader: inout RowReader) -> Decimal? {
    reader.number(field, in: Decimal(0)...Decimal(5000), allowed: "0 to 5000 grams") {
      $0.rounded(toScale: 2)?.normalized
    }
  }

  /// The row's name, else that of the meal it was eaten at.
  private func name(_ reader: inout RowReader, _ group: String?) -> String? {
    if reader.raw("name") == nil {
      if known.name == KnownNutritionTable.dailySummary.name, group == nil { return "The whole day" }
      if let group, known.fields.first(where: { $0.name == "name" })?.isRequired != true {
        guard group.unicodeScalars.count <= 200 else { return reader.text("mealType", longest: 200) }
        return group
      }
      if known.format == .other { return "Imported" }
    }
    return text("name", longest: 200, &reader, isRequired: true)
  }

  private func mealType(_ reader: inout RowReader, _ group: String?) -> MealType? {
    guard let group else { return .meal }
    let key = TableHeader.key(group)
    if isOurs {
      guard let known = MealType.known.first(where: { $0.rawValue == key }) else {
        reader.refuse(
          .unknownValue, "mealType", "it is not a meal type",
          allowed: MealType.known.map(\.rawValue).joined(separator: ", "))
        return nil
      }
      return known
    }
    switch key {
    case "breakfast": return .breakfast
    case "lunch": return .lunch
    case "dinner", "supper": return .dinner
    default: return key.contains(text: "snack") ? .snack : .meal
    }
  }

  /// The note, preceded by the amount of other programs' rows.
  private func note(_ reader: inout RowReader) -> String? {
    if isOurs { return ourNote(&reader) }
    let amount = [reader.raw("amount"), reader.raw("units")].compactMap { $0 }.joined(separator: " ")
    let parts = [amount.isEmpty ? nil : amount, reader.text("note", longest: 9000)].compactMap { $0 }
    guard !parts.isEmpty else { return nil }
    return String(String.UnicodeScalarView(parts.joined(separator: "\n").unicodeScalars.prefix(10000)))
  }

  /// A note with its white space.
  func ourNote(_ reader: inout RowReader) -> String? {
    guard let note = reader.verbatim("note").map({ CellText.restored($0) }), !note.isEmpty else { return nil }
    if note.unicodeScalars.count > 10000 {
      reader.refuse(.tooLong, "note", "it is too long", allowed: "at most 10000 characters")
    }
    return note
  }

  // MARK: weights

  private func weight(_ reader: inout RowReader, _ key: inout [String]) -> RowContent<NutritionDraft> {
    // The base of “Weight (Apple Health)” is “weight”.
    let metric = reader.raw("metric")
    let named = metric.flatMap { BodyMeasure($0) }
    if known.format == .loseIt, reader.flag("deleted") == true { return .ignored }
    if known.hasMeasurements, mapping.columns["metric"] != nil, named != .weight {
      guard case .other(let kind)? = named else {
        if metric != nil { reader.ignore(.otherMeasurement) }
        return .ignored
      }
      return bodyMeasurement(kind, unit: reader.raw("unit"), &reader, &key)
    }
    if !isOurs, reader.raw("weight") == nil { return .ignored }
    let day = reader.moment("day")
    let at = reader.time("at", behind: day)
    let unit = isZero("weight", reader) ? .kg : self.unit(&reader)
    let scale = reader.number(
      "weight", in: Decimal(3)...Decimal(1110), allowed: WeightUnits.allowedText(unit ?? .kg), isRequired: true
    ) { number in
      guard let rounded = number.rounded(toScale: 3) else { return nil }
      let value = number.scale <= 3 ? number : rounded.normalized
      if let unit, !(WeightUnits.kilograms(value, unit).map { WeightUnits.allowed.contains($0) } ?? false) {
        return nil
      }
      return value
    }
    let pounds = reader.number("pounds", in: Decimal(0)...Decimal(14), allowed: "0 to 14") { $0.scale <= 3 ? $0 : nil }
    let note = longText("note", &reader)
    guard let day, let unit, let scale else { return .refused }
    if let pounds {
      do throws(Refusal) {
        _ = try WeightUnits.kilograms(TypedWeight(value: scale, unit: unit, pounds: pounds))
      } catch {
        reader.refuse(.outOfRange, "pounds", error.message, allowed: error.allowed)
        return .refused
      }
    }
    key = ["\(day.keyDay)", at.key, metric ?? ""]
    return .draft(.weight(TableWeight(day: day.day, at: at.time, value: scale, unit: unit, pounds: pounds, note: note)))
  }

  /// Whether a number is zero, so that its unit is of no account.
  private func isZero(_ field: String, _ reader: RowReader) -> Bool {
    reader.raw(field).map { NumberText.reading($0, mark: reader.style.mark).readings.contains(.zero) } ?? true
  }

  private func unit(_ reader: inout RowReader) -> WeightUnit? {
    if let text = reader.raw("unit") {
      if let unit = NutritionDrafts.weightUnit(TableHeader.key(text)) { return unit }
      reader.refuse(.unknownValue, "unit", "it is not a unit of weight", allowed: "kg, lb, st")
      return nil
    }
    if let unit = columnWeightUnit ?? options.weightUnit { return unit }
    if known.format == .openScale { return .kg }
    reader.refuse(
      .missingUnit, "weight", "its unit is not stated", allowed: "a “weightUnit”: kg, lb, st")
    return nil
  }

  private static func weightUnit(_ text: String) -> WeightUnit? {
    switch text {
    case "kg", "kgs", "kilogram", "kilograms": .kg
    case "lb", "lbs", "pound", "pounds": .lb
    case "st", "stone", "stones": .st
    default: nil
    }
  }

  // MARK: days

  private func day(_ reader: inout RowReader) -> RowContent<NutritionDraft> {
    let day = reader.day("day")
    let fasted = reader.flag("fasted") ?? false
    let note = ourNote(&reader)
    // A day's sums are not imported.
    if reader.problems.isEmpty, !fasted, note == nil { return .ignored }
    guard let day else { return .refused }
    return .draft(.day(TableDay(day: day, fasted: fasted, note: note)))
  }
}
