import CivilTime
import JSON
import Platform
import Testing

@testable import SyncRules

/// The expected values in `vectors.json`, computed by independent code.
enum Vectors {
  static func named(_ name: String) throws -> JSONValue {
    let path = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    let text = try #require(Files.contents(of: "/\(path)/vectors.json", limit: 1 << 20))
    let all = try text.withUnsafeBytes { try JSONValue(json: $0) }
    return try #require(all[name])
  }

  static func list(_ name: String) throws -> [JSONValue] { try #require(named(name).array) }
}

extension JSONValue {
  subscript(_ name: String) -> JSONValue? { object?[name] }

  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var int: Int? { if case .number(let number) = self { number.integer } else { nil } }

  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  var instant: Instant? { string.flatMap { Instant($0) } }
}

extension SyncedRecord {
  /// A version as the vectors write one.
  init(version: JSONValue) throws {
    if let deletedAt = version["deletedAt"]?.instant {
      self.init(deletedAt: deletedAt)
    } else {
      let body = try #require(version["body"]?.object)
      let updatedAt = try #require(version["updatedAt"]?.instant)
      self.init(body, createdAt: body["createdAt"]?.instant ?? updatedAt, updatedAt: updatedAt)
    }
  }
}
