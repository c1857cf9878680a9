import Foundation
import JSON
import ProcessTesting
import ProtocolModel
import Values

/// Checks results against what `Protocol/` declares: every member, bound and form.
package struct DeclaredResults: Sendable {
  /// A result that does not have its declared type.
  package struct Mismatch: Error, CustomStringConvertible {
    let reason: String
    var place = ""
    package var description: String { "\(place): \(reason)" }

    func inside(_ name: String) -> Mismatch { Mismatch(reason: reason, place: "/\(name)\(place)") }
  }

  private var types: [String: TypeDefinition] = [:]
  private var results: [String: TypeExpression] = [:]

  /// The protocol of this repository.
  package static let repository: DeclaredResults? = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Protocol")
    let domains = folder.appendingPathComponent("domains")
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: domains.path) else { return nil }
    var files: [String: [UInt8]] = [:]
    for name in ["protocol.json"] + names.map({ "domains/\($0)" }) {
      files[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))).map { [UInt8]($0) }
    }
    return (try? Specification(files: files)).map { DeclaredResults($0) }
  }()

  package init(_ specification: Specification) {
    for type in specification.allTypes { types[type.name] = type }
    for request in specification.requests { results[request.method] = request.request?.result }
  }

  /// The first contradiction between a result and its declaration; nil for none.
  package func mismatch(_ result: JSONValue, of method: String) -> Mismatch? {
    guard let type = results[method] else { return Mismatch(reason: "the method is not declared") }
    do throws(Mismatch) { try check(result, type, nil) } catch { return error }
    return nil
  }

  /// - Parameter facets: The member with the bounds of the value.
  private func check(_ value: JSONValue, _ type: TypeExpression, _ facets: Member?) throws(Mismatch) {
    switch (type, value) {
    case (.null, .null): return
    case (.array(let inner), .array(let elements)):
      for (index, element) in elements.enumerated() {
        do throws(Mismatch) { try check(element, inner, facets) } catch { throw error.inside("\(index)") }
      }
    case (.map(let inner), .object(let object)):
      for member in object.members {
        do throws(Mismatch) { try check(member.value, inner, facets) } catch { throw error.inside(member.name) }
      }
    case (.named(let name), _):
      guard let type = types[name] else { throw Mismatch(reason: "there is no type \(name)") }
      try check(value, type)
    case (.scalar(let scalar), _):
      guard scalar.allows(value, facets) else {
        throw Mismatch(reason: "\(value.text.prefix(100)) is no \(scalar.rawValue) as declared")
      }
    default: throw Mismatch(reason: "\(value.text.prefix(100)) is no \(type.text)")
    }
  }

  private func check(_ value: JSONValue, _ type: TypeDefinition) throws(Mismatch) {
    switch type.kind {
    case .enumeration(let values):
      guard let word = value.string, type.isOpen || values.contains(where: { $0.name == word }) else {
        throw Mismatch(reason: "\(value.text.prefix(100)) is no \(type.name)")
      }
    case .structure(let members):
      guard case .object(let object) = value else { throw Mismatch(reason: "it is no \(type.name)") }
      for member in members {
        do throws(Mismatch) {
          guard let own = object[member.name] else {
            if member.isOptional { continue }
            throw Mismatch(reason: "it is missing")
          }
          if own == .null, member.isNullable { continue }
          try check(own, member.type, member)
        } catch { throw error.inside(member.name) }
      }
      if let unknown = object.members.first(where: { own in !members.contains { $0.name == own.name } }) {
        throw Mismatch(reason: "it is not declared").inside(unknown.name)
      }
    }
  }
}

extension Scalar {
  /// Whether a value is of this type, and within the bounds of a member.
  fileprivate func allows(_ value: JSONValue, _ facets: Member?) -> Bool {
    switch self {
    case .bool: if case .bool = value { true } else { false }
    case .int, .duration:
      value.integer.map { $0 >= facets?.minimum ?? (self == .int ? .min : 0) && $0 <= facets?.maximum ?? .max } ?? false
    case .number: if case .number = value { true } else { false }
    case .string:
      value.string.map { text in
        let length = text.unicodeScalars.count
        return length >= facets?.minimumLength ?? 0 && length <= facets?.maximumLength ?? .max
      } ?? false
    case .decimal:
      value.string.flatMap { Decimal($0) }.map { number in
        number.scale <= facets?.scale ?? .max && (facets?.minimum.map { Decimal(Int64($0)) <= number } ?? true)
          && (facets?.maximum.map { number <= Decimal(Int64($0)) } ?? true)
      } ?? false
    case .id: value.string.flatMap { EntityID($0) } != nil
    case .date, .time, .instant, .timezone: value.string != nil
    case .token: value.string != nil || value.integer != nil
    case .json: true
    }
  }
}
