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
    }
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
