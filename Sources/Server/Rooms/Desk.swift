import DomainKit
import Platform
import Premium

/// What the session offers a room for one request.
struct Desk {
  let options: ServiceOptions
  let log: Log
  let client: ClientLine
  /// What the request leaves for the session.
  fileprivate(set) var call: Call
  /// The data folder that small files are written into; nil before there is a store.
  fileprivate let home: FileStatus?
  /// Whether the data folder may be created, as it never existed or was removed by its owner.
  fileprivate let mayMakeFolder: Bool
  fileprivate let session: Session

  /// Everything stored at present, as far as it was read; nil before that, and while a failed change is not rolled back.
  var knownSnapshot: Snapshot? {
    session.assumeIsolated { session in
      guard let store = session.store, store.knownRevision != nil, !store.hasFailed else { return nil }
      return try? store.snapshot
    }
  }

  /// Everything stored at present; nil for a folder without a store.
  func snapshot() throws(RPCError) -> Snapshot? {
    try session.assumeIsolated { session in
      Result { () throws(RPCError) in
        try session.withStore { store throws(StoreError) in try store.isAbsent } ? nil : try session.snapshot()
      }
    }.get()
  }

  /// The records of a collection that changed after a revision; nil if there are more than `limit`, or that is no longer
  /// known.
  func changed(since revision: Int, in collection: CollectionName, atMost limit: Int) -> [EntityID]? {
    session.assumeIsolated { session in
      guard let store = session.store, revision <= store.knownRevision ?? 0 else { return nil }
      return (try? store.changes(since: revision, of: [collection], atMost: limit))?.map(\.id)
    }
  }

  /// Another value once revisions may mean something else.
  var epoch: Int { session.assumeIsolated { $0.folder.epoch } }

  /// How the connection stands now.
  var standing: Standing { session.assumeIsolated { $0.standing } }

  /// How to open the data folder independently of the session's own store.
  var configuration: FileStore.Configuration { session.folderConfiguration }

  var now: Instant { session.now() }

  /// What has a room come back to a desk of its own, from any thread, after what other processes wrote is read.
  func returning(_ body: @escaping @Sendable (Rooms, inout Desk) -> Void) -> @Sendable () -> Void {
    { [weak session] in
      session?.enqueue { session in
        session.pollOthers()
        session.atDesk(body)
      }
    }
  }

  /// Has an event follow the reply.
  mutating func emit(_ method: StaticString, _ params: some JSONEncodable) { call.emit(method, params) }

  /// A small file of the data folder, for reading.
  func file(_ name: SmallFile.Name) -> SmallFile { SmallFile(name, in: options.dataFolder) }

  /// Replaces the content of a small file of the data folder, which is created if needed, while no other process does.
  ///
  /// - Throws: What `body` throws; `storeBusy`, `diskFull` or another error of the store.
  func update(
    _ name: SmallFile.Name, _ body: (SmallFile.Content) throws(StoreError) -> JSONObject
  ) throws(RPCError) {
    if mayMakeFolder { options.makeFolder(log) }
    do throws(StoreError) { _ = try SmallFile(name, in: options.dataFolder, home: home).update(body) } catch {
      throw RPCError(error)
    }
  }
}

/// How a connection stands, as far as rooms depend on it.
struct Standing: Sendable {
  let hasPremium: Bool
  /// Whether there was premium when the process began.
  let hadPremiumAtStart: Bool
  let isLocked: Bool
  /// Whether it is a client with a user in front of it, and not a script.
  let isFrontend: Bool
  let receivesEvents: Bool
  let startedAt: Instant
}

/// The client, as a room may ask it; usable off the session.
struct ClientLine: Sendable {
  let abilities: ClientAbilities
  fileprivate let requests: ClientRequests
  fileprivate let channel: OutputChannel
  fileprivate let framing: Framing

  /// Sends a request to the client and waits at most `timeout` milliseconds for the reply.
  func ask(_ method: StaticString, _ params: some JSONEncodable & Sendable, timeout: Int) async -> ClientRequests.Answer
  {
    let progress = Progress(channel: channel, framing: framing, workDone: nil, partialResult: nil)
    return await requests.ask(timeout: timeout) { progress.request($0, method, params) }
  }
}

extension Session {
  fileprivate var standing: Standing {
    Standing(
      hasPremium: hasPremiumAccess, hadPremiumAtStart: entitlement.state.syncModeAtStart, isLocked: isLocked,
      isFrontend: !client.isScript && !options.isSingleCall, receivesEvents: client.receivesEvents,
      startedAt: host.startedAt)
  }

  /// Has a room do what no request asks for, and sends the events that it leaves.
  @discardableResult
  func atDesk<Result>(_ body: (Rooms, inout Desk) -> Result) -> Result {
    var desk = desk(Call(method: .serverInfo))
    defer { for event in desk.call.events { emit(event) } }
    return body(rooms, &desk)
  }

  /// The desk for a request that a room answers.
  func desk(_ call: Call) -> Desk {
    Desk(
      options: options, log: log,
      client: ClientLine(
        abilities: client.abilities, requests: clientRequests, channel: channel, framing: client.framing),
      call: call, home: store?.home, mayMakeFolder: mayMakeFolder, session: self)
  }
}
