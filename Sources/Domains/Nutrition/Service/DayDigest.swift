import DomainKit
import Nutrition

extension NutritionService {
  /// All digests of the domain.
  package static func digests(_ migrations: RecordMigrations) -> [Digest] {
    [dayDigest(migrations), foodDigest(migrations)]
  }

  /// The digest of a month's day facts.
  static func dayDigest(_ migrations: RecordMigrations) -> Digest {
    Digest("days", version: version("2", of: DayMemory.collections, migrations), of: DayMemory.collections) {
      collection, records in
      (try? readFacts(of: collection, migrations, records)).map { facts in
        var writer = PackedWriter()
        for facts in facts { facts.pack(into: &writer) }
        return writer.bytes
      }
    }
  }

  /// The version of a digest, which includes the schemas of its collections.
  static func version(_ own: String, of collections: [CollectionName], _ migrations: RecordMigrations) -> String {
    ([own] + collections.map { String(migrations.schema(of: $0)) }).joined(separator: ".")
  }

  /// The facts in a digest; nil when it is malformed.
  static func facts(inDigest bytes: ArraySlice<UInt8>) -> [DayFacts]? {
    bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      var facts: [DayFacts] = []
      while !reader.isAtEnd {
        guard let day = DayFacts(unpacking: &reader) else { return nil }
        facts.append(day)
      }
      return facts
    }
  }
}

extension DayFacts {
  /// The packed parts of a day.
  private struct Parts: OptionSet {
    let rawValue: Int
    static let meals = Parts(rawValue: 1)
    static let fasted = Parts(rawValue: 2)
    static let note = Parts(rawValue: 4)
    static let exercise = Parts(rawValue: 8)
    static let water = Parts(rawValue: 16)
    static let nutrients = Parts(rawValue: 32)
  }

  fileprivate func pack(into writer: inout PackedWriter) {
    var parts: Parts = []
    if totals.mealCount > 0 { parts.insert(.meals) }
    if fasted { parts.insert(.fasted) }
    if hasNote { parts.insert(.note) }
    if exercise.count > 0 { parts.insert(.exercise) }
    if water != nil { parts.insert(.water) }
    if totals.nutrients != nil { parts.insert(.nutrients) }
    writer.write(Int(day.daysSinceEpoch))
    writer.write(parts.rawValue)
    if parts.contains(.meals) {
      writer.write(totals.mealCount)
      writer.write(totals.calories)
      for grams in [totals.protein, totals.carbs, totals.fat] { writer.write(grams) }
    }
    if parts.contains(.exercise) {
      writer.write(exercise.count)
      writer.write(exercise.calories)
    }
    if let water { writer.write(water) }
    if let nutrients = totals.nutrients { nutrients.pack(into: &writer) }
  }

  fileprivate init?(unpacking reader: inout PackedReader) {
    guard let number = reader.number(), let day = Int32(exactly: number), let flags = reader.number() else {
      return nil
    }
    let parts = Parts(rawValue: flags)
    self.init(CivilDay(daysSinceEpoch: day))
    fasted = parts.contains(.fasted)
    hasNote = parts.contains(.note)
    if parts.contains(.meals) {
      guard let count = reader.number(), let calories = reader.number(), let protein = reader.decimal(),
        let carbs = reader.decimal(), let fat = reader.decimal()
      else { return nil }
      totals = DayTotals(mealCount: count, calories: calories, protein: protein, carbs: carbs, fat: fat)
    }
    if parts.contains(.exercise) {
      guard let count = reader.number(), let calories = reader.number() else { return nil }
      exercise = ExerciseTotals(count: count, calories: calories)
    }
    if parts.contains(.water) {
      guard let water = reader.decimal() else { return nil }
      self.water = water
    }
    if parts.contains(.nutrients) {
      guard let nutrients = OtherNutrients(unpacking: &reader) else { return nil }
      totals.add(nutrients)
    }
  }
}

extension OtherNutrients {
  /// Packs a bit set of the amounts that are there, then the amounts.
  fileprivate func pack(into writer: inout PackedWriter) {
    let amounts = OtherNutrients.members.map { self[keyPath: $0.amount] }
    writer.write(amounts.enumerated().reduce(0) { $0 | ($1.element == nil ? 0 : 1 << $1.offset) })
    for amount in amounts.compactMap({ $0 }) { writer.write(amount) }
  }

  fileprivate init?(unpacking reader: inout PackedReader) {
    guard let known = reader.number() else { return nil }
    self.init()
    for (index, member) in OtherNutrients.members.enumerated() where known & 1 << index != 0 {
      guard let amount = reader.decimal() else { return nil }
      self[keyPath: member.amount] = amount
    }
  }
}
