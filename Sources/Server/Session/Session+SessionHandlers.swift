import DomainKit
import Platform
import Premium
import TextPacking

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
    if let wantedZone { clock.setClientZone(wantedZone) }
    if case .string(let name)? = params.launchReason {
      start.timeline.launchReason = LaunchReason.known.first { $0.rawValue == name } ?? .user
    }
    if case .string(let name)? = params.locale { client.locale = name }
    try bootstrap()
    let revision = try latestRevisionOnDisk()
    client.isStrict = params.strict ?? inner?.strict ?? true
    if case .object(let client)? = params.clientInfo, case .string(let name)? = client["name"] {
      folder.author = Session.author(name)
    }
    client.abilities = ClientAbilities(params.capabilities)
    if case .string(let value)? = params.trace {
      client.trace = TraceValue.known.first { $0.rawValue == value } ?? .off
    }
    if case .number(let number)? = params.processId { watch(number.integer) }
    client.lifecycle = .running(hasConfirmed: false)
    return InitializeResult(
      protocolVersion: Session.protocolVersion,
      serverInfo: ServerInfo(name: "daybook", version: ServiceOptions.version),
      capabilities: .object(JSONObject(Services.capabilities.map { ($0, .object(JSONObject())) })),
      route: route, minimumLaunchScreenMs: StartupTimeline.minimumLaunchScreen, hasPremiumAccess: hasPremiumAccess,
      syncModeAtStart: entitlement.state.syncModeAtStart, quickActions: Services.quickActions, today: today,
      timeZone: zoneName,
      revision: revision,
      readOnly: isReadOnly)
  }

  /// The author of a client's changes: its name, truncated.
  private static func author(_ name: String) -> String {
    // Bytes are never fewer than scalars. The type of the slices need not be instantiated at every start.
    guard name.utf8.count > SessionConstants.maximumAuthorLength else { return name }
    return String(name.unicodeScalars.prefix(SessionConstants.maximumAuthorLength))
  }

  static let protocolVersion = 1

  /// Watches the client's process if it is visible; a client in another container is not.
  private func watch(_ process: Int?) {
    guard let process, Processes.isVisible(process) else { return }
    host.watch(process: process)
  }

  /// Whether the store is known to be read-only.
  private var isReadOnly: Bool {
    let journal = options.dataFolder + "/journal"
    return store?.refusal != nil || Files.isReadOnly(Files.exists(journal) ? journal : options.dataFolder)
  }

  func shutdown(_ params: NoParams, _ call: inout Call) throws(RPCError) -> Null {
    client.lifecycle = .shutDown
    traffic.cancelAll()
    clientRequests.close()
    return Null()
  }

  func rpcDiscover(_ params: NoParams) throws(RPCError) -> JSONFragment<JSONValue> {
    let packed = OpenRPCDocument.packed
    let text = PackedText.unpack(UnsafeBufferPointer(start: packed.utf8Start, count: packed.utf8CodeUnitCount))
    guard let text else { throw RPCError(.internalError, "the document of the protocol cannot be unpacked") }
    return JSONFragment(unchecked: text)
  }

  func serverInfo(_ params: NoParams) throws(RPCError) -> ServerInfoResult {
    ServerInfoResult(
      name: "daybook", version: ServiceOptions.version, protocolVersion: Session.protocolVersion, build: Session.build,
      pid: host.processID, startedAt: host.startedAt)
  }

  static var build: BuildKind {
    #if DEBUG
      .debug
    #else
      .release
    #endif
  }

  func serverStatus(_ params: NoParams) throws(RPCError) -> ServerStatusResult {
    // A folder that cannot be opened has no revision to report.
    let revision = try? self.revision()
    return ServerStatusResult(
      activities: traffic.activities, queuedBytes: traffic.waitingBytes, unsentBytes: channel.unsentBytes,
      revision: revision ?? 0, durableRevision: store?.durableRevision ?? 0,
      droppedLogMessages: log.droppedLines, since: host.startedAt)
  }

  func sessionGet(_ params: NoParams) throws(RPCError) -> SessionGetResult {
    return SessionGetResult(
      route: route, startup: start.timeline.state, hasPremiumAccess: hasPremiumAccess,
      syncModeAtStart: entitlement.state.syncModeAtStart, locked: isLocked, today: today, selectedDay: currentDay,
      timeZone: zoneName, revision: try folder.announcedRevision == nil ? latestRevisionOnDisk() : revision(),
      readOnly: isReadOnly)
  }

  func sessionSelectDay(_ params: SessionSelectDayParams, _ call: inout Call) throws(RPCError) -> SessionSelectDayResult
  {
    let previous = currentDay
    client.selectedDay = params.day
    if previous != params.day {
      call.emit(DaySelectedParams.method, DaySelectedParams(selectedDay: params.day, previousDay: previous))
    }
    return SessionSelectDayResult(selectedDay: params.day)
  }
}
