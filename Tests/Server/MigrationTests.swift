import CivilTime
import FileStore
import Foundation
import JSON
import ProcessTesting
import ServerTesting
import Testing
import Values

@testable import DaybookServer

@Suite("Records of older and newer forms")
struct MigrationTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let meals = CollectionName("meals")

  /// Two fictitious migrations: the first form named the calories differently, the second had no notes.
  private static let sample = RecordMigrations(
    .init(
      meals,
      RecordMigration("spell-out-calories") { object in
        JSONObject(object.members.map { ($0.name == "kcal" ? "calories" : $0.name, $0.value) })
      },
      RecordMigration("give-everybody-a-note") { object in
        var object = object
        if object["note"] == nil { object["note"] = .string("from before notes") }
        return object
      }))

  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// The golden files of the fictitious migrations.
  private static let sampleGolden = golden.appendingPathComponent("Sample")

  /// The problem with the golden file of a migration; nil when it proves the migration.
  private static func complaint(
    _ step: RecordMigration, _ collection: CollectionName, _ number: Int, in folder: URL
  ) -> String? {
    let file = folder.appendingPathComponent("\(collection)-\(number).json")
    guard let data = try? Data(contentsOf: file),
      case .object(let pair)? = try? JSONValue(json: [UInt8](data)), case .object(let before)? = pair["before"],
      case .object(let after)? = pair["after"]
    else { return "\(step.name) has no golden file \(file.lastPathComponent)" }
    guard JSONValue.object(step.apply(before)).json == JSONValue.object(after).json else {
      return "\(step.name) does not make “after” out of “before”"
    }
    var (further, kept) = (before, after)
    further["fromALaterVersion"] = .array([.null])
    kept["fromALaterVersion"] = .array([.null])
    return step.apply(further) == kept ? nil : "\(step.name) loses members that it does not know"
  }

  private static func complaints(_ migrations: RecordMigrations, in folder: URL = golden) -> [String] {
    migrations.collections.flatMap { collection -> [String] in
      let steps = migrations.steps(of: collection)
      let names = Set(steps.map(\.name))
      return steps.enumerated().compactMap { complaint($1, collection, $0 + 1, in: folder) }
        + (names.count == steps.count ? [] : ["two steps of \(collection) have one name"])
    }
  }

  @Test("Every migration has a golden file and a unique name, and keeps unknown members")
  func golden() {
    #expect(MigrationTests.complaints(.daybook).isEmpty)
    #expect(MigrationTests.complaints(MigrationTests.sample, in: MigrationTests.sampleGolden).isEmpty)
    let bad = RecordMigrations(
      .init(
        MigrationTests.meals,
        RecordMigration("forgets") { object in JSONObject(object.members.filter { $0.name == "id" }) },
        RecordMigration("forgets") { $0 }, RecordMigration("new") { $0 }))
    #expect(MigrationTests.complaints(bad, in: MigrationTests.sampleGolden).count == 4)
  }

  @Test(
    "A migration that renames a member leaves bodies without it unchanged",
    arguments: [
      ("meals", "{\"name\":\"Soup\",\"calories\":1}", nil), ("meals", "{}", nil), ("meals", "", nil),
      ("meals", "{\"name\":\"isQuick\"}", "{\"name\":\"isQuick\"}"),
      ("meals", "{\"isQuick\":true,\"name\":\"a\"}", "{\"quick\":true,\"name\":\"a\"}"),
      ("meals", "{\"isQuick\":true,\"quick\":false}", "{\"isQuick\":true,\"quick\":false}"),
      ("meals", "{\"isQuic\":1,\"iisQuick\":2,\"i\":\"is\"}", nil), ("meals", "[\"isQuick\"", nil),
      ("meals", "isQuick\"", nil),
      ("meals", "{\"i\":\"ii\",\"isQuick\":3}", "{\"i\":\"ii\",\"quick\":3}"),
      ("subscriptions", "{\"name\":\"Films\"}", nil),
      ("subscriptions", "{\"a\":{\"notes\":1},\"notes\":\"x\"}", "{\"a\":{\"notes\":1},\"note\":\"x\"}"),
    ] as [(String, String, String?)])
  func renaming(collection: String, body: String, expected: String?) {
    let present = Array(body.utf8).withUnsafeBytes {
      RecordMigrations.daybook.presentForm(of: $0, schema: 1, in: CollectionName(collection))
    }
    #expect(present.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  // MARK: a store of several forms

  private static let first = EntityID(high: 1, low: 1)

  /// Stores a meal in an older form, as a version of that time did.
  private func store(_ number: UInt64, schema: Int, _ members: String) throws {
    let created = Instant(milliseconds: 1_767_600_000_000)
    let id = EntityID(high: 1, low: number)
    let body =
      "{\"id\":\"\(id)\",\"day\":\"2026-01-05\",\"zone\":\"UTC\",\"name\":\"Meal \(number)\",\(members),"
      + "\"mealType\":\"meal\",\"createdAt\":\"\(created)\",\"updatedAt\":\"\(created)\"}"
    let store = try FileStore.open(configuration)
    let revision = try store.commit(
      Transaction(
        id: ServiceOptions.randomID(), at: created, author: "test", label: "meals/add",
        operations: [
          .put(
            MigrationTests.meals, id: id, day: CivilDay("2026-01-05"), schema: schema, createdAt: created,
            updatedAt: created, body: Array(body.utf8))
        ]))
    store.waitUntilDurable()
    #expect(store.durableRevision == revision)
    store.close()
  }

  private var configuration: FileStore.Configuration {
    FileStore.Configuration(
      folder: folder.data, newID: ServiceOptions.randomID, now: { Instant(milliseconds: 1_767_600_000_000) },
      onDurable: { _ in }, onCommitFailure: { _ in })
  }

  /// The form and the members of a stored meal.
  private func stored(_ number: UInt64) throws -> (schema: Int, body: JSONValue)? {
    let store = try FileStore.open(configuration)
    defer { store.close() }
    guard let record = try store.snapshot.record(EntityID(high: 1, low: number), in: MigrationTests.meals) else {
      return nil
    }
    return (record.schema, try record.body.withUnsafeBytes { try JSONValue(json: $0) })
  }

  private func serve(_ migrations: RecordMigrations, _ body: (InProcessService) throws -> Void) throws {
    let service = try #require(
      InProcessService(folder: folder.data, hasOtherVersions: true) { $0.migrations = migrations })
    defer { service.close() }
    try body(service)
  }

  private func ids(_ list: JSONValue) -> Int {
    if case .array(let meals)? = list["result"]?["meals"] { meals.count } else { -1 }
  }

  @Test("An older record is read in the present form everywhere, and written in it when it is rewritten")
  func older() throws {
    try store(1, schema: 1, "\"kcal\":350,\"mood\":4")
    try store(2, schema: 2, "\"calories\":100")
    try store(3, schema: 3, "\"calories\":20,\"note\":\"x\"")
    try serve(MigrationTests.sample) { service in
      let meal = service.call("meals/get", "{\"id\":\"\(MigrationTests.first)\"}")["result"]?["meal"]
      #expect(meal?["calories"]?.integer == 350 && meal?["note"]?.string == "from before notes")
      #expect(meal?["kcal"] == nil)
      #expect(ids(service.call("meals/list", "{}")) == 3)
      let today = service.call("days/get", "{\"day\":\"2026-01-05\"}")
      #expect(today["result"]?["caloriesConsumed"]?.integer == 470)
      let update = service.call("meals/update", "{\"id\":\"\(MigrationTests.first)\",\"calories\":351}")
      #expect(update["result"]?["meal"]?["calories"]?.integer == 351, "\(update)")
    }
    let written = try #require(try stored(1))
    #expect(written.schema == 3 && written.body["calories"]?.integer == 351 && written.body["kcal"] == nil)
    #expect(written.body["mood"]?.integer == 4, "what no version knows stays")
    let untouched = try #require(try stored(2))
    #expect(untouched.schema == 2 && untouched.body["note"] == nil, "nothing is rewritten for its form alone")
  }

  @Test("Unknown values of a later version stay, until an edit replaces them")
  func nested() throws {
    try store(1, schema: 1, "\"calories\":350,\"nutrients\":{\"fibre\":\"3\",\"iron\":\"2\"}")
    func nutrients() throws -> JSONValue? { try stored(1)?.body["nutrients"] }
    try serve(.daybook) { service in
      let renamed = service.call("meals/update", "{\"id\":\"\(MigrationTests.first)\",\"name\":\"Soup\"}")
      #expect(renamed["result"]?["meal"]?["name"]?.string == "Soup", "\(renamed)")
    }
    #expect(try nutrients()?["iron"]?.string == "2")
    try serve(.daybook) { service in
      let changed = service.call(
        "meals/update", "{\"id\":\"\(MigrationTests.first)\",\"nutrients\":{\"fibre\":\"4\"}}")
      #expect(changed["result"]?["meal"]?["nutrients"]?["fibre"]?.string == "4", "\(changed)")
    }
    #expect(try nutrients()?["fibre"]?.string == "4" && nutrients()?["iron"] == nil)
  }

  @Test("A newer record is listed, and not overwritten")
  func newer() throws {
    try store(1, schema: 3, "\"calories\":350,\"fibre\":{\"grams\":3}")
    try serve(.daybook) { service in
      #expect(ids(service.call("meals/list", "{}")) == 1)
      let meal = service.call("meals/get", "{\"id\":\"\(MigrationTests.first)\"}")["result"]?["meal"]
      #expect(meal?["fibre"]?["grams"]?.integer == 3)
      let update = service.call("meals/update", "{\"id\":\"\(MigrationTests.first)\",\"calories\":1}")
      #expect(update["error"]?["data"]?["name"]?.string == "storeReadOnly", "\(update)")
      let copy = service.call("meals/copy", "{\"id\":\"\(MigrationTests.first)\"}")
      #expect(copy["result"]?["meal"]?["calories"]?.integer == 350, "a copy is a record of this version's")
    }
    let present = try #require(try stored(1))
    #expect(present.schema == 3 && present.body["fibre"] != nil && present.body["calories"]?.integer == 350)
  }
}
