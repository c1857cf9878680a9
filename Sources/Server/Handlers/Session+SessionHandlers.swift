import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import Premium
import Values

extension Session {
  func initialize(_ params: InitializeParams, _ call: inout Call) throws(RPCError) -> InitializeResult {
    let inner = params.initializationOptions.value
    func pointer(_ name: String, isOuter: Bool) -> String { isOuter ? "/\(name)" : "/initializationOptions/\(name)" }
    if let requested = params.protocolVersion ?? inner?.protocolVersion, requested != Session.protocolVersion {
      throw RPCError(
        .unsupportedProtocolVersion, "protocol version \(requested) is not spoken here",
        pointer: pointer("protocolVersion", isOuter: params.protocolVersion != nil),
        supported: [Session.protocolVersion], requested: requested)
    }
    var wantedZone: TimeZoneRules?
    if let name = params.timeZone ?? inner?.timeZone {
      do throws(TimeZoneError) { wantedZone = try options.zones.rules(for: name) } catch {
        throw RPCError(
          .invalidParams, "the time zone \(name.text) is not known here",
          pointer: pointer("timeZone", isOuter: params.timeZone != nil),
          allowed: "an IANA time zone, such as Europe/Berlin")
      }
    }
    if let wantedZone {
      zone = wantedZone
      zoneIsTheClients = true
    }
    if case .string(let name)? = params.launchReason {
      startup.launchReason = LaunchReason.known.first { $0.rawValue == name } ?? .user
    }
    if case .string(let name)? = params.locale { locale = name }
    try bootstrap()
    let revision = try latestRevisionOnDisk()
    isStrict = params.strict ?? inner?.strict ?? true
    if case .object(let client)? = params.clientInfo, case .string(let name)? = client["name"] {
      author = String(String.UnicodeScalarView(name.unicodeScalars.prefix(SessionConstants.longestAuthor)))
    }
    abilities = ClientAbilities(params.capabilities)
    if case .string(let value)? = params.trace { trace = TraceValue.known.first { $0.rawValue == value } ?? .off }
    if case .number(let number)? = params.processId { watch(number.integer) }
    lifecycle = .running(hasConfirmed: false)
    return InitializeResult(
      protocolVersion: Session.protocolVersion,
      serverInfo: ServerInfo(name: "daybook", version: ServiceOptions.version),
      capabilities: Dictionary(uniqueKeysWithValues: Session.capabilities.map { ($0, Capability()) }),
      route: route, minimumLaunchScreenMs: StartupTimeline.minimumLaunchScreen, hasPremiumAccess: hasPremiumAccess,
      syncModeAtStart: premium.syncModeAtStart, quickActions: QuickAction.all, today: today, timeZone: zoneName,
      revision: revision,
      readOnly: isReadOnly)
  }

  /// What the service can do, by the names in the protocol.
  private static let capabilities = [
    "account", "backup", "body", "changes", "diagnostics", "estimation", "expenditure", "foods", "lock", "nutrition",
    "onboarding", "premium", "reminders", "settings", "startup", "subscriptions", "weights", "zones",
  ]

  /// The protocol version spoken here.
  static let protocolVersion = 1

  /// Watches the client's process, if it can be seen from here: in a container it may live and be invisible.
  private func watch(_ process: Int?) {
    guard let process, Processes.isVisible(process) else { return }
    processWatch.begin(process)
  }

  /// Whether it is known that no change can be stored.
  private var isReadOnly: Bool {
    let journal = options.dataFolder + "/journal"
    return store?.refusal != nil || Files.isReadOnly(Files.exists(journal) ? journal : options.dataFolder)
  }

  func shutdown(_ params: NoParams, _ call: inout Call) throws(RPCError) -> Null {
    lifecycle = .shutDown
    inFlight.cancelAll()
    clientRequests.close()
    return Null()
  }

  func rpcDiscover(_ params: NoParams) throws(RPCError) -> JSONFragment<JSONValue> {
    var writer = JSONWriter(capacity: 128 << 10)
    OpenRPCDocument.encode(to: &writer)
    return JSONFragment(unchecked: writer.bytes)
  }

  func serverInfo(_ params: NoParams) throws(RPCError) -> ServerInfoResult {
    ServerInfoResult(
      name: "daybook", version: ServiceOptions.version, protocolVersion: Session.protocolVersion, build: Session.build,
      pid: processID, startedAt: startedAt)
  }

  static var build: BuildKind {
    #if DEBUG
      .debug
    #else
      .release
    #endif
  }

  func serverStatus(_ params: NoParams) throws(RPCError) -> ServerStatusResult {
    // A folder that cannot be opened has no revision that could be told.
    let revision = try? self.revision()
    return ServerStatusResult(
      activities: inFlight.activities, queuedBytes: inbox.bytes, unsentBytes: channel.unsentBytes,
      revision: revision ?? 0, durableRevision: store?.durableRevision ?? 0,
      droppedLogMessages: log.droppedLines, since: startedAt)
  }

  func sessionGet(_ params: NoParams) throws(RPCError) -> SessionGetResult {
    return SessionGetResult(
      route: route, startup: startup.state, hasPremiumAccess: hasPremiumAccess,
      syncModeAtStart: premium.syncModeAtStart, locked: isLocked, today: today, selectedDay: currentDay,
      timeZone: zoneName, revision: try announcedRevision == nil ? latestRevisionOnDisk() : revision(),
      readOnly: isReadOnly)
  }

  func sessionSelectDay(_ params: SessionSelectDayParams, _ call: inout Call) throws(RPCError) -> SessionSelectDayResult
  {
    let previous = currentDay
    selectedDay = params.day
    if previous != params.day {
      call.events.append(
        Event(
          DaySelectedParams.method,
          DaySelectedParams(selectedDay: params.day, previousDay: previous)))
    }
    return SessionSelectDayResult(selectedDay: params.day)
  }
}
