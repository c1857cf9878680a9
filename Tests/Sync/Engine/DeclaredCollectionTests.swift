import CivilTime
import CollectionTables
import DaybookClientCodecs
import FileStore
import Foundation
import JSON
import Pacing
import ProtocolModel
import Testing
import Values

@testable import SyncEngine
@testable import SyncRules

@Suite("Collections as they are declared")
struct DeclaredCollectionTests {
  private let specification: Specification

  init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Protocol")
    var files = ["protocol.json": [UInt8](try Data(contentsOf: folder.appendingPathComponent("protocol.json")))]
    let domains = folder.appendingPathComponent("domains")
    for name in try FileManager.default.contentsOfDirectory(atPath: domains.path) where name.hasSuffix(".json") {
      files["domains/\(name)"] = [UInt8](try Data(contentsOf: domains.appendingPathComponent(name)))
    }
    specification = try Specification(files: files)
  }

  /// The types of entities, each with its declaration.
  private func entities() throws -> [(type: TypeDefinition, declaration: CollectionDeclaration)] {
    try specification.domains.flatMap(\.types).compactMap { type in
      guard let collection = type.collection else { return nil }
      return (type, try #require(Collections.declaration(named: collection.name), "\(collection.name)"))
    }
  }

  private func describe(_ merging: MergeDeclaration) -> String {
    switch merging {
    case .whole: "whole"
    case .byMember: "byMember"
    case .byPart(let lists): "byPart " + lists.map { "\($0.name).\($0.key)" }.joined(separator: " ")
    case .mirrored: "mirrored"
    case .never: "never"
    }
  }

  @Test("Each collection has a declaration, and those of the decisions have their policies and priorities")
  func decided() throws {
    let entities = try entities()
    #expect(entities.map(\.declaration.name) == Collections.all.map(\.name))
    let decided = [
      "runningExercises": "1 mirrored", "workoutSessions": "2 whole", "formerSessions": "2 whole",
      "settings": "3 byMember", "trainingSettings": "3 byMember", "customExercises": "4 whole",
      "modules": "5 byPart exercises.id", "workouts": "6 byPart modules.id exercises.id", "programs": "7 whole",
      "scheduledWorkouts": "8 whole", "days": "9 byMember", "subscriptions": "9 byPart marks.occurrence",
      "onboarding": "9 never", "dashboards": "9 never", "habitVisits": "9 never", "runningSessions": "9 never",
    ]
    for (_, declaration) in entities {
      let text = "\(declaration.syncPriority) \(describe(declaration.merging))"
      #expect(text == decided[declaration.name] ?? "9 whole", "\(declaration.name)")
    }
    #expect(Set(decided.keys).isSubset(of: Collections.all.map(\.name)))
  }

  @Test("Lists and keys of parts, defaults and local members are members of the entity")
  func members() throws {
    for (type, declaration) in try entities() {
      let names = type.members.map(\.name)
      #expect(Set(declaration.localMembers).isSubset(of: names), "\(declaration.name)")
      switch declaration.merging {
      case .byPart(let lists):
        for list in lists {
          let member = try #require(type.members.first { $0.name == list.name })
          #expect(member.isOptional == list.isOptional)
          let part = try #require(member.type.reference.flatMap { specification.type(named: $0) })
          #expect(part.members.contains { $0.name == list.key }, "\(declaration.name)")
        }
      case .byMember:
        guard let collection = SyncedCollection(declaration), case .byMember(let defaults, _) = collection.policy else {
          Issue.record("\(declaration.name) has no defaults")
          continue
        }
        #expect(Set(defaults.members.map(\.name)).isSubset(of: Set(names).subtracting(declaration.localMembers)))
        // The entity is read with them.
        var random = RandomEntity(specification, 0)
        var body = random.object(type)
        #expect(collection.localMembers == Set(declaration.localMembers))
        for member in defaults.members + collection.localDefaults.members { body[member.name] = member.value }
        #expect(try stored(type, body) == CanonicalContent.text(of: .object(body)), "\(declaration.name)")
      case .whole, .mirrored, .never: break
      }
    }
  }

  @Test("A random record of each collection is itself when it is merged with itself, and is read by its entity")
  func mergedWithItself() throws {
    for (type, declaration) in try entities() {
      guard let collection = SyncedCollection(declaration) else { continue }
      for number in 0..<Histories.steps(100) {
        var random = RandomEntity(specification, number)
        let body = valid(random.object(type), collection.policy)
        let record = try #require(synced(body, collection))
        let merged = collection.policy.merged(record, record)
        #expect(collection.policy.version(of: merged) == collection.policy.version(of: record))
        #expect(collection.policy.haveEqualContent(merged, record))
        #expect(collection.policy.merged(merged, merged) == merged)
        var whole = try #require(merged.body)
        for name in collection.localMembers { whole[name] = body[name] }
        let text = CanonicalContent.text(of: .object(whole))
        #expect(text == CanonicalContent.text(of: .object(body)), "\(declaration.name), \(number)")
        #expect(CanonicalContent.text(of: try JSONValue(json: text)) == text)
        #expect(try stored(type, whole) == text, "\(declaration.name), \(number)")
      }
    }
  }

  @Test("A mark set on each of two devices stays, in the order of days, and an empty list stays absent")
  func marks() throws {
    let collection = try #require(Collections.declaration(named: "subscriptions").flatMap { SyncedCollection($0) })
    let base = try #require(synced(JSONObject([("name", .string("Paper"))]), collection))
    func marked(_ day: String, after milliseconds: Int64) -> SyncedRecord {
      let mark = JSONValue.object(JSONObject([("occurrence", .string(day)), ("kind", .string("paid"))]))
      let body = JSONObject([("name", .string("Paper")), ("marks", .array([mark]))])
      return collection.policy.edited(
        base, to: body, createdAt: base.createdAt ?? base.time, at: base.time.advanced(by: milliseconds))
    }
    #expect(collection.policy.merged(base, base).body?["marks"] == nil)
    for (first, second) in [("2026-01-31", "2026-02-28"), ("2026-02-28", "2026-01-31")] {
      let merged = collection.policy.merged(marked(first, after: 1), marked(second, after: 2))
      guard case .array(let marks)? = merged.body?["marks"] else {
        Issue.record("no marks")
        continue
      }
      let days = marks.map { mark in if case .object(let mark) = mark { mark["occurrence"] } else { nil as JSONValue? }
      }
      #expect(days == [.string("2026-01-31"), .string("2026-02-28")])
    }
  }

  @Test("An unknown collection travels whole; internal ones, and those that stay on their device, do not")
  func unknown() {
    let collections = SyncedCollection.declared(besides: [CollectionName("table-links")])
    #expect(collections(CollectionName("dreams"))?.policy == .whole)
    #expect(collections(CollectionName("meals"))?.policy == .whole)
    #expect(collections(CollectionName("settings"))?.localMembers == ["lockEnabled", "lockAfterMs"])
    let others = ["table-links", "dashboards", "runningSessions", "runningExercises"].map { CollectionName($0) }
    for name in others + SyncParticipant.internalCollections {
      #expect(collections(name) == nil, "\(name)")
    }
  }

  // MARK: records

  private func synced(_ body: JSONObject, _ collection: SyncedCollection) -> SyncedRecord? {
    func instant(_ name: String) -> Instant {
      if case .string(let text)? = body[name], let instant = Instant(text) { instant } else { Instant(milliseconds: 9) }
    }
    let operation = Operation.put(
      CollectionName(""), id: EntityID(high: 0, low: 1), day: nil, schema: 1, createdAt: instant("createdAt"),
      updatedAt: instant("updatedAt"), body: JSONValue.object(body).json)
    return SyncedRecord(operation, collection.localMembers)
  }

  /// A body whose parts have different keys, in order where that is the keys', and no empty list that may be absent.
  private func valid(_ body: JSONObject, _ policy: MergePolicy) -> JSONObject {
    guard case .byPart(let lists) = policy else { return body }
    var body = body
    for list in lists {
      guard var parts = list.parts(of: body) else { continue }
      if list.isSortedByKey { parts.sort { $0.key < $1.key } }
      if body[list.name] != nil {
        body[list.name] = parts.isEmpty && list.isOptional ? nil : .array(parts.map { .object($0.part) })
      }
    }
    return body
  }

  /// The canonical text of a body after its entity has read and written it.
  private func stored(_ type: TypeDefinition, _ body: JSONObject) throws -> [UInt8] {
    func written<Value: JSONDecodable & JSONEncodable>(_ type: Value.Type) throws -> [UInt8] {
      try Value(json: JSONValue.object(body).json).json
    }
    let entity = try #require(WireTypes.named(type.name))
    return CanonicalContent.text(of: try JSONValue(json: written(entity)))
  }
}
