import CivilTime
import CollectionTables
import FileStore
import FileStoreTesting
import JSON
import Pacing
import Testing

@testable import SyncRules

@Suite("Laws of merging")
struct MergeLawTests {
  private static let policies: [MergePolicy] = [
    .whole,
    .byMember(defaults: JSONObject([("a", .number(JSONNumber(0))), ("b", .null)])),
    .byMember(defaults: JSONObject([("a", .number(JSONNumber(0)))]), groups: [MemberGroup(["b", "c"])]),
    .byMember(
      defaults: JSONObject([("a", .number(JSONNumber(0)))]),
      groups: [MemberGroup(["a", "b"], derivedWhen: "b", is: "f")]),
    .byPart(lists: [PartList("parts", key: "id"), PartList("marks", key: "day", isOptional: true, isSortedByKey: true)]
    ),
  ]

  @Test("Merging is commutative, associative and idempotent", arguments: policies)
  func laws(_ policy: MergePolicy) {
    for number in 0..<Histories.steps(100_000) {
      var history = RandomRecord(policy, seed: 11, number)
      let (a, b, c) = history.threeVersions()
      let merged = policy.merged(policy.merged(a, b), c)
      #expect(merged == policy.merged(a, policy.merged(b, c)), "\(number): associative")
      #expect(merged == policy.merged(policy.merged(c, a), b), "\(number): commutative")
      #expect(merged == policy.merged(merged, merged), "\(number): idempotent")
      for version in [a, b, c] { #expect(merged == policy.merged(version, merged), "\(number): the maximum") }
    }
  }

  @Test("The version of a record is that of the record with its notes filled in", arguments: policies)
  func filledNotes(_ policy: MergePolicy) {
    for number in 0..<Histories.steps(1000) {
      var history = RandomRecord(policy, seed: 12, number)
      let (a, _, _) = history.threeVersions()
      #expect(policy.version(of: a) == policy.version(of: policy.merged(a, a)), "\(number)")
    }
  }

  @Test("An edit wins against all that it has seen, and keeps what others change elsewhere", arguments: policies)
  func edits(_ policy: MergePolicy) {
    for number in 0..<Histories.steps(1000) {
      var history = RandomRecord(policy, seed: 13, number)
      let (a, b, _) = history.threeVersions()
      let seen = policy.merged(a, b)
      let edited = history.edited(seen)
      #expect(policy.version(of: seen) < policy.version(of: edited), "\(number)")
      let version = policy.version(of: edited)
      #expect(policy.version(of: policy.merged(seen, edited)) == version, "\(number)")
      #expect(policy.version(of: policy.merged(policy.merged(b, edited), a)) == version, "\(number)")
      #expect(parts(policy.merged(edited, edited)) == parts(edited), "\(number): in the order of the edit")
    }
  }

  private func parts(_ record: SyncedRecord) -> [String]? {
    record.body.flatMap { PartList("parts", key: "id").parts(of: $0) }?.map(\.key)
  }

  @Test("A part that changes stays where the edit shows it, although no order names it")
  func unnamedParts() {
    let policy = MergePolicy.byPart(lists: [PartList("parts", key: "id")])
    func edited(_ record: SyncedRecord?, _ parts: [(id: String, value: Int)], at time: Int64) -> SyncedRecord {
      let list = parts.map {
        JSONValue.object(JSONObject([("id", .string($0.id)), ("v", .number(JSONNumber($0.value)))]))
      }
      return policy.edited(
        record, to: JSONObject([("parts", .array(list))]), createdAt: Instant(milliseconds: 0),
        at: Instant(milliseconds: time))
    }
    let first = edited(nil, [("p", 0), ("q", 0), ("r", 0)], at: 1)
    // One device makes the list anew, the other changes two parts after that.
    let here = edited(edited(first, [], at: 5), [("r", 1)], at: 6)
    let there = edited(edited(first, [("p", 1), ("q", 0), ("r", 0)], at: 7), [("p", 1), ("q", 1), ("r", 0)], at: 8)
    let seen = policy.merged(here, there)
    #expect(parts(seen) == ["r", "p", "q"])
    let changed = edited(seen, [("r", 1), ("p", 2), ("q", 1)], at: 20)
    #expect(parts(policy.merged(changed, seen)) == ["r", "p", "q"])
  }

  @Test("Notes are read as they are written")
  func notes() {
    for number in 0..<Histories.steps(500) {
      for policy in MergeLawTests.policies {
        var history = RandomRecord(policy, seed: 14, number)
        let (a, b, _) = history.threeVersions()
        guard let notes = policy.merged(a, b).notes else { continue }
        #expect(MergeNotes(notes.json) == notes, "\(number)")
      }
    }
  }

  @Test("The digest of a folder is independent of the order, and undoes what it counts")
  func digest() {
    var (forward, backward) = (FolderDigest(), FolderDigest())
    let records = (0..<50).map { number in
      var history = RandomRecord(.whole, seed: 15, number)
      return (history.id(), MergePolicy.whole.version(of: history.threeVersions().0))
    }
    for (id, version) in records { forward.add(version, of: id, in: CollectionName("meals")) }
    for (id, version) in records.reversed() { backward.add(version, of: id, in: CollectionName("meals")) }
    #expect(forward == backward && FolderDigest("\(forward)") == forward)
    for (id, version) in records { forward.remove(version, of: id, in: CollectionName("meals")) }
    #expect(forward == FolderDigest())
  }
}
