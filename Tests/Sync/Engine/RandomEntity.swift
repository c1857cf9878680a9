import CivilTime
import FileStoreTesting
import JSON
import ProtocolModel
import Values

/// Makes values of the protocol's types at random.
struct RandomEntity {
  private let types: [String: TypeDefinition]
  private var random: SeededGenerator

  init(_ specification: Specification, _ number: Int) {
    types = Dictionary(specification.allTypes.map { ($0.name, $0) }) { first, _ in first }
    random = SeededGenerator(seed: 36, number: number)
  }

  mutating func object(_ type: TypeDefinition, depth: Int = 0) -> JSONObject {
    var object = JSONObject()
    for member in type.members where !(member.isOptional && random.once(in: 2)) {
      let isNull = member.isNullable && random.once(in: 4)
      object[member.name] = isNull ? .null : value(member.form ?? member.type, member, depth)
    }
    return object
  }

  private mutating func value(_ type: TypeExpression, _ member: Member?, _ depth: Int) -> JSONValue {
    switch type {
    case .scalar(let scalar): return value(scalar, member)
    case .named(let name):
      guard let type = types[name] else { return .null }
      guard case .enumeration(let values) = type.kind else { return .object(object(type, depth: depth + 1)) }
      return .string(values[random.below(values.count)].name)
    case .array(let element):
      return .array((0..<random.below(depth > 2 ? 1 : 5)).map { _ in value(element, nil, depth + 1) })
    case .map(let element):
      return .object(JSONObject((0..<random.below(3)).map { ("k\($0)", value(element, nil, depth + 1)) }))
    case .null: return .null
    }
  }

  private mutating func value(_ scalar: Scalar, _ member: Member?) -> JSONValue {
    let low = member?.minimum ?? 0
    let number = random.among(low...min(member?.maximum ?? .max, low + 1000))
    switch scalar {
    case .bool: return .bool(random.once(in: 2))
    case .int, .duration, .number: return .number(JSONNumber(number))
    case .decimal: return .string("\(number)")
    case .string, .token:
      let length = random.among((member?.minimumLength ?? 0)...min(member?.maximumLength ?? .max, 20))
      return .string(String((0..<length).map { _ in "aü\"\\/😀".randomElement(using: &random) ?? "a" }))
    case .id: return .string("\(EntityID(high: random.next(), low: random.next()))")
    case .date: return .string("\(CivilDay(daysSinceEpoch: Int32(random.below(30_000))))")
    case .time: return .string(random.once(in: 2) ? "00:00" : "23:59")
    case .instant: return .string("\(Instant(milliseconds: Int64(random.below(1 << 40))))")
    case .timezone: return .string("Europe/Berlin")
    case .json: return .object(JSONObject([("any", .array([.null]))]))
    }
  }
}
