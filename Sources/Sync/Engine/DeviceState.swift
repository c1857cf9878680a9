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

  /// Starts over: a new stream that says everything, and all streams are read again, the old one included.
  ///
  /// - Parameter leaves: Whether the old stream was lost, so that nobody has to wait for what is missing of it.
  package mutating func startOver(stream new: String, leaves: Bool) {
    if leaves { marks[stream] = max(counter, marks[stream] ?? 0) }
    stream = new
    (counter, number, head, intent) = (0, 1, nil, nil)
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
    static let (configuredAt, firstCounter, sent) = ("configuredAt", "firstCounter", "sent")
    static let (collection, day, created, id) = ("collection", "day", "created", "id")
  }

  var json: JSONObject {
    var object = JSONObject([
      (Name.stream, .string(stream)), (Name.counter, .number(JSONNumber(counter))),
      (Name.number, .number(JSONNumber(number))),
      (
        Name.applied,
        .object(
          JSONObject(
            applied.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value.sorted().map { .string($0) })) }))
      ),
      (Name.seen, StreamHead.json(seen)), (Name.marks, StreamHead.json(marks)),
    ])
    object[Name.head] = head.map { .object($0.json) }
    object[Name.intent] = intent.map { .object($0.json) }
    object[Name.everything] = everything.map { .object($0.json) }
    object[Name.configuredAt] = configuredAt.map { .number(JSONNumber($0)) }
    object[Name.firstCounter] = firstCounter.map { .number(JSONNumber($0)) }
    return object
  }

  init?(_ object: JSONObject) {
    guard case .string(let stream)? = object[Name.stream], let counter = StreamHead.int(object[Name.counter]),
      let number = StreamHead.int(object[Name.number])
    else { return nil }
    self.init(stream: stream)
    (self.counter, self.number) = (counter, number)
    seen = StreamHead.counters(object[Name.seen])
    marks = StreamHead.counters(object[Name.marks])
    if case .object(let streams)? = object[Name.applied] {
      for (stream, names) in streams.members {
        guard case .array(let names) = names else { continue }
        applied[stream] = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
      }
    }
    if case .object(let head)? = object[Name.head] { self.head = StreamHead(head) }
    if case .object(let intent)? = object[Name.intent] { self.intent = Intent(intent) }
    if case .object(let everything)? = object[Name.everything] { self.everything = Everything(everything) }
    configuredAt = StreamHead.int(object[Name.configuredAt])
    firstCounter = StreamHead.int(object[Name.firstCounter])
  }
}

extension DeviceState.Intent {
  fileprivate var json: JSONObject {
    var object = JSONObject([
      ("head", .object(head.json)),
      (
        "sent",
        .array(
          sent.sorted { $0.key < $1.key }.map { key, version in
            .object(
              JSONObject([
                ("collection", .string("\(key.collection)")), ("id", .string("\(key.id)")),
                ("version", .object(version.json)),
              ]))
          })
      ),
    ])
    object["everything"] = everything.map { .object($0.json) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard case .object(let head)? = object["head"], let head = StreamHead(head), case .array(let rows)? = object["sent"]
    else { return nil }
    self.head = head
    sent = [:]
    for case .object(let row) in rows {
      guard let key = EntityKey(row), case .object(let version)? = row["version"], let version = SyncVersion(version)
      else { return nil }
      sent[key] = version
    }
    if case .object(let object)? = object["everything"] { everything = DeviceState.Everything(object) }
  }
}

extension DeviceState.Everything {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["collection"] = collection.map { .string("\($0)") }
    if let position {
      object["day"] = position.day.map { .string("\($0)") }
      object["created"] = .string("\(position.createdAt)")
      object["id"] = .string("\(position.id)")
    }
    return object
  }

  fileprivate init(_ object: JSONObject) {
    guard case .string(let collection)? = object["collection"] else { return }
    self.collection = CollectionName(collection)
    guard case .string(let created)? = object["created"], let created = Instant(created),
      case .string(let id)? = object["id"], let id = EntityID(id)
    else { return }
    var day: CivilDay?
    if case .string(let text)? = object["day"] { day = CivilDay(text) }
    position = Position(day: day, createdAt: created, id: id)
  }
}

extension EntityKey {
  /// Reads the members `collection` and `id`.
  init?(_ object: JSONObject) {
    guard case .string(let collection)? = object["collection"], case .string(let id)? = object["id"],
      let id = EntityID(id)
    else { return nil }
    self.init(CollectionName(collection), id)
  }
}

extension SyncVersion {
  var json: JSONObject {
    JSONObject([
      ("time", .string("\(time)")), ("deletion", .bool(isDeletion)), ("content", .string("\(content)")),
    ])
  }

  init?(_ object: JSONObject) {
    guard case .string(let time)? = object["time"], let time = Instant(time),
      case .bool(let isDeletion)? = object["deletion"], case .string(let content)? = object["content"],
      let content = SHA256Digest(content)
    else { return nil }
    self.init(time: time, isDeletion: isDeletion, content: content)
  }
}
