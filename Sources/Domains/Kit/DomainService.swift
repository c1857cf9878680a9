import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Reminders

/// What answers the requests of a domain. It owns what the domain remembers; which handler a request has is generated.
package protocol DomainService: AnyObject {
  /// What the store is to keep of the domain's months beside their records.
  static func digests(_ migrations: RecordMigrations) -> [Digest]

  /// What it keeps for itself: clients are told of none of these records.
  static var internalEntities: [any CheckedEntity.Type] { get }

  /// Answers a request: decodes its params, calls its handler, writes the result.
  func dispatch(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter
  ) throws(RPCError)

  /// Begins to answer a heavy request.
  func heavy(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<JSONFragment<JSONValue>>

  /// What it would like to remind of; nil for nothing, and while the store cannot be read.
  func reminders(_ context: Context) -> (any ReminderCandidates)?

  /// Does what a person has told of a reminder; nothing when it is another domain's.
  func act(on reminder: ReminderID, _ action: ReminderAction, _ context: inout Context) throws(RPCError)

  /// Whether a change that was told of by events of those names may mean something to it beyond them; asked after every change.
  func follows(_ events: [StaticString], in folder: DataFolder) -> Bool

  /// What a change means to it beyond the events of the collections, whose names are given.
  func consequences(of events: [StaticString], revision: Int, origin: Origin, _ context: Context) -> Consequences

  /// What is to be told because time has passed; asked about once a second.
  func tick(_ context: Context) -> [Event]

  /// The events among those consequences, for who has nothing but the records.
  static func consequences(
    of events: [StaticString], in snapshot: Snapshot, _ migrations: RecordMigrations, origin: Origin
  ) -> [Event]

  /// What it has ready of a part of the start, in words; nil for nothing.
  func startSummary(of part: StartPart, _ context: Context) -> String?
}

/// What follows from a change for a domain that rests on others.
package struct Consequences {
  /// Further events, in order.
  package var events: [Event]
  /// Whether what it reminds of may be another.
  package var movesReminders: Bool

  package init(events: [Event] = [], movesReminders: Bool = false) {
    self.events = events
    self.movesReminders = movesReminders
  }
}

/// A part of the start that domains have something for.
package enum StartPart: Sendable {
  /// Categories that are predefined.
  case categories
  /// Places that a device is to watch.
  case places
}

extension DomainService {
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [] }

  package static var internalEntities: [any CheckedEntity.Type] { [] }

  package func reminders(_ context: Context) -> (any ReminderCandidates)? { nil }

  package func act(
    on reminder: ReminderID, _ action: ReminderAction, _ context: inout Context
  ) throws(RPCError) {}

  package func follows(_ events: [StaticString], in folder: DataFolder) -> Bool { false }

  package func consequences(
    of events: [StaticString], revision: Int, origin: Origin, _ context: Context
  ) -> Consequences { Consequences() }

  package func tick(_ context: Context) -> [Event] { [] }

  package static func consequences(
    of events: [StaticString], in snapshot: Snapshot, _ migrations: RecordMigrations, origin: Origin
  ) -> [Event] { [] }

  package func startSummary(of part: StartPart, _ context: Context) -> String? { nil }

  /// What is wrong with the params of a request.
  package func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    RPCError(params: error, in: text)
  }
}
