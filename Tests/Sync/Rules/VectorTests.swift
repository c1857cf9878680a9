import CivilTime
import CollectionTables
import JSON
import Testing

@testable import SyncRules

@Suite("Expected values of sync")
struct VectorTests {
  @Test("Stamps")
  func stamps() throws {
    for vector in try Vectors.list("stamps") {
      let seen = [vector["seenUpdatedAt"]?.instant, vector["seenDeletedAt"]?.instant].compactMap { $0 }.max()
      let now = try #require(vector["now"]?.instant)
      #expect(now.following(seen) == vector["stamp"]?.instant, "\(vector["name"]?.string ?? "")")
    }
  }

  @Test("Canonical content")
  func canonical() throws {
    for vector in try Vectors.list("canonical") {
      let body = JSONValue.object(CanonicalContent.unstamped(try #require(vector["body"]?.object)))
      #expect(String(decoding: CanonicalContent.text(of: body), as: UTF8.self) == vector["text"]?.string)
      #expect("\(CanonicalContent.hash(of: body))" == vector["sha256"]?.string)
    }
  }

  @Test("Whole records and sessions, in every order of arrival", arguments: ["whole", "sessions"])
  func whole(_ name: String) throws {
    for vector in try Vectors.list(name) {
      let versions = try #require(vector["versions"]?.array).map { try SyncedRecord(version: $0) }
      let winner = try SyncedRecord(version: try #require(vector["winner"]))
      for order in versions.permutations {
        let merged = order.dropFirst().reduce(order[0]) { MergePolicy.whole.merged($0, $1) }
        #expect(merged == winner, "\(vector["name"]?.string ?? "")")
      }
    }
  }

  @Test("By member, in every order of arrival")
  func byMember() throws {
    let policy = MergePolicy.byMember(defaults: JSONObject())
    for vector in try Vectors.list("byMember") {
      let replicas = try #require(vector["replicas"]?.array).map { try record(members: $0) }
      for order in replicas.permutations {
        let merged = order.dropFirst().reduce(order[0]) { policy.merged($0, $1) }
        for (member, value) in try #require(vector["merged"]?.object).members {
          #expect(merged.body?[member] ?? .null == value["value"], "\(vector["name"]?.string ?? "")")
          #expect(merged.notes?.members[member] == value["at"]?.instant)
        }
      }
    }
  }

  private func record(members: JSONValue) throws -> SyncedRecord {
    var (body, notes, last) = (JSONObject(), MergeNotes(), Instant(milliseconds: 0))
    for (member, value) in try #require(members.object).members {
      let at = try #require(value["at"]?.instant)
      if let value = value["value"], value != .null { body[member] = value }
      notes.members[member] = at
      last = max(last, at)
    }
    return SyncedRecord(body, createdAt: Instant(milliseconds: 0), updatedAt: last, notes: notes)
  }

  @Test("By part, in every order of arrival")
  func byPart() throws {
    let policy = MergePolicy.byPart(lists: [PartList("exercises", key: "id")])
    for vector in try Vectors.list("byParts") {
      let replicas = try #require(vector["replicas"]?.array).map { try record(parts: $0) }
      let expected = try #require(vector["merged"]?.object)
      for order in replicas.permutations {
        let merged = order.dropFirst().reduce(order[0]) { policy.merged($0, $1) }
        #expect(merged.deletedAt == expected["deletedAt"]?.instant, "\(vector["name"]?.string ?? "")")
        guard !merged.isDeleted else { continue }
        #expect(merged.updatedAt == expected["updatedAt"]?.instant, "\(vector["name"]?.string ?? "")")
        #expect(merged.body?["name"] == expected["name"], "\(vector["name"]?.string ?? "")")
        #expect(merged.body?["exercises"] == expected["exercises"], "\(vector["name"]?.string ?? "")")
      }
    }
  }

  private func record(parts replica: JSONValue) throws -> SyncedRecord {
    var (body, list, notes) = (JSONObject(), MergeNotes.List(), MergeNotes())
    let created = try #require(Instant("2026-01-05T12:00:00.000Z"))
    var last = created
    func take(_ value: JSONValue?) throws -> Instant {
      let at = try #require(value?.instant)
      last = max(last, at)
      return at
    }
    notes.block = try take(replica["meta"]?["at"])
    body["name"] = replica["meta"]?["name"]
    list.orderedAt = try take(replica["order"]?["at"])
    list.order = try #require(replica["order"]?["ids"]?.array).compactMap(\.string)
    list.removed = try #require(replica["removed"]?.object).members.reduce(into: [:]) {
      $0[$1.name] = try take($1.value)
    }
    var parts: [JSONValue] = []
    for (id, part) in try #require(replica["parts"]?.object).members {
      let at = try take(part["at"])
      // What was removed after its last change is gone.
      if let removed = list.removed[id], removed >= at { continue }
      parts.append(
        .object(
          JSONObject([("id", .string(id)), ("updatedAt", .string("\(at)")), ("note", try #require(part["note"]))])))
    }
    body["exercises"] = .array(parts)
    notes.lists["exercises"] = list
    var record = SyncedRecord(body, createdAt: created, updatedAt: last, notes: notes)
    record.deletedAt = replica["deletedAt"]?.instant
    return MergePolicy.byPart(lists: [PartList("exercises", key: "id")]).merged(record, record)
  }

  @Test("The order of the outbox")
  func outboxOrder() throws {
    func priority(_ collection: String) -> Int { Collections.declaration(named: collection)?.syncPriority ?? 0 }
    let vector = try Vectors.named("outboxOrder")
    func rows(_ name: String) throws -> [(collection: String, position: Int)] {
      try #require(vector[name]?.array).map { row in
        (try #require(row["collection"]?.string), try #require(row["sequence"]?.int))
      }
    }
    let sent = try rows("enqueued").sorted { left, right in
      OutboxRow.isSent(
        (left.collection == "tombstone", priority(left.collection), left.position),
        before: (right.collection == "tombstone", priority(right.collection), right.position))
    }
    #expect(sent.map(\.position) == (try rows("sent").map(\.position)))
  }

  @Test("What never travels")
  func neverTravel() throws {
    for (collection, members) in try #require(Vectors.named("neverTravel").object).members {
      let declared = try #require(Collections.declaration(named: collection))
      #expect(declared.localMembers == members.array?.compactMap(\.string))
    }
  }

  @Test("Attempts")
  func attempts() throws {
    let triggers: [String: PassTrigger] = [
      "tick": .tick, "reconnect": .reconnect, "write": .write, "active": .active, "start": .start,
    ]
    for vector in try Vectors.list("attempts") {
      var row: OutboxRow? = OutboxRow(base: nil, position: 1)
      for step in try #require(vector["steps"]?.array) {
        let event = try #require(step["event"]?.string).split(separator: ":").map(String.init)
        if event == ["retry"] {
          row?.retry()
        } else if let trigger = triggers[event[0]], row?.isDue(in: trigger) == true {
          if event[1] == "ok" { row = nil } else { row?.failed("refused", at: Instant(milliseconds: 1)) }
        }
        #expect((row.map { "\($0.retryCount)" } ?? "sent") == (step["retryCount"]?.int.map { "\($0)" } ?? "sent"))
        if let row { #expect(row.needsManualIntervention == step["needsManualIntervention"]?.bool) }
      }
    }
  }

  @Test("The failsafe of deletions")
  func failsafe() throws {
    for vector in try Vectors.list("failsafe") {
      let (removed, records) = (try #require(vector["removed"]?.int), try #require(vector["records"]?.int))
      #expect(DeletionFailsafe.asks(removed: removed, of: records) == vector["asks"]?.bool)
    }
  }
}

extension Array {
  /// The elements in every order.
  fileprivate var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index -> [[Element]] in
      var rest = self
      let first = rest.remove(at: index)
      return rest.permutations.map { [first] + $0 }
    }
  }
}
