import CivilTime
import CollectionTables
import FileStore
import JSON
import SyncRules
import Testing

@testable import SyncEngine

@Suite("Members that are merged as one")
struct MemberGroupTests {
  /// Settings that devices changed, each on its own, in this order; merged.
  private func merged(_ collection: String, _ start: String, _ changes: String...) throws -> JSONObject {
    let declaration = try #require(Collections.declaration(named: collection))
    let policy = try #require(SyncedCollection(declaration)).policy
    let body = try object(start)
    let first = SyncedRecord(body, createdAt: at(0), updatedAt: at(0))
    let past = policy.edited(nil, to: first, isInitial: true)
    let versions = try changes.enumerated().map { index, change in
      var body = body
      for member in try object(change).members { body[member.name] = member.value }
      return policy.edited(past, to: body, createdAt: at(0), at: at(index + 1))
    }
    let merged = versions.reduce(past) { policy.merged($0, $1) }
    #expect(versions.reversed().reduce(past) { policy.merged($0, $1) } == merged)
    return try #require(merged.body)
  }

  private func at(_ time: Int) -> Instant { Instant(milliseconds: Int64(time)) }

  private func object(_ text: String) throws -> JSONObject {
    try #require(JSONObject(text: Array(text.utf8)))
  }

  private let computed = #"{"age":32,"totalCalories":2763,"totalCaloriesSource":"computed"}"#

  @Test("A number that somebody chose stays when another device computes it anew later")
  func chosen() throws {
    let settings = try merged(
      "settings", computed, #"{"totalCalories":2500,"totalCaloriesSource":"custom"}"#,
      #"{"age":40,"totalCalories":2700}"#)
    #expect(
      try settings == object(#"{"age":40,"totalCalories":2500,"totalCaloriesSource":"custom"}"#))
  }

  @Test("The later choice wins, be it to compute the number, with the number that belongs to it")
  func laterChoice() throws {
    let settings = try merged(
      "settings", #"{"age":32,"totalCalories":2000,"totalCaloriesSource":"custom"}"#, #"{"totalCalories":2500}"#,
      #"{"totalCalories":2763,"totalCaloriesSource":"computed"}"#)
    #expect(try settings == object(computed))
  }

  @Test("Of two computed numbers the later stays, until it is computed from all that was merged")
  func laterComputed() throws {
    let settings = try merged(
      "settings", computed, #"{"age":40,"totalCalories":2700}"#, #"{"totalCalories":2600}"#)
    #expect(try settings == object(#"{"age":40,"totalCalories":2600,"totalCaloriesSource":"computed"}"#))
  }

  @Test("A weight and its unit are one value, and so are a measure and how it was typed")
  func units() throws {
    let training = try merged(
      "trainingSettings", #"{"weightUnit":"kg","bar":"20"}"#, #"{"weightUnit":"lb","bar":"45"}"#, #"{"bar":"15"}"#)
    #expect(try training == object(#"{"weightUnit":"kg","bar":"15"}"#))
    let settings = try merged(
      "settings", #"{"height":"178"}"#, #"{"height":"180.3","heightTyped":{"feet":5}}"#, #"{"height":"181"}"#)
    #expect(try settings == object(#"{"height":"181"}"#))
  }
}
