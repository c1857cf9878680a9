import CivilTime
import FileStore
import JSON
import SyncRules
import Values

/// What a device remembers between passes, in one internal record.
package struct DeviceState: Equatable, Sendable {
  /// The own stream; random, and new after each start over.
  package var stream: String
  /// The counter of the own head.
  package var counter = 0
  /// The number of the next batch.
  package var number = 1
  /// The own batches that are too large to be merged with others.
  package var largeBatches: Set<String> = []
  /// The own head as last written; nil before the first of this stream.
  package var head: StreamHead?
  /// The head that was about to be written, until it is known to be there.
  package var intent: Intent?
  /// The names of the batches that were applied here, by stream.
  package var applied: [String: Set<String>] = [:]
  /// The counter of each other stream up to which everything was applied.
  package var seen: [String: Int] = [:]
  /// Streams that no longer count, up to a counter.
  package var marks: [String: Int] = [:]
  /// Everything is still to be said; nil once it was.
  package var everything: Everything?
  /// Records of this revision and before were said when the remote was configured. Until every device has seen that,
  /// they are judged as unsent ones are.
  package var configuredAt: Int?
  /// The counter of the head after which everything was said for the first time.
  package var firstCounter: Int?
  /// Whether the next pass makes the state of this device the one in force, as the user decided.
  package var keepsLocal = false
  /// The version of the program that ran the last pass.
  package var version: String?
  /// When all own batches were last read, or first written.
  package var verifiedAt: Instant?

  package init(stream: String) { self.stream = stream }

  /// A head that is about to be written, and what is sent with it.
  package struct Intent: Equatable, Sendable {
    package var head: StreamHead
    /// The records in its batches, with their versions.
    package var sent: [EntityKey: SyncVersion]
    /// Where saying everything has arrived; nil when it has ended, or was not going on.
    package var everything: Everything?
  }

  /// How far everything was said: collections by name, records by position, deletions last.
  package struct Everything: Equatable, Sendable {
    /// The collection that is being said; nil before the first.
    package var collection: CollectionName?
    /// The last record said of it.
    package var position: Position?

    package init() {}
  }

  /// Says everything, also what it is told meanwhile: a file of the device that said it may be lost.
  mutating func sayEverything(configuredAt revision: Int) {
    (everything, configuredAt, firstCounter) = (Everything(), revision, nil)
  }

  /// Starts over: a new stream that says everything, and all streams are read again, the old one included.
  ///
  /// - Parameter leaves: Whether the old stream was lost, so that nobody has to wait for what is missing of it.
  package mutating func startOver(stream new: String, leaves: Bool) {
    if leaves { marks[stream] = max(counter, marks[stream] ?? 0) }
    stream = new
    (counter, number, head, intent, largeBatches) = (0, 1, nil, nil, [])
    verifiedAt = nil
    (applied, seen, everything) = ([:], [:], Everything())
  }
}

extension DeviceState {
  /// Every change that a pass makes puts a record of it.
  package static let collection = CollectionName("sync-state")
  static let id = EntityID(high: 0x8000, low: 0x8000_0000_0000_0001)

  private enum Name {
    static let (stream, counter, number, head, intent) = ("stream", "counter", "number", "head", "intent")
    static let (applied, seen, marks, everything) = ("applied", "seen", "marks", "everything")
    static let (configuredAt, firstCounter, keepsLocal) = ("configuredAt", "firstCounter", "keepsLocal")
    static let (large, version, verifiedAt) = ("largeBatches", "version", "verifiedAt")
  }

  var json: JSONObject {
    var object = JSONObject([
      (Name.stream, .string(stream)), (Name.counter, .int(counter)), (Name.number, .int(number)),
      (Name.applied, .sets(applied)), (Name.seen, .counters(seen)), (Name.marks, .counters(marks)),
    ])
    object[Name.head] = head.map { .object($0.json) }
    object[Name.intent] = intent.map { .object($0.json) }
    object[Name.everything] = everything.map { .object($0.json) }
    object[Name.configuredAt] = configuredAt.map { .int($0) }
    object[Name.firstCounter] = firstCounter.map { .int($0) }
    if !largeBatches.isEmpty { object[Name.large] = .texts(largeBatches.sorted()) }
    if keepsLocal { object[Name.keepsLocal] = .bool(true) }
    object[Name.version] = version.map { .string($0) }
    object[Name.verifiedAt] = verifiedAt.map { .text($0) }
    return object
  }

  init?(_ object: JSONObject) {
    guard let stream = object.text(Name.stream), let counter = object.int(Name.counter),
      let number = object.int(Name.number)
    else { return nil }
    self.init(stream: stream)
    (self.counter, self.number) = (counter, number)
    (applied, seen, marks) = (object.sets(Name.applied), object.counters(Name.seen), object.counters(Name.marks))
    head = object.object(Name.head).flatMap { StreamHead($0) }
    intent = object.object(Name.intent).flatMap { Intent($0) }
    everything = object.object(Name.everything).map { Everything($0) }
    (configuredAt, firstCounter) = (object.int(Name.configuredAt), object.int(Name.firstCounter))
    largeBatches = Set(object.texts(Name.large))
    keepsLocal = object[Name.keepsLocal] == .bool(true)
    (version, verifiedAt) = (object.text(Name.version), object.instant(Name.verifiedAt))
  }
}

extension DeviceState.Intent {
  fileprivate var json: JSONObject {
    let rows = sent.sorted { $0.key < $1.key }.map { key, version in
      JSONObject([("collection", .text(key.collection)), ("id", .text(key.id)), ("version", .object(version.json))])
    }
    var object = JSONObject([("head", .object(head.json)), ("sent", .objects(rows))])
    object["everything"] = everything.map { .object($0.json) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let head = object.object("head").flatMap({ StreamHead($0) }) else { return nil }
    self.head = head
    sent = [:]
    for row in object.objects("sent") {
      guard let key = EntityKey(row), let version = row.object("version").flatMap({ SyncVersion($0) }) else {
        return nil
      }
      sent[key] = version
    }
    everything = object.object("everything").map { DeviceState.Everything($0) }
  }
}

extension DeviceState.Everything {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["collection"] = collection.map { .text($0) }
    if let position {
      object["day"] = position.day.map { .text($0) }
      object["created"] = .text(position.createdAt)
      object["id"] = .text(position.id)
    }
    return object
  }

  fileprivate init(_ object: JSONObject) {
    collection = object.text("collection").map { CollectionName($0) }
    guard let created = object.instant("created"), let id = object.id("id") else { return }
    position = Position(day: object.text("day").flatMap { CivilDay($0) }, createdAt: created, id: id)
  }
}

extension EntityKey {
  /// Reads the members `collection` and `id`.
  init?(_ object: JSONObject) {
    guard let collection = object.text("collection"), let id = object.id("id") else { return nil }
    self.init(CollectionName(collection), id)
  }
}

extension SyncVersion {
  var json: JSONObject {
    JSONObject([("time", .text(time)), ("deletion", .bool(isDeletion)), ("content", .text(content))])
  }

  init?(_ object: JSONObject) {
    guard let time = object.instant("time"), case .bool(let isDeletion)? = object["deletion"],
      let content = object.text("content").flatMap({ SHA256Digest($0) })
    else { return nil }
    self.init(time: time, isDeletion: isDeletion, content: content)
  }
}
