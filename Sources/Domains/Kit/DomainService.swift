import DaybookProtocol
import FileStore
import JSONRPC
import Reminders

/// A service that answers the requests of a domain and owns its caches. The dispatch to handlers is generated.
package protocol DomainService: AnyObject {
  /// The monthly digests that the store keeps for the domain.
  static func digests(_ migrations: RecordMigrations) -> [Digest]

  /// The entities that the domain stores for itself and never reports to clients.
  static var internalEntities: [any CheckedEntity.Type] { get }

  /// The migrations of the domain's stored forms. Each has a golden file; none is ever changed or removed.
  static var migrations: [RecordMigrations.Steps] { get }

  /// Answers a request: decodes the params, calls the handler, writes the result.
  func dispatch(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter
  ) throws(RPCError)

  /// The work that answers a heavy request.
  func heavy(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context
  ) throws(RPCError) -> Deferred<JSONFragment<JSONValue>>

  /// Answers a request whose change may be large; returns the change when it has to be planned outside the session.
  func planned(
    _ method: Method, _ reader: inout JSONReader, _ context: inout Context, _ writer: inout JSONWriter
  ) throws(RPCError) -> PlannedChange?

  /// The reminders the domain wants to give; the same instances as long as nothing that they depend on has changed.
  func reminders(_ context: Context) throws(RPCError) -> [RememberedCandidates]

  /// Whether a reminder is one of the domain's, on any day, in any state of its item.
  func gives(_ reminder: ReminderID, _ context: Context) throws(RPCError) -> Bool

  /// Applies a user's action on a reminder; ignores the reminders of other domains.
  func act(on reminder: ReminderID, _ action: ReminderAction, _ context: inout Context) throws(RPCError)

  /// What a change means to the domain beyond the events of the changed collections. Called once for every change, so it
  /// must cost next to nothing when there is nothing.
  func consequences(of change: DataChange, in folder: DataFolder) -> Consequences

  /// How its reminders are called as a group; nil when it gives none.
  static var reminderTitle: (source: ReminderSource, title: String)? { get }

  /// What it offers before the app is open, in order.
  static var quickActions: [QuickAction] { get }

  /// How much of a premium feature there is with or without access; nil for no limit, or for another domain's feature.
  static func limit(of feature: Feature, hasAccess: Bool) -> Int?

  /// Refuses a currency that the domain cannot reckon with.
  ///
  /// - Throws: `invalidParams` with `pointer`.
  static func checkCurrency(_ code: String, pointer: String) throws(RPCError)

  /// The events that are due because time has passed; called once a second.
  func tick(_ context: Context) -> [Event]

  /// The weight for the energy formulas, from what the domain has logged; nil when it has none.
  func energyWeight(_ context: Context) throws(RPCError) -> EnergyWeight?

  /// A short text on the domain's part in a start-up task; nil when it has none.
  func startSummary(of part: StartPart, _ context: Context) -> String?

  #if DEBUG
    /// The groups of which the domain has samples, for trying the service out.
    static var sampled: [EventDomain] { get }

    /// The operations that add its samples; none where there are records already.
    ///
    /// - Parameter fraction: A random number, at least 0 and less than 1.
    func samples(_ context: Context, fraction: () -> Double) throws(RPCError) -> [Operation]
  #endif
}

/// A start-up task that domains take part in.
package enum StartPart: Sendable {
  /// Loading the predefined categories.
  case categories
  /// Loading the places that a device watches.
  case places
}

extension DomainService {
  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [] }

  package static var internalEntities: [any CheckedEntity.Type] { [] }

  package static var migrations: [RecordMigrations.Steps] { [] }

  package func reminders(_ context: Context) throws(RPCError) -> [RememberedCandidates] { [] }

  package func gives(_ reminder: ReminderID, _ context: Context) throws(RPCError) -> Bool { false }

  package func act(
    on reminder: ReminderID, _ action: ReminderAction, _ context: inout Context
  ) throws(RPCError) {}

  package func consequences(of change: DataChange, in folder: DataFolder) -> Consequences { Consequences() }

  package static var reminderTitle: (source: ReminderSource, title: String)? { nil }

  package static var quickActions: [QuickAction] { [] }

  package static func limit(of feature: Feature, hasAccess: Bool) -> Int? { nil }

  package static func checkCurrency(_ code: String, pointer: String) throws(RPCError) {}

  package func tick(_ context: Context) -> [Event] { [] }

  package func energyWeight(_ context: Context) throws(RPCError) -> EnergyWeight? { nil }

  package func startSummary(of part: StartPart, _ context: Context) -> String? { nil }

  #if DEBUG
    package static var sampled: [EventDomain] { [] }

    package func samples(_ context: Context, fraction: () -> Double) throws(RPCError) -> [Operation] { [] }
  #endif

  /// The error for malformed params.
  package func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    RPCError(params: error, in: text)
  }
}

/// A notification, ready to be framed.
package struct Event: Sendable {
  package let method: StaticString
  /// The JSON text of its params.
  package let params: [UInt8]

  package init(_ method: StaticString, _ params: some JSONEncodable) {
    self.method = method
    self.params = params.json
  }
}
