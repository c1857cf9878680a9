import DaybookProtocol
import DomainKit
import JSON
import Values

/// What a stored exercise burned and nothing else of it, for sums over years.
struct ExerciseAmount: JSONDecodable {
  /// kcal.
  let calories: Int

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var calories: Int?
    while try reader.nextMember(&object) {
      if try reader.member("calories", 0, &object) {
        calories = try reader.int(in: 1...20000)
      } else {
        try reader.skipValue()
      }
    }
    guard let calories else { throw reader.missing("calories", object) }
    self.calories = calories
  }
}

/// What a stored entry says was drunk and nothing else of it.
struct WaterAmount: JSONDecodable {
  /// Millilitres.
  let volume: Decimal

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var volume: Decimal?
    while try reader.nextMember(&object) {
      if try reader.member("volume", 0, &object) {
        volume = try reader.decimal(minimum: 1, maximum: 20000, scale: 2)
      } else {
        try reader.skipValue()
      }
    }
    guard let volume else { throw reader.missing("volume", object) }
    self.volume = volume
  }
}
