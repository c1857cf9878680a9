import DaybookProtocol
import DomainKit
import JSON
import Values

/// What a stored exercise burned and nothing else of it, for sums over years.
struct ExerciseAmount: JSONDecodable {
  /// kcal.
  let calories: Int

  init(from reader: inout JSONReader) throws(JSONError) {
    calories = try reader.only("calories") { reader throws(JSONError) in try reader.int(in: 1...20000) }
  }
}

/// What a stored entry says was drunk and nothing else of it.
struct WaterAmount: JSONDecodable {
  /// Millilitres.
  let volume: Decimal

  init(from reader: inout JSONReader) throws(JSONError) {
    volume = try reader.only("volume") { reader throws(JSONError) in
      try reader.decimal(minimum: 1, maximum: 20000, scale: 2)
    }
  }
}

extension JSONReader {
  /// One member of an object, which has to be there.
  fileprivate mutating func only<Value>(
    _ name: StaticString, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    var object = try beginObject()
    var value: Value?
    while try nextMember(&object) {
      if try member(name, 0, &object) { value = try read(&self) } else { try skipValue() }
    }
    guard let value else { throw missing(name, object) }
    return value
  }
}
