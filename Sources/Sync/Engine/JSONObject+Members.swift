import CivilTime
import FileStore
import JSON
import Values

/// The members of the engine's records and files, read and written by kind. One that is missing, or of another kind, reads
/// as nil or as empty.
extension JSONObject {
  func text(_ name: String) -> String? { if case .string(let text)? = self[name] { text } else { nil } }

  func int(_ name: String) -> Int? { if case .number(let number)? = self[name] { number.integer } else { nil } }

  func instant(_ name: String) -> Instant? { text(name).flatMap { Instant($0) } }

  func id(_ name: String) -> EntityID? { text(name).flatMap { EntityID($0) } }

  func object(_ name: String) -> JSONObject? { if case .object(let object)? = self[name] { object } else { nil } }

  func objects(_ name: String) -> [JSONObject] {
    elements(name).compactMap { if case .object(let object) = $0 { object } else { nil } }
  }

  func texts(_ name: String) -> [String] { JSONObject.texts(elements(name)) }

  func ints(_ name: String) -> [Int] {
    elements(name).compactMap { if case .number(let number) = $0 { number.integer } else { nil } }
  }

  func counters(_ name: String) -> [String: Int] {
    (object(name)?.members ?? []).reduce(into: [:]) {
      if case .number(let number) = $1.value { $0[$1.name] = number.integer }
    }
  }

  /// Sets of texts by name.
  func sets(_ name: String) -> [String: Set<String>] {
    (object(name)?.members ?? []).reduce(into: [:]) {
      if case .array(let elements) = $1.value { $0[$1.name] = Set(JSONObject.texts(elements)) }
    }
  }

  private func elements(_ name: String) -> [JSONValue] {
    if case .array(let elements)? = self[name] { elements } else { [] }
  }

  private static func texts(_ elements: [JSONValue]) -> [String] {
    elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension JSONValue {
  static func text(_ value: some CustomStringConvertible) -> JSONValue { .string("\(value)") }

  static func int(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  static func objects(_ objects: [JSONObject]) -> JSONValue { .array(objects.map { .object($0) }) }

  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  static func counters(_ counters: [String: Int]) -> JSONValue {
    .object(JSONObject(counters.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) }))
  }

  static func sets(_ sets: [String: Set<String>]) -> JSONValue {
    .object(JSONObject(sets.sorted { $0.key < $1.key }.map { ($0.key, .texts($0.value.sorted())) }))
  }
}
