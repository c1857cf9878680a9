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
  /// The records that other devices only show, as they are on this one.
  package var mirrored: [SyncLine] = []
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
    static let (mirrored, digest, checksum) = ("mirrored", "digest", "sha256")
  }

  package var json: JSONObject {
    var object = JSONObject([
      (Name.stream, .string(stream)), (Name.counter, .int(counter)), (Name.batches, .texts(batches)),
      (Name.seen, .counters(seen)), (Name.marks, .counters(marks)), (Name.requires, .int(requires)),
      (Name.device, .string(device)), (Name.version, .string(version)), (Name.at, .text(at)),
    ])
    if !mirrored.isEmpty { object[Name.mirrored] = .objects(mirrored.map(\.json)) }
    object[Name.digest] = digest.map { .text($0) }
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
    guard let object = StreamHead.verified(bytes) else { return nil }
    self.init(object)
  }

  /// The file's object without its hash; nil if it is damaged.
  static func verified(_ bytes: [UInt8]) -> JSONObject? {
    guard case .object(var object)? = bytes.withUnsafeBytes({ try? JSONValue(json: $0) }),
      let checksum = object.text(Name.checksum)
    else { return nil }
    object[Name.checksum] = nil
    return checksum == StreamHead.checksum(of: object) ? object : nil
  }

  /// Whether an object needs a newer version of the program, which alone may know its other members.
  static func isNewer(_ object: JSONObject) -> Bool { object.int(Name.requires) ?? 0 > requirement }

  /// Reads what `json` writes.
  package init?(_ object: JSONObject) {
    guard let stream = object.text(Name.stream), let counter = object.int(Name.counter),
      object[Name.batches] != nil, let requires = object.int(Name.requires)
    else { return nil }
    self.init(stream: stream)
    (self.counter, self.requires, batches) = (counter, requires, object.texts(Name.batches))
    (seen, marks) = (object.counters(Name.seen), object.counters(Name.marks))
    (device, version) = (object.text(Name.device) ?? "", object.text(Name.version) ?? "")
    at = object.instant(Name.at) ?? at
    mirrored = object.objects(Name.mirrored).compactMap { SyncLine($0) }
    digest = object.text(Name.digest).flatMap { FolderDigest($0) }
  }

  private static func checksum(of object: JSONObject) -> String {
    JSONValue.object(object).json.withUnsafeBytes { "\(SHA256.hash($0))" }
  }
}

extension [StreamHead] {
  /// The streams that no longer count, up to a counter, as all heads together say.
  func marks(with own: [String: Int]) -> [String: Int] {
    reduce(into: own) { $0.merge($1.marks) { Swift.max($0, $1) } }
  }
}
