import CivilTime
import FileStore
import JSON
import Values

/// How the last passes of any process on this folder went, in one internal record.
package struct SyncReport: Equatable, Sendable {
  /// When a pass last succeeded.
  package var lastSyncAt: Instant?
  /// When a pass last ended, well or not.
  package var lastPassAt: Instant?
  /// Since when something of other devices cannot be read; nil when all was.
  package var incompleteSince: Instant?
  /// Whether everything was exchanged then.
  package var isSynced = false
  /// Why the last pass failed; nil after a success.
  package var problem: Problem?
  /// The devices whose heads the last pass has read, without this one.
  package var devices: [Device] = []
  /// What the last passes did, newest first; at most `maximumEntries`.
  package var entries: [Entry] = []

  package static let maximumEntries = 100

  /// A failure that lasts. The same cause in the same phase keeps its id.
  package struct Problem: Equatable, Sendable {
    package var id: EntityID
    package var phase: PassFailure.Phase
    /// The cause, as the protocol names it.
    package var cause: String
    package var message: String
    package var at: Instant
    /// Whether the user does not want to see it until the next failed pass.
    package var isDismissed = false

    package init(
      id: EntityID, phase: PassFailure.Phase, cause: String, message: String, at: Instant
    ) {
      (self.id, self.phase, self.cause, self.message, self.at) = (id, phase, cause, message, at)
    }
  }

  /// A device, as its head says.
  package struct Device: Equatable, Sendable {
    package var stream: String
    package var name: String
    package var version: String
    package var at: Instant
    /// The counter of its head.
    package var counter: Int
    /// Whether a device had marked it as one that no longer counts.
    package var isRemoved: Bool
  }

  package struct Entry: Equatable, Sendable {
    package var id: EntityID
    package var at: Instant
    /// Nil if the pass failed for no fault of ours or the remote's.
    package var phase: PassFailure.Phase?
    package var severity: Severity
    package var message: String
  }

  package enum Severity: String, Sendable { case info, warning, error }

  package init() {}

  /// Notes a pass that succeeded.
  ///
  /// - Parameter newID: Makes the ids of entries.
  package mutating func succeeded(_ outcome: PassOutcome, at now: Instant, newID: () -> EntityID) {
    (lastPassAt, isSynced) = (now, outcome.isSynced)
    // A device whose head cannot be read is still one.
    let unread = Set(outcome.incomplete.map(\.device)).subtracting(outcome.devices.map(\.stream))
    devices = outcome.devices + devices.filter { unread.contains($0.stream) }
    let did = outcome.summary
    // A pass with nothing new is no news.
    if !did.isEmpty || entries.first?.severity != .info {
      add(Entry(id: newID(), at: now, severity: .info, message: did.isEmpty ? "Nothing new." : did))
    }
    for device in outcome.early {
      let message = "Changes of “\(device)” are more than a day ahead of the clock here; until then they win."
      add(Entry(id: newID(), at: now, severity: .warning, message: message))
    }
    noteIncomplete(outcome, at: now, newID)
  }

  /// How long a file may be missing until that is told, in milliseconds: it may be on its way.
  private static let longestWay: Int64 = 3_600_000

  /// Notes what could not be read. A damaged file is told when the next pass finds it so again: it may have been
  /// incomplete.
  private mutating func noteIncomplete(_ outcome: PassOutcome, at now: Instant, _ newID: () -> EntityID) {
    guard let first = outcome.incomplete.first(where: \.isDamaged) ?? outcome.incomplete.first else {
      (lastSyncAt, incompleteSince, problem) = (now, nil, nil)
      return
    }
    let since = incompleteSince ?? now
    let isTold = first.isDamaged ? incompleteSince != nil : since.advanced(by: SyncReport.longestWay) <= now
    incompleteSince = since
    guard isTold else { return problem = nil }
    let failure = first.failure(naming: devices)
    fail(
      .pull, failure.cause.rawValue, failure.message + " What it says is not here; the rest is.", at: now, id: newID())
  }

  /// Notes records that this version cannot read, or only in part.
  mutating func note(unread: [CollectionName: Int], at now: Instant, newID: () -> EntityID) {
    for (collection, count) in unread.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let records = count == 1 ? "1 record" : "\(count) records"
      let message =
        "This version cannot read all of \(records) of “\(collection)”; a newer version may. They are kept as received."
      add(Entry(id: newID(), at: now, severity: .warning, message: message))
    }
  }

  /// Notes a pass that failed.
  package mutating func failed(
    _ phase: PassFailure.Phase, _ cause: String, _ message: String, at now: Instant, id: EntityID
  ) {
    (lastPassAt, isSynced) = (now, false)
    fail(phase, cause, message, at: now, id: id)
  }

  private mutating func fail(
    _ phase: PassFailure.Phase, _ cause: String, _ message: String, at now: Instant, id: EntityID
  ) {
    let isKnown = problem?.phase == phase && problem?.cause == cause
    let problemID = isKnown ? problem?.id ?? id : id
    // A cause that lasts is one entry of the log.
    if !isKnown { add(Entry(id: id, at: now, phase: phase, severity: .error, message: message)) }
    problem = Problem(id: problemID, phase: phase, cause: cause, message: message, at: now)
  }

  private mutating func add(_ entry: Entry) {
    entries.insert(entry, at: 0)
    if entries.count > SyncReport.maximumEntries { entries.removeLast(entries.count - SyncReport.maximumEntries) }
  }
}

extension SyncReport {
  static let id = EntityID(high: 0x8000, low: 0x8000_0000_0000_0003)

  var json: JSONObject {
    var object = JSONObject([
      ("synced", .bool(isSynced)), ("devices", .objects(devices.map(\.json))),
      ("entries", .objects(entries.map(\.json))),
    ])
    object["lastSyncAt"] = lastSyncAt.map { .text($0) }
    object["lastPassAt"] = lastPassAt.map { .text($0) }
    object["incompleteSince"] = incompleteSince.map { .text($0) }
    object["problem"] = problem.map { .object($0.json) }
    return object
  }

  init(_ object: JSONObject) {
    isSynced = object["synced"] == .bool(true)
    (lastSyncAt, lastPassAt) = (object.instant("lastSyncAt"), object.instant("lastPassAt"))
    incompleteSince = object.instant("incompleteSince")
    problem = object.object("problem").flatMap { Problem($0) }
    devices = object.objects("devices").compactMap { Device($0) }
    entries = object.objects("entries").compactMap { Entry($0) }
  }
}

extension SyncReport.Problem {
  fileprivate var json: JSONObject {
    JSONObject([
      ("id", .text(id)), ("phase", .string(phase.rawValue)), ("cause", .string(cause)), ("message", .string(message)),
      ("at", .text(at)), ("dismissed", .bool(isDismissed)),
    ])
  }

  fileprivate init?(_ object: JSONObject) {
    guard let id = object.id("id"), let phase = PassFailure.Phase(in: object), let cause = object.text("cause"),
      let message = object.text("message"), let at = object.instant("at")
    else { return nil }
    self.init(id: id, phase: phase, cause: cause, message: message, at: at)
    isDismissed = object["dismissed"] == .bool(true)
  }
}

extension SyncReport.Device {
  fileprivate var json: JSONObject {
    JSONObject([
      ("stream", .string(stream)), ("name", .string(name)), ("version", .string(version)), ("at", .text(at)),
      ("counter", .int(counter)), ("removed", .bool(isRemoved)),
    ])
  }

  fileprivate init?(_ object: JSONObject) {
    guard let stream = object.text("stream"), let name = object.text("name"), let version = object.text("version"),
      let at = object.instant("at"), let counter = object.int("counter")
    else { return nil }
    let isRemoved = object["removed"] == .bool(true)
    self.init(stream: stream, name: name, version: version, at: at, counter: counter, isRemoved: isRemoved)
  }
}

extension SyncReport.Entry {
  fileprivate var json: JSONObject {
    var object = JSONObject([
      ("id", .text(id)), ("at", .text(at)), ("severity", .string(severity.rawValue)), ("message", .string(message)),
    ])
    object["phase"] = phase.map { .string($0.rawValue) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let id = object.id("id"), let at = object.instant("at"), let message = object.text("message"),
      let severity = object.text("severity").flatMap({ SyncReport.Severity(rawValue: $0) })
    else { return nil }
    self.init(id: id, at: at, phase: PassFailure.Phase(in: object), severity: severity, message: message)
  }
}

extension PassFailure.Phase {
  /// Reads the member `phase`.
  fileprivate init?(in object: JSONObject) {
    guard let text = object.text("phase") else { return nil }
    self.init(rawValue: text)
  }
}
