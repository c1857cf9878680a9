import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import FileStoreTesting
import JSON
import JSONRPC
import ProcessTesting
import SettingsDocument
import Testing
import Values

@testable import DaybookServer

@Suite("The feed of changes")
struct ChangeFeedTests {
  private let folder: FeedFolder
  init() throws { folder = try FeedFolder() }

  /// A habit that is filled by water, or by another measure.
  private func putHabit(_ number: Int, source: String, archived: Bool = false) throws {
    try folder.put(
      "habits", number,
      """
      {"id":"$","name":"Habit \(number)","icon":"star","colour":"#007AFF","kind":"good","measure":"numeric",\
      "unit":"ml","target":"1","schedule":{"kind":"daily"},"startDay":"2026-01-01",\
      "categoryId":"00000000-0000-4000-8000-000000000001","order":\(number),"source":"\(source)",\
      \(archived ? "\"archivedDay\":\"2026-01-04\"," : "")\
      "createdAt":"2026-01-05T12:00:00.000Z","updatedAt":"2026-01-05T12:00:00.000Z"}
      """)
  }

  @Test("A change is told by one event of each changed collection, in the order of its latest change")
  func own() throws {
    let start = try folder.revision
    try folder.put("meals", 1, day: true)
    try folder.put("water", 2, day: true)
    try folder.put("meals", 3, day: true)
    let events = try folder.feed.events(since: start, origin: .thisFrontend).all
    #expect(events.map(\.name) == ["waterChanged", "mealsChanged"])
    #expect(events.map(\.revision) == [start + 2, start + 3])
    #expect(events[1].ids == [FeedFolder.id(1), FeedFolder.id(3)])
    #expect(try folder.feed.events(since: start + 3).all.isEmpty)
  }

  @Test(
    "Without a given origin, a change is this frontend's only if it made all of it",
    arguments: [
      ([true, true], "thisFrontend"), ([true, false], "otherProcess"), ([false, false], "otherProcess"),
    ])
  func origin(_ isOwn: [Bool], _ expected: String) throws {
    try putHabit(9, source: "water")
    let start = try folder.revision
    for (number, isOwn) in isOwn.enumerated() { try folder.put("water", number, day: true, isOwn: isOwn) }
    let events = try folder.feed.events(since: start).all
    #expect(events.map(\.name) == ["waterChanged", "habitDaysChanged"])
    #expect(events.map(\.origin) == [expected, expected])
  }

  @Test("A given origin is that of the events and of the consequences", arguments: Origin.known + [.unknown("moon")])
  func given(_ origin: Origin) throws {
    try putHabit(1, source: "water")
    let start = try folder.revision
    try folder.put("water", 2, day: true)
    let events = try folder.feed.events(since: start, origin: origin).all
    #expect(events.map(\.origin) == [origin.rawValue, origin.rawValue])
  }

  @Test("A habit that a measure fills changes once with all collections behind the measure, unless it is archived")
  func consequences() throws {
    try putHabit(1, source: "meals")
    try putHabit(2, source: "water")
    try putHabit(3, source: "meals", archived: true)
    let start = try folder.revision
    try folder.put("meals", 4, day: true)
    try folder.put("days", 5, day: true)
    let events = try folder.feed.events(since: start)
    #expect(events.own.map(\.name) == ["mealsChanged", "daysChanged"])
    #expect(events.consequences.events.map(\.name) == ["habitDaysChanged"])
    let told = try #require(events.consequences.events.first)
    #expect(told.revision == start + 2 && told.ids == [FeedFolder.id(1)])
    #expect(events.consequences.affectsReminders)
  }

  @Test("A consequence follows the habits as they are now")
  func habitsChange() throws {
    let start = try folder.revision
    try folder.put("water", 1, day: true)
    #expect(try folder.feed.events(since: start).consequences.events.isEmpty)
    let before = try folder.revision
    try putHabit(2, source: "water")
    _ = try folder.feed.events(since: before)
    try folder.put("water", 3, day: true)
    #expect(try folder.feed.events(since: before + 1).consequences.events.map(\.ids) == [[FeedFolder.id(2)]])
  }

  @Test(
    "Of wanted domains only, and a consequence without its cause",
    arguments: [
      ([], []), (["habits"], ["habitDaysChanged"]), (["meals"], ["mealsChanged"]),
      (["water", "habits"], ["waterChanged", "habitDaysChanged"]), (["settings"], []),
    ] as [([String], [String])])
  func wanted(_ domains: [String], _ expected: [String]) throws {
    try putHabit(1, source: "water")
    let start = try folder.revision
    try folder.put("meals", 2, day: true)
    try folder.put("water", 3, day: true)
    let wanted = Set(EventDomain.known.filter { domains.contains($0.rawValue) })
    #expect(wanted.count == domains.count)
    #expect(try folder.feed.events(since: start, of: wanted).all.map(\.name) == expected)
  }

  @Test("The origin of wanted events does not depend on what is not wanted")
  func originOfWanted() throws {
    let start = try folder.revision
    try folder.put("meals", 1, day: true, isOwn: true)
    try folder.put("water", 2, day: true, isOwn: false)
    #expect(try folder.feed.events(since: start, of: [.meals]).all.map(\.origin) == ["thisFrontend"])
    #expect(try folder.feed.events(since: start, of: [.water]).all.map(\.origin) == ["otherProcess"])
  }

  @Test("The names of changed settings are asked only if the settings changed; rates tell what happened to them")
  func singles() throws {
    let start = try folder.revision
    try folder.put("meals", 1, day: true)
    var asked = 0
    let names = { () -> [String] in
      asked += 1
      return ["age"]
    }
    _ = try folder.feed.events(since: start, changedMembers: names)
    #expect(asked == 0)
    try folder.putSettings()
    try folder.put("rates", 3, "{}")
    try folder.put("onboarding", 2, "{}")
    let events = try folder.feed.events(since: start + 1, changedMembers: names).all
    #expect(asked == 1)
    // The completion of the introduction is announced by the code that makes it.
    #expect(events.map(\.name) == ["settingsChanged", "ratesChanged"])
    #expect(
      events.map(\.text) == [
        #"{"revision":2,"origin":"otherProcess","changed":["age"]}"#,
        #"{"revision":3,"origin":"otherProcess","kind":"added"}"#,
      ])
  }

  @Test("Internal records are not told, and those of later versions only by “changes/since”")
  func hidden() throws {
    let start = try folder.revision
    for (number, collection) in SessionConstants.ownCollections.enumerated() {
      try folder.put(collection.rawValue, number)
    }
    #expect(try folder.feed.events(since: start).all.isEmpty)
    #expect(try folder.feed.changes(since: start).changes.isEmpty)
    try folder.put("dreams", 1)
    #expect(try folder.feed.events(since: start).all.isEmpty)
    #expect(try folder.feed.changes(since: start).changes.map(\.domain) == [.unknown("dreams")])
  }

  @Test("Meals affect the reminders while there are meal reminders", arguments: [false, true])
  func mealReminders(_ hasReminders: Bool) throws {
    try folder.putSettings(mealReminders: hasReminders ? ["08:00"] : [])
    let start = try folder.revision
    try folder.put("meals", 1, day: true)
    #expect(try folder.feed.events(since: start).consequences.affectsReminders == hasReminders)
  }

  @Test("Reminders depend on each collection that declares it, and on no other")
  func reminders() throws {
    for declared in Collections.all where declared.collection != Settings.collection {
      let start = try folder.revision
      try folder.put(declared.collection.rawValue, 1)
      let affects = try folder.feed.events(since: start).consequences.affectsReminders
      #expect(affects == declared.affectsReminders, "\(declared.collection)")
    }
  }

  @Test("Events that are prepared for a change are those that the feed makes of it")
  func prepared() throws {
    try putHabit(1, source: "meals")
    let start = try folder.revision
    try folder.put("meals", 2, day: true)
    try folder.put("water", 3, day: true)
    let prepared = PreparedEvents(try folder.store.changes(since: start))
    let made = try folder.feed.events(since: start, origin: .thisFrontend)
    #expect(folder.feed.events(of: prepared).all.map(\.text) == made.all.map(\.text))
    #expect(made.all.count == 3)
  }

  @Test("A revision of the future or of a forgotten past is refused")
  func tooOld() throws {
    let next = try folder.revision + 1
    #expect { try folder.feed.events(since: next) } throws: { ($0 as? RPCError)?.code == ErrorName.revisionTooOld.code }
  }

  @Test("A collection declares exactly the measures that name its event")
  func declared() {
    for declared in Collections.all {
      let named = DayMeasureRegistry.measures.filter { measure in
        declared.event.map { measure.events.contains("\($0)") } ?? false
      }
      #expect(declared.measures == named.map(\.name), "\(declared.collection)")
    }
    let declared = Set(Collections.all.flatMap(\.measures))
    #expect(declared == Set(DayMeasureRegistry.measures.map(\.name)), "every measure follows a collection")
  }
}

/// A data folder on a simulated disk, with its feed.
private final class FeedFolder {
  let feed: ChangeFeed
  let store: FileStore
  private let folder: DataFolder
  private let now = Instant(milliseconds: 1_767_614_400_000)
  private var turn = MessageTurn()

  init() throws {
    let now = now
    folder = DataFolder(
      newID: { .random() }, newIDsAreUnique: true, migrations: .daybook, author: "test",
      settings: SettingsRules.inForce, warn: { _ in }, defect: { RPCError(.internalError, $0) })
    feed = ChangeFeed(folder, Services())
    store = try FileStore.open(
      FileStore.Configuration(
        folder: "/home/someone/daybook", fileSystem: SimulatedDisk(), newID: { .random() }, now: { now },
        onDurable: { _ in }, onCommitFailure: { _ in }))
    folder.opened = .success(store)
    folder.seenRevision = try store.revision
  }

  var revision: Int { get throws { try folder.revision() } }

  static func id(_ number: Int) -> EntityID { EntityID(high: 7, low: UInt64(number)) }

  /// Puts a record, made by this frontend or by another process; “$” in its body is its id.
  func put(
    _ collection: String, _ number: Int, _ body: String = "{}", day: Bool = false, isOwn: Bool = false
  ) throws {
    let id = FeedFolder.id(number)
    try commit(
      .put(
        CollectionName(collection), id: id, day: day ? CivilDay(year: 2026, month: 1, day: 5) : nil, schema: 1,
        createdAt: now, updatedAt: now, body: Array(body.replacing("$", with: "\(id)").utf8)), isOwn: isOwn)
  }

  func putSettings(mealReminders: [String] = []) throws {
    var settings = SettingsRules.defaults
    settings.mealReminders = mealReminders.compactMap(WallTime.init)
    let schema = RecordMigrations.daybook.schema(of: Settings.collection)
    try commit(
      .put(
        Settings.collection, id: Settings.singleID, day: nil, schema: schema, createdAt: now, updatedAt: now,
        body: settings.json), isOwn: false)
  }

  private func commit(_ operation: Operation, isOwn: Bool) throws {
    let made = try folder.commit([operation], label: "test/put", transaction: nil, at: now, &turn)
    if !isOwn { folder.ownRevisions.remove(after: made - 1) }
  }
}

extension Event {
  fileprivate var name: String { "\(method)" }
  fileprivate var text: String { String(decoding: params, as: UTF8.self) }
  private var json: JSONValue? { try? JSONValue(json: params) }
  fileprivate var revision: Int? { json?["revision"]?.integer }
  fileprivate var origin: String? { json?["origin"]?.string }
  /// The ids of the changed entities, or of the habits.
  fileprivate var ids: [EntityID] {
    let ids = json?["habitIds"]?.array ?? json?["changes"]?.array.compactMap { $0["id"] } ?? []
    return ids.compactMap { $0.string.flatMap { EntityID($0) } }
  }
}

extension EntityID {
  fileprivate static func random() -> EntityID {
    EntityID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  }
}
