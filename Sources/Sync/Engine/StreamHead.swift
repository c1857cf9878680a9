import CivilTime
import FileStore
import JSON
import SyncRules

/// What a device says of its stream, in the one file that it replaces.
package struct StreamHead: Equatable, Sendable {
  /// What a reader has to understand; a greater number needs a newer version of the program.
  package static let requirement = 1

  /// Random; names the device.
  package var stream: String
  /// Grows with new batches, and only then.
  package var counter = 0
  /// The names of the batches that make up the stream.
  package var batches: [String] = []
  /// The counter of each other stream when everything of it was applied here.
  package var seen: [String: Int] = [:]
  /// Streams that no longer count, up to a counter: what is missing of them is not awaited.
  package var marks: [String: Int] = [:]
  package var requires = StreamHead.requirement
  /// The name of the device, as people see it.
  package var device = ""
  /// The version of the program.
  package var version = ""
  package var at = Instant(milliseconds: 0)
  /// The digest of all records, unless something was unsent or held back.
  package var digest: FolderDigest?

  package init(stream: String) { self.stream = stream }

  /// Whether both say the same, apart from when.
  package func hasSameContent(as other: StreamHead) -> Bool {
    var other = other
    other.at = at
    return self == other
  }
}

extension StreamHead {
  private enum Name {
    static let (stream, counter, batches, seen, marks) = ("stream", "counter", "batches", "seen", "marks")
    static let (requires, device, version, at) = ("requires", "device", "version", "at")
    static let (digest, checksum) = ("digest", "sha256")
  }

  package var json: JSONObject {
    var object = JSONObject([
      (Name.stream, .string(stream)), (Name.counter, .number(JSONNumber(counter))),
      (Name.batches, .array(batches.map { .string($0) })), (Name.seen, StreamHead.json(seen)),
      (Name.marks, StreamHead.json(marks)), (Name.requires, .number(JSONNumber(requires))),
      (Name.device, .string(device)), (Name.version, .string(version)), (Name.at, .string("\(at)")),
    ])
    object[Name.digest] = digest.map { .string("\($0)") }
    return object
  }

  /// The file: one object with the hash of its other members.
  package var bytes: [UInt8] {
    var object = json
    object[Name.checksum] = .string(StreamHead.checksum(of: json))
    return JSONValue.object(object).json + [UInt8(ascii: "\n")]
  }

  /// Reads the file; nil if it is damaged.
  package init?(bytes: [UInt8]) {
    guard case .object(var object)? = bytes.withUnsafeBytes({ try? JSONValue(json: $0) }),
      case .string(let checksum)? = object[Name.checksum]
    else { return nil }
    object[Name.checksum] = nil
    guard checksum == StreamHead.checksum(of: object) else { return nil }
    self.init(object)
  }

  /// Reads what `json` writes.
  package init?(_ object: JSONObject) {
    guard case .string(let stream)? = object[Name.stream], let counter = StreamHead.int(object[Name.counter]),
      case .array(let batches)? = object[Name.batches], let requires = StreamHead.int(object[Name.requires])
    else { return nil }
    self.init(stream: stream)
    self.counter = counter
    self.requires = requires
    self.batches = batches.compactMap { if case .string(let name) = $0 { name } else { nil } }
    seen = StreamHead.counters(object[Name.seen])
    marks = StreamHead.counters(object[Name.marks])
    if case .string(let device)? = object[Name.device] { self.device = device }
    if case .string(let version)? = object[Name.version] { self.version = version }
    if case .string(let at)? = object[Name.at] { self.at = Instant(at) ?? self.at }
    if case .string(let digest)? = object[Name.digest] { self.digest = FolderDigest(digest) }
  }

  private static func checksum(of object: JSONObject) -> String {
    JSONValue.object(object).json.withUnsafeBytes { "\(SHA256.hash($0))" }
  }

  static func json(_ counters: [String: Int]) -> JSONValue {
    .object(JSONObject(counters.sorted { $0.key < $1.key }.map { ($0.key, .number(JSONNumber($0.value))) }))
  }

  static func counters(_ value: JSONValue?) -> [String: Int] {
    guard case .object(let object)? = value else { return [:] }
    return object.members.reduce(into: [:]) { $0[$1.name] = int($1.value) }
  }

  static func int(_ value: JSONValue?) -> Int? { if case .number(let number)? = value { number.integer } else { nil } }
}
