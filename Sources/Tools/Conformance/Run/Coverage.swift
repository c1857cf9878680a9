import JSON
import ProtocolModel

/// Something the protocol has that a case ought to reach.
package struct CoverageItem: Hashable, Sendable, CustomStringConvertible {
  /// What it is.
  package enum Kind: String, CaseIterable, Sendable {
    case method, notification, type, error, requirement
  }

  /// What it is.
  package var kind: Kind
  /// Its name or id.
  package var name: String

  /// An item.
  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// `error conflict`.
  package var description: String { "\(kind.rawValue) \(name)" }
}

/// How many cases reached what.
package struct Coverage: Sendable, Equatable {
  /// The cases that reached each item.
  package private(set) var counts: [CoverageItem: Int] = [:]
  /// The builds whose runs are in it.
  package private(set) var builds: Set<String> = []

  /// The coverage of a run that has reached nothing yet.
  package init(build: String) {
    builds = [build]
  }

  /// Counts a case that passed.
  package mutating func add(_ seen: Seen, proves: [String]) {
    for (kind, names) in [
      (CoverageItem.Kind.method, seen.methods), (.notification, seen.notifications), (.type, seen.types),
      (.error, seen.errors), (.requirement, Set(proves)),
    ] {
      for name in names { counts[CoverageItem(kind: kind, name: name), default: 0] += 1 }
    }
  }

  /// Takes in another run.
  package mutating func formUnion(_ other: Coverage) {
    builds.formUnion(other.builds)
    counts.merge(other.counts) { $0 + $1 }
  }

  /// Every item of the protocol, in its order.
  package static func items(_ schema: Schema, requirements: [String]) -> [CoverageItem] {
    let specification = schema.specification
    let groups: [(CoverageItem.Kind, [String])] = [
      (.method, specification.requests.map(\.method)), (.notification, specification.notifications.map(\.method)),
      (.type, specification.domains.flatMap(\.types).map(\.name)), (.error, specification.errors.map(\.name)),
      (.requirement, requirements),
    ]
    return groups.flatMap { kind, names in names.map { CoverageItem(kind: kind, name: $0) } }
  }
}

extension Coverage {
  /// The text of a coverage file.
  package var json: JSONValue {
    let kinds = CoverageItem.Kind.allCases.map { kind -> JSONObject.Member in
      let members = counts.filter { $0.key.kind == kind }.sorted { $0.key.name < $1.key.name }
        .map { JSONObject.Member(name: $0.key.name, value: .number(JSONNumber($0.value))) }
      return (kind.rawValue, .object(JSONObject(members)))
    }
    return .object(JSONObject([("builds", .array(builds.sorted().map { .string($0) }))] + kinds))
  }

  /// Reads a coverage file.
  package init(file: String) throws(CaseError) {
    guard let bytes = Files.read(file) else { throw CaseError(file, "the file cannot be read") }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(json: bytes) } catch { throw CaseError(file, "\(error)") }
    guard case .object(let object) = value, case .array(let builds)? = object["builds"] else {
      throw CaseError(file, "this is no coverage file")
    }
    for case .string(let build) in builds { self.builds.insert(build) }
    for kind in CoverageItem.Kind.allCases {
      guard case .object(let names)? = object[kind.rawValue] else { continue }
      for case (let name, .number(let count)) in names.members {
        counts[CoverageItem(kind: kind, name: name)] = count.integer ?? 0
      }
    }
  }
}
