import JSON
import ProtocolModel

/// A valid or invalid value derived from a type's definition.
package struct Sample: Sendable {
  package var type: String
  package var json: [UInt8]
  /// The pointer to the fault; nil for a valid value.
  package var pointer: String?
  /// What is wrong with an invalid value.
  package var why: String?

  /// Samples of every struct and enumeration of a protocol; `files` maps paths below `Protocol/` to their bytes.
  package static func all(files: [String: [UInt8]]) throws(SpecificationError) -> [Sample] {
    let samples = Samples(specification: try Specification(files: files))
    return samples.specification.allTypes.flatMap { samples.samples(of: $0) }
  }
}

/// Derives the samples.
private struct Samples {
  let specification: Specification

  private struct Invalid {
    var value: JSONValue
    var pointer: String
    var why: String
  }

  func samples(of type: TypeDefinition) -> [Sample] {
    var valid: [JSONValue]
    var invalid: [Invalid] = []
    switch type.kind {
    case .enumeration(let values):
      valid = values.map { .string($0.name) }
      invalid.append(Invalid(value: .string("no such value"), pointer: "", why: "unknown value"))
      invalid.append(Invalid(value: .int(1), pointer: "", why: "wrong kind"))
      invalid.append(Invalid(value: .null, pointer: "", why: "null"))
    case .structure(let members):
      let full = object(members)
      let least = object(members.filter { !$0.isOptional })
      valid = [.object(full)]
      if least != full { valid.append(.object(least)) }
      for member in members {
        let pointer = JSONPointer.token(member.name)
        for value in boundaries(member) { valid.append(.object(replacing(full, member.name, value))) }
        if member.isNullable {
          valid.append(.object(replacing(full, member.name, .null)))
        } else if member.type != .scalar(.json) {
          invalid.append(Invalid(value: .object(replacing(full, member.name, .null)), pointer: pointer, why: "null"))
        }
        for (value, why, inner) in bad(member) {
          invalid.append(
            Invalid(value: .object(replacing(full, member.name, value)), pointer: pointer + inner, why: why))
        }
        if !member.isOptional {
          invalid.append(Invalid(value: .object(replacing(full, member.name, nil)), pointer: pointer, why: "missing"))
        }
      }
      let unknown = replacing(full, "noSuchMember", .bool(true))
      if type.isLenient {
        valid.append(.object(unknown))
      } else {
        invalid.append(Invalid(value: .object(unknown), pointer: "/noSuchMember", why: "unknown member"))
      }
      invalid.append(Invalid(value: .array([.object(full)]), pointer: "", why: "wrong kind"))
    }
    return valid.map { Sample(type: type.name, json: $0.json) }
      + invalid.map { Sample(type: type.name, json: $0.value.json, pointer: $0.pointer, why: $0.why) }
  }

  private func object(_ members: [Member]) -> JSONObject {
    JSONObject(members.map { ($0.name, value($0.type, $0)) })
  }

  private func replacing(_ object: JSONObject, _ name: String, _ value: JSONValue?) -> JSONObject {
    var object = object
    object[name] = value
    return object
  }

  /// A typical value.
  private func value(_ type: TypeExpression, _ member: Member?) -> JSONValue {
    switch type {
    case .scalar(.bool): return .bool(true)
    case .scalar(.int), .scalar(.duration): return .int(min(max(7, member?.minimum ?? 0), member?.maximum ?? 7))
    case .scalar(.number): return .number(JSONNumber(1))
    case .scalar(.string):
      let text = "Text mit Umläuten 😀".unicodeScalars.prefix(member?.maximumLength ?? .max)
      return .string(String(String.UnicodeScalarView(text)))
    case .scalar(.id): return .string("f81d4fae-7dec-41d0-a765-00a0c91e6bf6")
    case .scalar(.date): return .string("2026-01-05")
    case .scalar(.time): return .string("07:30")
    case .scalar(.instant): return .string("2026-01-05T12:00:00.000Z")
    case .scalar(.decimal): return .string(String(max(member?.minimum ?? 0, min(member?.maximum ?? 12, 12))))
    case .scalar(.timezone): return .string("Europe/Berlin")
    case .scalar(.token): return .string("token")
    case .scalar(.json): return .object(JSONObject([("any", .array([.int(1), .null]))]))
    case .named(let name):
      guard let type = specification.type(named: name) else { return .null }
      switch type.kind {
      case .enumeration(let values): return .string(values.first?.name ?? "")
      case .structure(let members): return .object(object(members.filter { !$0.isOptional }))
      }
    case .array(let element): return .array([value(element, nil)])
    case .map(let element): return .object(JSONObject([("name", value(element, nil))]))
    case .null: return .null
    }
  }

  /// Values at the bounds.
  private func boundaries(_ member: Member) -> [JSONValue] {
    switch member.type {
    case .scalar(.int), .scalar(.duration):
      return [member.minimum, member.maximum].compactMap { $0.map { .int($0) } }
    case .scalar(.decimal): return [member.minimum, member.maximum].compactMap { $0.map { .string(String($0)) } }
    case .scalar(.string):
      return [member.minimumLength, member.maximumLength].compactMap { $0 }.map {
        .string(String(repeating: "é", count: $0))
      }
    case .scalar(.token): return [.int(0), .string("")]
    case .scalar(.date): return [.string("1900-01-01"), .string("2200-12-31"), .string("2024-02-29")]
    case .scalar(.time): return [.string("00:00"), .string("23:59")]
    case .array: return [.array([])]
    case .map: return [.object(JSONObject())]
    default: return []
    }
  }

  /// Values that must be refused, why, and the pointer within them.
  private func bad(_ member: Member) -> [(JSONValue, String, String)] {
    var result: [(JSONValue, String, String)] = []
    switch member.type {
    case .scalar(.int), .scalar(.duration):
      let low = member.minimum ?? (member.type == .scalar(.duration) ? 0 : -9_007_199_254_740_991)
      result.append((.int(low - 1), "below the minimum", ""))
      result.append((.int((member.maximum ?? 9_007_199_254_740_991) + 1), "above the maximum", ""))
      result.append((.string("7"), "wrong kind", ""))
    case .scalar(.decimal):
      if let minimum = member.minimum { result.append((.string(String(minimum - 1)), "below the minimum", "")) }
      if let maximum = member.maximum { result.append((.string(String(maximum + 1)), "above the maximum", "")) }
      if let scale = member.scale {
        result.append((.string("12." + String(repeating: "1", count: scale + 1)), "too many decimals", ""))
      }
      result += [
        (.int(12), "wrong kind", ""), (.string("12,5"), "not a decimal", ""), (.string("1e1"), "not a decimal", ""),
      ]
    case .scalar(.string):
      if let length = member.minimumLength, length > 0 {
        result.append((.string(String(repeating: "x", count: length - 1)), "too short", ""))
      }
      if let length = member.maximumLength {
        result.append((.string(String(repeating: "é", count: length + 1)), "too long", ""))
      }
      if member.isTrimmed { result.append((.string(" \t "), "nothing but white space", "")) }
      result.append((.int(1), "wrong kind", ""))
    case .scalar(.date):
      result += [
        (.string("2026-02-30"), "no such day", ""), (.string("1899-12-31"), "out of range", ""),
        (.string("2201-01-01"), "out of range", ""), (.int(20260105), "wrong kind", ""),
      ]
    case .scalar(.time):
      result += [
        (.string("24:00"), "no such hour", ""), (.string("12:60"), "no such minute", ""),
        (.string("7:30"), "too short", ""), (.string("07:30:00"), "with seconds", ""), (.int(730), "wrong kind", ""),
      ]
    case .scalar(.instant):
      result += [(.string("2026-01-05"), "no time", ""), (.string("2026-01-05T25:00:00Z"), "no such hour", "")]
    case .scalar(.id): result += [(.string("7"), "not a UUID", ""), (.int(7), "wrong kind", "")]
    case .scalar(.timezone):
      result += [(.string("../etc/passwd"), "not a zone name", ""), (.string(""), "not a zone name", "")]
    case .scalar(.token): result += [(.bool(true), "wrong kind", ""), (.object(JSONObject()), "wrong kind", "")]
    case .scalar(.bool): result += [(.int(1), "wrong kind", ""), (.string("true"), "wrong kind", "")]
    case .scalar(.number): result.append((.string("1"), "wrong kind", ""))
    case .scalar(.json), .null: break
    case .named: result.append((.int(1), "wrong kind", ""))
    case .array: result.append((.object(JSONObject()), "wrong kind", ""))
    case .map: result.append((.array([]), "wrong kind", ""))
    }
    return result
  }
}
